import { isRefusal, type Refusal } from '../../../../platform/errors/refusal.ts';
import { invalidValue } from '../../../fields/field-faults.ts';
import type { ConversationRules } from '../../../target-profile.ts';
import type { NeutralMessage } from '../../request.ts';
import type { Fit } from '../fit-request.ts';
import { fitReasoningText } from '../fit-reasoning-text.ts';
import { withoutBlank } from './fit-parts.ts';
import { fitSystemMessages } from './fit-system-messages.ts';

/** Begins a conversation that the assistant begins, where a user must. */
const BEGINNING = 'Begin the conversation.';
/** Inserted between results and the user's text, where the assistant must have answered. */
const ACKNOWLEDGED = 'Understood.';

/**
 * Gives the conversation the order of messages that the target takes. `fitResults` has put results
 * behind their calls.
 */
export const fitConversation: Fit = (request, { conversation: rules }) => {
  const given = request.messages;
  const said = withoutBlank(fitReasoningText(given, rules.reasoningText));
  const ended = fitEnd(said, rules.lastAssistant);
  if (isRefusal(ended)) return ended;
  if (ended.length === 0) {
    return invalidValue('messages', 'All messages are empty. Send at least one with text.');
  }
  const ordered = fitOrder(fitSystemMessages(ended, rules), rules);
  return { request: ordered === given ? request : { ...request, messages: ordered } };
};

/** A last message of the assistant is one that the client wants to be continued. */
function fitEnd(
  messages: readonly NeutralMessage[],
  rule: ConversationRules['lastAssistant'],
): readonly NeutralMessage[] | Refusal {
  const last = messages.at(-1);
  if (rule === 'accepted' || last?.role !== 'assistant') return messages;
  // Thoughts alone are not continued: the model thinks again.
  if (last.parts.every(({ type }) => type === 'reasoning')) {
    return fitEnd(messages.slice(0, -1), rule);
  }
  const text = last.parts.findLast((part) => part.type === 'text');
  if (rule === 'refused') {
    return invalidValue(
      'messages',
      'The last message is the assistant’s, and this model does not continue it. End with a message of the user, such as one that asks to go on.',
    );
  }
  if (text === undefined || text !== last.parts.at(-1)) return messages;
  const trimmed = text.text.trimEnd();
  if (trimmed === text.text) return messages;
  const before = last.parts.slice(0, -1);
  const parts = trimmed === '' ? before : [...before, { ...text, text: trimmed }];
  return fitEnd([...messages.slice(0, -1), { role: 'assistant', parts }], rule);
}

function fitOrder(
  messages: readonly NeutralMessage[],
  rules: ConversationRules,
): readonly NeutralMessage[] {
  const ordered: NeutralMessage[] = [];
  let changed = false;
  let hasBegun = false;
  const insert = (role: 'user' | 'assistant', text: string): void => {
    ordered.push({ role, parts: [{ type: 'text', text }] });
    changed = true;
  };
  for (const message of messages) {
    const last = ordered.at(-1);
    const { role } = message;
    const answered = role === 'assistant' || role === 'tool';
    if (rules.startsWithUser && !hasBegun && answered) insert('user', BEGINNING);
    hasBegun ||= role !== 'system';
    if (rules.assistantBehindResults && last?.role === 'tool' && !answered) {
      insert('assistant', ACKNOWLEDGED);
    }
    const merged = rules.strictAlternation ? mergedWith(ordered.at(-1), message) : undefined;
    if (merged === undefined) ordered.push(message);
    else {
      ordered[ordered.length - 1] = merged;
      changed = true;
    }
  }
  return changed ? ordered : messages;
}

/** Two messages of one role as one; undefined of two roles. */
function mergedWith(
  last: NeutralMessage | undefined,
  message: NeutralMessage,
): NeutralMessage | undefined {
  if (last?.role === 'user' && message.role === 'user') {
    return { role: 'user', parts: [...last.parts, ...message.parts] };
  }
  if (last?.role === 'assistant' && message.role === 'assistant') {
    return { role: 'assistant', parts: [...last.parts, ...message.parts] };
  }
  return undefined;
}
