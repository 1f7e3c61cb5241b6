import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';

/** Longer ones are none: the name is kept in memory. */
const CONVERSATION_CHARACTERS_MAX = 200;

/**
 * The form in which Claude Code named its session before it sent JSON:
 * `user_…_account_…_session_…`.
 */
const SESSION_SUFFIX = /_session_([\w-]+)$/;

/**
 * Names the conversation, which stays at the credential that has served it: thinking blocks are
 * bound to the account. Where nothing names it, its first message does. Returns null when that has
 * no text.
 * @param header of `x-claude-code-session-id`
 */
export function conversationOf(header: string, { metadata, messages }: JsonObject): string | null {
  const session = (header === '' ? sessionOf(metadata) : header) ?? beginningOf(messages);
  return session === undefined || session.length > CONVERSATION_CHARACTERS_MAX ? null : session;
}

/**
 * Letters of a first message that are looked at, from either end: programs often begin all alike.
 */
const BEGINNING_CHARACTERS = 80;

function beginningOf(messages: unknown): string | undefined {
  const [first] = Array.isArray(messages) ? (messages as unknown[]) : [];
  const content = isJsonObject(first) ? first['content'] : undefined;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ text: content }];
  // What a tool puts before the user's own words is the same in every conversation.
  const text = blocks.map((block) => isJsonObject(block) && block['text']).findLast(isText);
  if (text === undefined) return undefined;
  const [start, end] = [text.slice(0, BEGINNING_CHARACTERS), text.slice(-BEGINNING_CHARACTERS)];
  return `${text.length} ${start} ${end}`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function sessionOf(metadata: unknown): string | undefined {
  const userId = isJsonObject(metadata) ? metadata['user_id'] : undefined;
  if (typeof userId !== 'string') return undefined;
  const session = userId.startsWith('{') ? parsed(userId)['session_id'] : undefined;
  if (typeof session === 'string' && session !== '') return session;
  return SESSION_SUFFIX.exec(userId)?.[1];
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
