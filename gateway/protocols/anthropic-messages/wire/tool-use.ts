import { newCallId, plainCallId } from '../../neutral-form/call-id.ts';

/** Returns an id that Anthropic's clients and Anthropic take; one for a call that came without. */
export function toolUseId(id: string): string {
  return id === '' ? newCallId() : plainCallId(id);
}
