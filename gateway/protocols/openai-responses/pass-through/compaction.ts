import { withoutByteOrderMark } from '../../../platform/json/byte-order-mark.ts';
import { parseOwnObject } from '../../../platform/json/json-value.ts';
import type { Reply, ReplyTerms } from '../../protocol.ts';
import { responseEdits } from '../from-upstream/response-edits.ts';
import { isResponse, replyOf } from '../from-upstream/responses-reply.ts';

/** Reads a compacted conversation; undefined when it is none. Few upstreams name a model in it. */
export function readCompaction(
  received: Buffer,
  publicModel: string,
  terms: ReplyTerms = {},
): Reply | undefined {
  const body = withoutByteOrderMark(received);
  const compaction = parseOwnObject(body);
  if (compaction === undefined || !isResponse(compaction)) return undefined;
  const names = compaction['model'] === undefined ? [] : responseEdits(compaction, { publicModel });
  return replyOf(body, compaction, names, terms);
}
