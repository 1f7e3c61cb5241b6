import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { isJsonObject, parseOwnObject, type JsonObject } from '../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../platform/json/utf8-text.ts';
import { bodyOf } from '../fields/parsed-body.ts';
import { strip } from '../fields/shape.ts';
import type { Reply, ReplyTerms, Target } from '../protocol.ts';
import { fieldOf, listOf } from './fields.ts';
import type { GeminiRequest } from './from-client/parse-request.ts';
import { EMBED_REPLY_FIELDS } from './from-upstream/known-fields.ts';
import { readUsage } from './usage.ts';

/** Names of resources have their collection in them. */
const RESOURCE = /^(?:models|tunedModels|endpoints)\//;

/** The name of a model as each request of a list has it. */
export function embeddingModel(upstreamModel: string): string {
  return RESOURCE.test(upstreamModel) ? upstreamModel : `models/${upstreamModel}`;
}

/** Returns the content of each vector that is asked for. */
export function contentsAsked(request: GeminiRequest): readonly JsonObject[] {
  const body = bodyOf(request) ?? {};
  const asked = request.embeds === 'many' ? listOf(body['requests']) : [body];
  return asked.map((one) => (isJsonObject(one) ? one : {}));
}

/**
 * Returns the body for the upstream, which is always asked for a list: each of it names the model.
 */
export function encodeEmbed(request: GeminiRequest, target: Target): Buffer {
  const model = embeddingModel(target.upstreamModel);
  const requests = contentsAsked(request).map((asked) => ({ ...asked, model }));
  return Buffer.from(JSON.stringify({ requests }));
}

/**
 * Reads a list of embeddings; undefined when it is none. Older models report no tokens: they are
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
  if (!Array.isArray(embeddings) || !embeddings.every(isJsonObject)) return undefined;
  const [embedding] = embeddings;
  if (reply === undefined || embedding === undefined) return undefined;
  const closed = terms?.fieldPolicy !== 'all' && strip(reply, EMBED_REPLY_FIELDS);
  const { usageMetadata } = reply;
  const many = closed ? Buffer.from(JSON.stringify(reply)) : body;
  const bytes =
    embeds === 'many' ? many : Buffer.from(JSON.stringify({ embedding, usageMetadata }));
  return {
    bytes,
    usage: readEmbeddingUsage(reply),
    withUsage: () => bytes,
    deliveredText: () => '',
  };
}

/** Reads the usage of a reply, null when it has none. Its details have a name of their own. */
export function readEmbeddingUsage({ usageMetadata }: JsonObject): TokenCounts | null {
  if (!isJsonObject(usageMetadata)) return null;
  const promptTokensDetails = fieldOf(usageMetadata, 'promptTokenDetails');
  const reported = readUsage({ promptTokensDetails, ...usageMetadata });
  return reported === undefined ? null : { ...reported, output: 0, reasoning: 0 };
}
