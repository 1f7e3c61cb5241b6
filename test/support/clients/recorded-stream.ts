import { minimaxFailure } from '../../../gateway/providers/openai-compatible/minimax-error.ts';
import { readFileSync } from 'node:fs';
import { readStrictly, type ReadStream } from './strict-chat-client.ts';
import { ChatStream } from '../../../gateway/protocols/openai-chat/pass-through/chat-stream.ts';

const RECORDINGS = new URL('../../recordings/openai-chat/', import.meta.url);

export function recording(file: string): Buffer {
  return readFileSync(new URL(file, RECORDINGS));
}

export interface Translated {
  /** Everything the client gets, end marker included when the stream is whole. */
  readonly text: string;
  readonly stream: ChatStream;
}

/** Returns the client's view of an upstream's stream that arrives in these packets. */
export function translate(
  packets: readonly Buffer[],
  options: {
    readonly publicModel?: string;
    readonly includeUsage?: boolean;
    readonly choices?: number;
  } = {},
): Translated {
  const stream = new ChatStream({
    findFailure: minimaxFailure,
    publicModel: options.publicModel ?? 'public-model',
    includeUsage: options.includeUsage ?? false,
    choices: options.choices ?? 1,
  });
  const sent = packets.map((packet) => Buffer.from(stream.push(packet)));
  sent.push(Buffer.from(stream.flush()));
  if (stream.finished && stream.failure === null) sent.push(Buffer.from(stream.endMarker()));
  return { text: Buffer.concat(sent).toString(), stream };
}

/** The bytes in packets of one size. */
export function packetsOf(bytes: Buffer, size: number): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) packets.push(bytes.subarray(at, at + size));
  return packets;
}

/** One packet an event, as most upstreams send. */
export function packetPerEvent(bytes: Buffer): Buffer[] {
  return bytes
    .toString()
    .split(/(?<=\n\n)/)
    .map((event) => Buffer.from(event));
}

/** Recordings of streams that are whole. */
export const WHOLE_STREAMS = [
  'openai-text',
  'openai-tools',
  'deepseek-reasoning',
  'openrouter-text',
  'vllm-continuous-usage',
  'azure-text',
  'gemini-tools',
  'ollama-tools',
  'repeated-tool-fields',
  'mistral-thinking',
  'one-index-tools',
  'bare',
  'two-choices',
];

/** A recorded stream as a strict client reads it. */
export function read(
  name: string,
  options?: Parameters<typeof translate>[1],
): ReadStream & Translated {
  const translated = translate(packetPerEvent(recording(`${name}.chunks.txt`)), options);
  return { ...translated, ...readStrictly(translated.text) };
}

/** A well-formed event of choice 0. */
export function event(delta: object, extra: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason: null }];
  const chunk = {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices,
    ...extra,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
