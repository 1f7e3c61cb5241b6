import { newCallId, plainCallId } from '../../neutral-form/call-id.ts';

/**
 * Returns an id for a call of a reply, which Gemini often gives none; no two calls have the same.
 */
export function distinctCallId(given: string, taken: ReadonlySet<string>): string {
  const id = given === '' ? '' : plainCallId(given);
  return id !== '' && !taken.has(id) ? id : newCallId();
}
