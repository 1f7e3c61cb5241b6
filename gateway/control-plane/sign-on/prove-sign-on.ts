import type { SignOnResult } from '@weir/shared/people/sign-on';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { Call } from '../api/call.ts';
import { checkSecondFactor } from '../second-factors/check-second-factor.ts';
import { findUser } from '../users/user-row.ts';
import { openSignedOn } from './finish-sign-on.ts';
import { endWaiting, findWaiting } from './flows.ts';
import { SignOnRefused } from './sign-on-refused.ts';

const USER_OF = 'select user_id as "userId" from identities where id = $1';

/** Ends a sign-on that waits for the second factor of its person. */
export async function proveSignOn(call: Call<'proveSignOn'>): Promise<SignOnResult | Refusal> {
  const { context, body } = call;
  const waiting = await findWaiting(call, body.state);
  if (waiting === undefined) return new SignOnRefused('expired').refusal;
  const { rows } = await context.pool.query<{ userId: string }>(USER_OF, [waiting.identityId]);
  const user = await findUser(context.pool, rows[0]?.userId ?? '');
  if (user === undefined) return new SignOnRefused('login_changed').refusal;
  const wrong = await checkSecondFactor(context, user.id, body.code);
  if (wrong !== undefined) return wrong;
  if (!(await endWaiting(context.pool, body.state))) return new SignOnRefused('expired').refusal;
  try {
    await openSignedOn(call, user, waiting);
  } catch (error) {
    if (!(error instanceof SignOnRefused)) throw error;
    return error.refusal;
  }
  return { outcome: 'logged_in', to: waiting.to, isNew: false };
}
