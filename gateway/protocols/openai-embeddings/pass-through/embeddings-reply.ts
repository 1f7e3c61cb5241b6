import type { TokenCounts } from '@weir/shared/usage-record';
import { withoutByteOrderMark } from '../../../platform/json/byte-order-mark.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { isJson } from '../../../platform/json/is-json.ts';
import { rewriteMembers, type MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { findMember, scanMembers, type MemberSpans } from '../../../platform/json/scan-members.ts';
import { strip } from '../../fields/shape.ts';
import { USAGE_FIELDS } from '../../openai-family/usage-fields.ts';
import { dropPurchasePrice, readUsage } from '../../openai-family/usage.ts';
import type { Reply, ReplyTerms } from '../../protocol.ts';
import type { EmbeddingsRequest } from '../from-client/parse-request.ts';
import { base64Of } from './base64-vector.ts';
import { EMBEDDING_REPLY_FIELDS } from './known-fields.ts';

/**
 * Levels of a reply: its object, the list, an embedding, its vector; and a few that nobody has yet.
 */
const DEPTH_MAX = 16;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;

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
  const members = scanMembers(body, DEPTH_MAX);
  // The scan finds members in anything, and a client would get what is no JSON.
  if (!isWhole(body, members) || !isJson(body)) return undefined;
  const usage = objectIn(body, members, 'usage');
  const reported = usageOf(usage);
  const passesAll = terms?.fieldPolicy === 'all';
  const edits: MemberEdit[] = [
    { name: 'model', value: JSON.stringify(model) },
    // OpenRouter names whom it has bought from.
    ...(passesAll ? ['provider'] : unknownIn(body, members)).map(taken),
  ];
  const more = usage !== undefined && takesMore(usage, passesAll);
  const told = reported === null ? undefined : usageEdit(reported.input);
  return {
    bytes: rewriteMembers(body, members, more && told !== undefined ? [...edits, told] : edits),
    withUsage: ({ input }) => rewriteMembers(body, members, [...edits, usageEdit(input)]),
    usage: reported,
    deliveredText: () => '',
  };
}

/** The names of members that are not known, as they are written. */
function unknownIn(body: Buffer, { offsets, count }: MemberSpans): string[] {
  const names = new Set<string>();
  for (let member = 0; member < count; member += 1) {
    const written = body.toString('latin1', offsets[member * 4], offsets[member * 4 + 1]);
    // One that is written with escapes is not known either, whatever it says.
    if (!EMBEDDING_REPLY_FIELDS.has(written)) names.add(written);
  }
  return [...names];
}

function taken(name: string): MemberEdit {
  return { name, value: undefined };
}

/** Whether a usage has more in it than the client gets. */
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

/** Whether it has a list of embeddings and no error, and was not cut off. */
function isWhole(body: Buffer, members: MemberSpans): boolean {
  // What is before the object is seen by nobody else: members are found behind anything.
  if (firstByte(body) !== OPEN_BRACE || members.tooDeep || members.count === 0) return false;
  const error = valueOf(body, members, 'error')?.toString('utf8').trim() ?? 'null';
  const data = valueOf(body, members, 'data');
  let end = body.length - 1;
  while (end > 0 && (body[end] ?? 0) <= 0x20) end -= 1;
  return error === 'null' && body[end] === CLOSE_BRACE && firstByte(data) === OPEN_BRACKET;
}

function valueOf(body: Buffer, members: MemberSpans, name: string): Buffer | undefined {
  const member = findMember(body, members, name);
  if (member === -1) return undefined;
  const { offsets } = members;
  return body.subarray(offsets[member * 4 + 2], offsets[member * 4 + 3]);
}

function firstByte(value: Buffer | undefined): number | undefined {
  return value?.find((byte) => byte > 0x20);
}

function objectIn(body: Buffer, members: MemberSpans, name: string): OwnJsonObject | undefined {
  const value = valueOf(body, members, name);
  return value === undefined ? undefined : parseOwnObject(value);
}

/** Input alone: some servers tell it in the total only. */
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
