import { createHash, randomUUID } from 'node:crypto';

/**
 * Ids that every vendor takes. Some clients cut longer ones, and their results would find no call.
 */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,40}$/;
const HASH_CHARACTERS = 24;

/** Returns an id that every vendor takes: the same one, or the same for the same. */
export function plainId(id: string): string {
  if (PLAIN_ID.test(id)) return id;
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, HASH_CHARACTERS)}`;
}

/**
 * Returns an id for a call of a reply, which Gemini often gives none; no two calls have the same.
 */
export function newCallId(given: string, taken: ReadonlySet<string>): string {
  const id = given === '' ? '' : plainId(given);
  if (id !== '' && !taken.has(id)) return id;
  return `call_${randomUUID().replaceAll('-', '').slice(0, HASH_CHARACTERS)}`;
}
