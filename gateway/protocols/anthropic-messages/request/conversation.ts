import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';

/** Longer ones are none: the name is kept in memory. */
const CONVERSATION_CHARACTERS_MAX = 200;

/** How Claude Code has named its session before it sent JSON: `user_…_account_…_session_…`. */
const SESSION_SUFFIX = /_session_([\w-]+)$/;

/**
 * Names the conversation, which stays at the credential that has served it: thinking blocks are bound
 * to the account. Returns null when nothing names it.
 * @param header of `x-claude-code-session-id`
 */
export function conversationOf(header: string, metadata: unknown): string | null {
  const session = header === '' ? sessionOf(metadata) : header;
  return session === undefined || session.length > CONVERSATION_CHARACTERS_MAX ? null : session;
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
