import { createHash, randomUUID } from 'node:crypto';

/** Some clients cut longer ids, and their results would find no call. */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,40}$/;
const DIGEST_LETTERS = 24;

/** Returns an id that every client and vendor takes: the same one, or the same for the same. */
export function plainCallId(id: string): string {
  if (PLAIN_ID.test(id)) return id;
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, DIGEST_LETTERS)}`;
}

/** Returns an id that no other call has. */
export function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, DIGEST_LETTERS)}`;
}
