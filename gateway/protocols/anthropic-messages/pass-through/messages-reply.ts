import { applyEdits } from '../../../platform/json/apply-edits.ts';
import {
  isJsonObject,
  parseOwnObject,
  stringOf,
  type JsonObject,
} from '../../../platform/json/json-value.ts';
import type { MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import type { Reply, ReplyTerms } from '../../protocol.ts';
import { readUsage, usageObject } from '../usage.ts';
import { ReplyCloser } from './close-reply.ts';
import { isFreeRefusal, knownStopReason } from '../wire/end-reason.ts';
import { MESSAGE_REPLY_FIELDS } from '../from-upstream/known-fields.ts';

/** Returns all output of a reply's content, to count its tokens. */
function deliveredText(content: readonly unknown[]): string {
  return content.map((block) => (isJsonObject(block) ? blockText(block) : '')).join('');
}

function blockText(block: JsonObject): string {
  switch (block['type']) {
    case 'text':
      return stringOf(block['text']);
    case 'thinking':
      return stringOf(block['thinking']);
    case 'tool_use':
    case 'server_tool_use':
      return stringOf(block['name']) + JSON.stringify(block['input'] ?? {});
    case 'compaction':
      return stringOf(block['content']);
    default:
      return '';
  }
}

/**
 * Reads a reply that is not streamed; undefined when it is no message, such as an error under 200.
 */
export function readMessagesReply(
  received: Buffer,
  publicModel: string,
  terms?: ReplyTerms,
): Reply | undefined {
  const body = withoutByteOrderMark(received);
  const reply = parseOwnObject(body);
  const content = reply?.['content'];
  if (reply === undefined || reply['type'] === 'error' || !Array.isArray(content)) return undefined;
  const closer = new ReplyCloser(publicModel, terms?.fieldPolicy === 'all');
  const changed = closer.close(reply, MESSAGE_REPLY_FIELDS);
  const edits: MemberEdit[] = [];
  if (reply['model'] !== publicModel) {
    edits.push({ name: 'model', value: JSON.stringify(publicModel) });
  }
  if (reply['type'] !== 'message') edits.push({ name: 'type', value: '"message"' });
  const { stop_reason: stopReason } = reply;
  if (typeof stopReason === 'string') {
    const known = knownStopReason(stopReason, content.some(isToolUse));
    if (known !== stopReason) edits.push({ name: 'stop_reason', value: JSON.stringify(known) });
  }
  return {
    bytes: applyEdits(body, reply, edits, changed),
    usage: readUsage(reply['usage']) ?? null,
    isFree: isFreeRefusal(stopReason, content.length > 0),
    withUsage: (counts) => {
      const value = JSON.stringify(usageObject(counts));
      return applyEdits(body, reply, [...edits, { name: 'usage', value }], changed);
    },
    deliveredText: () => deliveredText(content),
  };
}

function isToolUse(block: unknown): boolean {
  return isJsonObject(block) && block['type'] === 'tool_use';
}
