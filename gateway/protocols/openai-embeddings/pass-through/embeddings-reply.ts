import type { TokenCounts } from '@weir/shared/watch/usage-record';
import {
  isOwnJsonObject,
  parseOwnObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { rewriteMembers, type MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import { strip } from '../../fields/shape.ts';
import { USAGE_FIELDS } from '../../openai-family/known-fields.ts';
import { ListReply } from '../../openai-family/list-reply.ts';
import { dropPurchasePrice, readUsage } from '../../openai-family/usage.ts';
import type { Reply, ReplyTerms } from '../../protocol.ts';
import type { EmbeddingsRequest } from '../from-client/parse-request.ts';
import { base64Of } from './base64-vector.ts';
import { EMBEDDING_REPLY_FIELDS } from './known-fields.ts';

/**
 * Reads a reply of embeddings; undefined when it is none. The vectors, which are nearly all of its
 * bytes, are not parsed: a reply may have millions of numbers.
 */
export function readEmbeddings(
  received: Buffer,
  { model, base64 }: EmbeddingsRequest,
  terms?: ReplyTerms,
): Reply | undefined {
  const body = base64 ? encodeVectors(received) : withoutByteOrderMark(received);
  const reply = ListReply.read(body, 'data');
  if (reply === undefined) return undefined;
  const { members } = reply;
  const usage = reply.objectAt('usage');
  const reported = usageOf(usage);
  const passesAll = terms?.fieldPolicy === 'all';
  const edits: MemberEdit[] = [
    { name: 'model', value: JSON.stringify(model) },
    // OpenRouter names whom it has bought from.
    ...(passesAll ? ['provider'] : reply.unknownNames(EMBEDDING_REPLY_FIELDS)).map(taken),
  ];
  const more = usage !== undefined && takesMore(usage, passesAll);
  const usageAsEdit = reported === null ? undefined : usageEdit(reported.input);
  return {
    bytes: rewriteMembers(
      body,
      members,
      more && usageAsEdit !== undefined ? [...edits, usageAsEdit] : edits,
    ),
    withUsage: ({ input }) => rewriteMembers(body, members, [...edits, usageEdit(input)]),
    usage: reported,
    deliveredText: () => '',
  };
}

function taken(name: string): MemberEdit {
  return { name, value: undefined };
}

/** Reports whether a usage has more in it than the client gets. */
function takesMore(usage: OwnJsonObject, passesAll: boolean): boolean {
  return passesAll ? dropPurchasePrice(usage) : strip(usage, USAGE_FIELDS);
}

function usageEdit(tokens: number): MemberEdit {
  return { name: 'usage', value: JSON.stringify(embeddingUsage(tokens)) };
}

/** Counts as OpenAI words them. */
export function embeddingUsage(tokens: number): OwnJsonObject {
  return { prompt_tokens: tokens, total_tokens: tokens };
}

/** Input alone: some servers report it in the total only. */
export function usageOf(usage: JsonObject | undefined): TokenCounts | null {
  const total = usage?.['total_tokens'];
  const named = typeof total === 'number' ? { prompt_tokens: total, ...usage } : usage;
  const reported = readUsage(named);
  return reported === undefined ? null : { ...reported, output: 0, reasoning: 0 };
}

/**
 * SDKs that ask for base64 read nothing else, and some servers know numbers only. Returns the same
 * bytes where every vector is text already.
 */
function encodeVectors(received: Buffer): Buffer {
  const body = withoutByteOrderMark(received);
  if (!/"embedding"\s*:\s*\[/.test(body.toString('latin1', 0, ENCODING_SHOWS_BYTES))) return body;
  const reply = parseOwnObject(body);
  if (reply === undefined || !Array.isArray(reply['data'])) return body;
  for (const item of reply['data'] as unknown[]) {
    if (!isOwnJsonObject(item) || !Array.isArray(item['embedding'])) continue;
    item['embedding'] = base64Of(item['embedding']);
  }
  return Buffer.from(JSON.stringify(reply));
}

/** The first embedding begins within so many bytes. */
const ENCODING_SHOWS_BYTES = 4_096;
