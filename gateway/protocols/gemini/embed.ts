import { withoutByteOrderMark } from '../../platform/json/byte-order-mark.ts';
import { isJsonObject, parseOwnObject, type JsonObject } from '../../platform/json/json-value.ts';
import { strip } from '../fields/shape.ts';
import type { Reply, ReplyTerms, Target } from '../protocol.ts';
import { listOf } from './fields.ts';
import type { GeminiRequest } from './parse-request.ts';
import { EMBED_REPLY_FIELDS } from './reply/known-fields.ts';
import { readUsage } from './usage.ts';

/** Names of resources have their collection in them. */
const RESOURCE = /^(?:models|tunedModels|endpoints)\//;

/**
 * Returns the body for the upstream, which is always asked for a list: each of it names the model.
 */
export function encodeEmbed({ bytes, embeds }: GeminiRequest, target: Target): Buffer {
  const { upstreamModel } = target;
  const model = RESOURCE.test(upstreamModel) ? upstreamModel : `models/${upstreamModel}`;
  const body: JsonObject = parseOwnObject(bytes) ?? {};
  const asked = embeds === 'many' ? listOf(body['requests']) : [body];
  const requests = asked.map((request) => ({ ...(isJsonObject(request) ? request : {}), model }));
  return Buffer.from(JSON.stringify({ requests }));
}

/**
 * Reads a list of embeddings; undefined when it is none. Most upstreams report no tokens: they are
 * counted.
 */
export function decodeEmbed(
  received: Buffer,
  { embeds }: GeminiRequest,
  terms?: ReplyTerms,
): Reply | undefined {
  const body = withoutByteOrderMark(received);
  const reply = parseOwnObject(body);
  const embeddings: unknown = reply?.['embeddings'];
  if (reply === undefined || !Array.isArray(embeddings) || !embeddings.every(isJsonObject))
    return undefined;
  const [first] = embeddings;
  if (first === undefined) return undefined;
  const closed = terms?.fieldPolicy !== 'all' && strip(reply, EMBED_REPLY_FIELDS);
  const many = closed ? Buffer.from(JSON.stringify(reply)) : body;
  const bytes = embeds === 'many' ? many : Buffer.from(JSON.stringify({ embedding: first }));
  const reported = readUsage(reply['usageMetadata']);
  return {
    bytes,
    usage: reported === undefined ? null : { ...reported, output: 0, reasoning: 0 },
    withUsage: () => bytes,
    deliveredText: () => '',
  };
}
