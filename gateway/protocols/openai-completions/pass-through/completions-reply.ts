import { applyEdits } from '../../../platform/json/apply-edits.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import type { MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import { ReplyFrame } from '../../openai-family/chunks/reply-frame.ts';
import { failedChoice } from '../../openai-family/chunks/stream-error.ts';
import { fixUsage, readUsage, usageObject } from '../../openai-family/usage.ts';
import type { Reply, ReplyTerms } from '../../protocol.ts';
import { echoOf, type CompletionRequest } from '../from-client/parse-request.ts';
import { COMPLETION_REPLY_FIELDS } from './known-fields.ts';
import { knownFinishReason } from './text-choice.ts';

/** Reads a reply that is not streamed; undefined when it is none of completions. */
export function readCompletions(
  received: Buffer,
  request: CompletionRequest,
  terms?: ReplyTerms,
): Reply | undefined {
  const body = withoutByteOrderMark(received);
  const reply = parseOwnObject(body);
  if (reply === undefined || (reply['error'] ?? null) !== null) return undefined;
  const choices = choicesOf(reply['choices']);
  if (choices === undefined || failedChoice(reply) !== undefined) return undefined;
  const edits: MemberEdit[] = [];
  const frame = new ReplyFrame(request.model, 'text_completion');
  const closed = terms?.fieldPolicy !== 'all' && frame.close(reply, COMPLETION_REPLY_FIELDS);
  const changed = choices.map(fixChoice).includes(true) || closed;
  frame.edit(reply, edits);
  const usage = reply['usage'];
  const reported = readUsage(usage);
  const fixed = isOwnJsonObject(usage) && fixUsage(usage, reported);
  return {
    bytes: applyEdits(body, reply, fixed ? [...edits, usageEdit(usage)] : edits, changed),
    withUsage: (counts) =>
      applyEdits(body, reply, [...edits, usageEdit(usageObject(counts))], changed),
    usage: reported ?? null,
    deliveredText: () => choices.map((choice) => madeText(choice, request)).join(''),
  };
}

/** Undefined unless there is at least one choice and each has a text. */
function choicesOf(choices: unknown): OwnJsonObject[] | undefined {
  if (!Array.isArray(choices) || choices.length === 0) return undefined;
  const found = choices.filter(isOwnJsonObject);
  const whole = found.length === choices.length;
  return whole && found.every(({ text }) => typeof text === 'string') ? found : undefined;
}

/** Returns whether something was changed. */
function fixChoice(choice: OwnJsonObject, position: number): boolean {
  const { index, finish_reason: reason } = choice;
  const known = typeof reason === 'string' ? knownFinishReason(reason) : reason;
  if (typeof index === 'number' && known === reason) return false;
  choice['index'] = typeof index === 'number' ? index : position;
  choice['finish_reason'] = known;
  return true;
}

function usageEdit(usage: OwnJsonObject): MemberEdit {
  return { name: 'usage', value: JSON.stringify(usage) };
}

/** Returns the text that the model made, without the echoed prompt before it. */
function madeText({ text, index }: OwnJsonObject, request: CompletionRequest): string {
  const echo = echoOf(request, Number(index));
  if (echo === null) return '';
  const all = stringOf(text);
  return all.startsWith(echo) ? all.slice(echo.length) : all;
}
