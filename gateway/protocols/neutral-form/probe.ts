import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { OwnJsonObject } from '../../platform/json/json-value.ts';
import type { FailureFinder, Target, UpstreamProtocol, UpstreamProtocolId } from '../protocol.ts';
import { SseParser } from '../sse/sse-parser.ts';
import type { EventReader } from './neutral-form.ts';
import { fitRequest } from './fit/fit-request.ts';
import type { NeutralEvent, NeutralReply } from './reply.ts';
import type { NeutralRequest } from './request.ts';
import { isGenerating, type GeneratingUpstream } from './translations/translate.ts';
import { isEmbedding, type EmbeddingUpstream } from './translations/translate-embedding.ts';

/** Tests whether a model at an upstream works: a minimal request and the reading of its reply. */
export interface Probe {
  readonly protocol: UpstreamProtocolId;
  readonly operation: 'generate' | 'embed';
  /** Names and values in turn of headers that go with the request. */
  readonly headers: readonly string[];
  /** @param stream of a probe that embeds always false */
  writeRequest(target: Target, stream: boolean): OwnJsonObject | Refusal;
  /** Returns what the model said in a whole reply; undefined when it is none of the protocol. */
  readReply(body: Buffer): string | undefined;
  /** Reports whether a stream reaches the end of its reply, as requests read it. */
  isWholeStream(stream: Buffer): boolean;
}

/** A test costs little, and a reasoning model that thinks first still answers. */
export const PROBE_TOKENS_MAX = 1_024;

const PROMPT: NeutralRequest = {
  stream: false,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Say "ok".' }] }],
  tools: [],
  choices: 1,
  maxOutputTokens: PROBE_TOKENS_MAX,
};

/**
 * Returns the probe of a model in the best protocol that can; undefined where none of the protocols
 * generates text.
 * @param spoken by the upstream, the best first
 * @param embeds the model makes embeddings: it is asked for one where a protocol can
 */
export function probeOf(
  spoken: readonly UpstreamProtocol[],
  embeds: boolean,
  findFailure: FailureFinder,
): Probe | undefined {
  const embedding = embeds ? spoken.find((one) => isEmbedding(one)) : undefined;
  if (embedding !== undefined) return embeddingProbe(embedding);
  const generating = spoken.find((one) => isGenerating(one));
  return generating && generatingProbe(generating, findFailure);
}

function embeddingProbe({ id, embedding }: EmbeddingUpstream): Probe {
  return {
    protocol: id,
    operation: 'embed',
    headers: [],
    writeRequest: (target) => embedding.writeRequest({ inputs: ['ok'] }, target),
    readReply: (body) => (embedding.readReply(body)?.vectors.length ? '' : undefined),
    isWholeStream: () => false,
  };
}

function generatingProbe(
  { id, neutralForm }: GeneratingUpstream,
  findFailure: FailureFinder,
): Probe {
  return {
    protocol: id,
    operation: 'generate',
    headers: neutralForm.upstreamHeaders ?? [],
    writeRequest: (target, stream) => {
      const fitted = fitRequest({ ...PROMPT, stream }, target.profile);
      return isRefusal(fitted) ? fitted : neutralForm.writeRequest(fitted.request, target);
    },
    readReply: (body) => {
      const reply = neutralForm.readReply(body, findFailure);
      return reply && textOf(reply);
    },
    isWholeStream: (stream) => isWhole(stream, neutralForm.readStream(findFailure)),
  };
}

function isWhole(stream: Buffer, reader: EventReader): boolean {
  const parser = new SseParser();
  parser.feed(stream);
  parser.finish();
  const events: NeutralEvent[] = [];
  while (parser.hasRest && parser.next() === 'event') {
    events.push(...reader.read(parser.eventName, parser.data));
  }
  events.push(...reader.close());
  const types = new Set(events.map(({ type }) => type));
  return types.has('end') && !types.has('failure');
}

function textOf({ parts }: NeutralReply): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
