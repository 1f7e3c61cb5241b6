import type { ExchangeMessage } from '../request.ts';

/**
 * Returns the messages with an instruction behind the system messages that they begin with: at
 * their end, so that the prompt before it stays in the vendor's cache.
 */
export function withInstruction(
  messages: readonly ExchangeMessage[],
  text: string,
): readonly ExchangeMessage[] {
  const part = { type: 'text', text } as const;
  const first = messages.findIndex(({ role }) => role !== 'system');
  const at = first === -1 ? messages.length : first;
  const last = messages[at - 1];
  if (last?.role !== 'system') return [{ role: 'system', parts: [part] }, ...messages];
  return messages.with(at - 1, { role: 'system', parts: [...last.parts, part] });
}
