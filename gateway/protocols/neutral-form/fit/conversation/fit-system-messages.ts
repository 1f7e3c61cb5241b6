import type { ConversationRules } from '../../../target-profile.ts';
import type { NeutralMessage, TextPart } from '../../request.ts';

/**
 * Returns the messages with system messages where the target takes them. Later ones become the
 * user's text under a mark that agents use for the same purpose: without their place they would
 * mean something else. A conversation of nothing but instructions is asked of the model by the
 * user, where one must begin it.
 */
export function fitSystemMessages(
  messages: readonly NeutralMessage[],
  { systemMessages: rule, startsWithUser }: ConversationRules,
): readonly NeutralMessage[] {
  const first = messages.findIndex(({ role }) => role !== 'system');
  if (first === -1 && startsWithUser) return [{ role: 'user', parts: textsOf(messages) }];
  if (rule === 'anywhere') return messages;
  const leading = first === -1 ? messages : messages.slice(0, first);
  const others = messages.slice(leading.length);
  const led = rule === 'one_leading' ? joined(leading) : leading;
  const late = others.some(({ role }) => role === 'system');
  if (led === leading && !late) return messages;
  return [...led, ...(late ? others.map(asReminder) : others)];
}

function joined(leading: readonly NeutralMessage[]): readonly NeutralMessage[] {
  return leading.length > 1 ? [{ role: 'system', parts: textsOf(leading) }] : leading;
}

function textsOf(messages: readonly NeutralMessage[]): readonly TextPart[] {
  return messages.flatMap((message) => (message.role === 'system' ? message.parts : []));
}

function asReminder(message: NeutralMessage): NeutralMessage {
  if (message.role !== 'system') return message;
  const parts = message.parts.map((part) => ({
    ...part,
    text: `<system-reminder>\n${part.text}\n</system-reminder>`,
  }));
  return { role: 'user', parts };
}
