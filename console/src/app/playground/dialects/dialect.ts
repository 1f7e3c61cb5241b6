import type { ClientProtocol } from '@weir/shared/catalog/models';
import type { ChatEvent } from '../chat-events';

/** Protocols that a conversation can be had in. */
export type TalkProtocol = Exclude<ClientProtocol, SilentProtocol>;

/** Protocols in which no model talks. */
const SILENT_PROTOCOLS = [
  'openai-embeddings',
  'openai-transcriptions',
  'openai-speech',
  'openai-realtime',
  'rerank',
] as const;
type SilentProtocol = (typeof SILENT_PROTOCOLS)[number];

function isSilent(protocol: ClientProtocol): protocol is SilentProtocol {
  return SILENT_PROTOCOLS.some((silent) => silent === protocol);
}

/**
 * Returns those of a model in which a conversation can be had: none of one that embeds, even if it
 * does so in a protocol in which others talk.
 */
export function talkProtocols(protocols: readonly ClientProtocol[]): readonly TalkProtocol[] {
  if (protocols.some(isSilent)) return [];
  return protocols.filter((one): one is TalkProtocol => !isSilent(one));
}

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface Parameters {
  readonly temperature?: number;
  readonly topP?: number;
  readonly outputTokensMax?: number;
}

/** One request, before it is written in a protocol. */
export interface TalkRequest {
  readonly model: string;
  readonly system: string | undefined;
  readonly turns: readonly Turn[];
  readonly parameters: Parameters;
  /** The most that the model can write, for protocols that demand a limit. */
  readonly modelOutputTokensMax: number;
}

/** A protocol's requests, and the events of its replies that the playground shows. */
export interface Dialect {
  /** Behind the gateway's root. */
  readonly path: (model: string) => string;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  readonly body: (request: TalkRequest) => object;
  /** Reads the parsed data of one event. */
  readonly events: (data: unknown) => Generator<ChatEvent>;
}

/** Drops what is not set: the model decides then. */
export function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
