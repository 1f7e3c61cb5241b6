import type { KeyView } from '@weir/shared/people/keys';
import type { PlainKey } from '../core/i18n/i18n';
import type { Tone } from '../design/text/chip';

type StateOfKey = Pick<KeyView, 'status' | 'expiresAt' | 'groupState' | 'memberGone'>;

/**
 * How a key stands, in a word: an expired key is still "active" to the API, but not to its owner.
 */
export function keyState(
  { status, expiresAt, groupState, memberGone }: StateOfKey,
  nowMs: number = Date.now(),
): { readonly key: PlainKey; readonly tone: Tone } {
  if (status === 'deleted') return { key: 'keys.stateDeleted', tone: 'plain' };
  if (memberGone) return { key: 'keys.memberGone', tone: 'plain' };
  if (status === 'disabled') return { key: 'state.disabled', tone: 'plain' };
  if (groupState === 'closed') return { key: 'keys.groupClosed', tone: 'bad' };
  if (groupState === 'disabled') return { key: 'keys.groupDisabled', tone: 'warn' };
  const expired = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  return expired ? { key: 'keys.expired', tone: 'warn' } : { key: 'state.active', tone: 'good' };
}

/** Whether requests with the key are let through, as far as the key itself says. */
export function works(key: StateOfKey): boolean {
  return keyState(key).key === 'state.active';
}

/**
 * True for the person who may keep the content of a key: the member whose key it is, or the creator
 * of a key of the account.
 */
export function mayKeepContentOf(
  { memberId, createdBy }: Pick<KeyView, 'memberId' | 'createdBy'>,
  own: { readonly memberId: string | undefined; readonly email: string | undefined },
): boolean {
  if (memberId !== null) return memberId === own.memberId;
  return createdBy !== null && createdBy === own.email;
}

/** True for keys whose values a member may have: their own and the account’s, no tool’s. */
export function givesValues(
  { memberId, login }: Pick<KeyView, 'memberId' | 'login'>,
  ownMemberId: string | undefined,
): boolean {
  if (login !== null) return false;
  return memberId === null || ownMemberId === undefined || memberId === ownMemberId;
}
