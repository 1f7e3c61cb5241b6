import type { NeutralMessage } from '../../request.ts';

/** Returns the messages without those that have only white space; the same list without any. */
export function withoutBlank(messages: readonly NeutralMessage[]): readonly NeutralMessage[] {
  return messages.some(isBlank) ? messages.filter((message) => !isBlank(message)) : messages;
}

function isBlank({ parts }: NeutralMessage): boolean {
  return parts.every((part) => part.type === 'text' && part.text.trim() === '');
}
