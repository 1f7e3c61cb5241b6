import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { applyEdits } from '../../../platform/json/apply-edits.ts';
import { parseOwnObject, stringOf, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import { strip } from '../../fields/shape.ts';
import type { Reply, ReplyTerms } from '../../protocol.ts';
import type { ReplyIds } from '../../stored-replies.ts';
import { fixUsage, readResponseUsage, usageObject } from '../usage.ts';
import { textOfOutput } from './delivered-text.ts';
import { ItemNames } from './item-names.ts';
import { RESPONSE_REPLY_FIELDS } from './known-fields.ts';
import { namesOf, responseEdits } from './response-edits.ts';

/**
 * Reads a response that is not streamed. Returns undefined when it is none: HTML, text, an error
 * object under status 200, a response that failed. An SDK would hand such a thing to the program as
 * a result.
 */
export function readResponse(
  received: Buffer,
  publicModel: string,
  terms: ReplyTerms = {},
): Reply | undefined {
  const { ids } = terms;
  const body = nameItems(withoutByteOrderMark(received), ids);
  const response = parseOwnObject(body);
  if (response === undefined || !isResponse(response)) return undefined;
  const edits = responseEdits(response, namesOf(stringOf(response['id']), publicModel, ids));
  return replyOf(body, response, edits, terms);
}

function nameItems(body: Buffer, ids: ReplyIds | undefined): Buffer {
  return ids === undefined ? body : new ItemNames(ids).renameEvent(body, parseOwnObject(body));
}

/** A response, or a compaction, after edits; its usage is read and made fit for the client. */
export function replyOf(
  body: Buffer,
  response: OwnJsonObject,
  edits: readonly MemberEdit[],
  { fieldPolicy }: ReplyTerms,
): Reply {
  const closed = fieldPolicy !== 'all' && strip(response, RESPONSE_REPLY_FIELDS);
  const usage = readResponseUsage(response);
  const fixed = fixUsage(response, usage);
  const usageEdit = (value: unknown): MemberEdit => ({
    name: 'usage',
    value: JSON.stringify(value),
  });
  return {
    bytes: applyEdits(
      body,
      response,
      fixed ? [...edits, usageEdit(response['usage'])] : edits,
      closed,
    ),
    withUsage: (counts: TokenCounts) =>
      applyEdits(body, response, [...edits, usageEdit(usageObject(counts))], closed),
    usage,
    deliveredText: () => textOfOutput(response['output']),
  };
}

/** Reports whether an object is a response that did not fail. */
export function isResponse({ error, status, output }: OwnJsonObject): boolean {
  if (error !== undefined && error !== null) return false;
  return Array.isArray(output) && status !== 'failed' && status !== 'cancelled';
}
