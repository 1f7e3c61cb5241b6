import { refuse } from '../../platform/errors/refusal.ts';
import { countAttempt, forgetAttempts } from '../api/callers/attempts.ts';
import type { Answer, Call } from '../api/call.ts';
import { inTransaction } from '../api/transaction.ts';
import { auditOwn } from '../audit/audit-log.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { findUser } from './user-row.ts';

const CHANGE = 'update users set password_hash = $2, updated_at = now() where id = $1';

/**
 * Anyone with the old password is out: every session but this one ends, and so do links under way.
 * Access tokens go on working: a user who knows the old password is in control, and sees and
 * revokes them separately. A reset revokes them.
 */
const END_OTHER_SESSIONS = 'delete from sessions where user_id = $1 and id <> $2';
const END_LINKS = `delete from link_tokens where user_id = $1 and purpose = 'reset_password'`;

export async function changePassword(call: Call<'changePassword'>): Answer<'changePassword'> {
  const { context, caller, body } = call;
  const tooMany = await countAttempt(context, 'login', caller.userId);
  if (tooMany !== undefined) return tooMany;
  const user = await findUser(context.pool, caller.userId);
  const same = await verifyPassword(user?.passwordHash, body.currentPassword);
  if (typeof same !== 'boolean') return same;
  if (!same) {
    return refuse('invalid_credentials', 'The current password is wrong.', {
      param: 'currentPassword',
    });
  }
  const passwordHash = await hashPassword(body.newPassword);
  if (typeof passwordHash !== 'string') return passwordHash;
  const changed = await inTransaction(context.pool, async (client) => {
    await client.query(CHANGE, [caller.userId, passwordHash]);
    await client.query(END_OTHER_SESSIONS, [caller.userId, caller.sessionId]);
    await client.query(END_LINKS, [caller.userId]);
    return {
      view: undefined,
      audit: await auditOwn(client, call, {
        kind: 'user',
        id: caller.userId,
        before: null,
        after: null,
      }),
    };
  });
  await forgetAttempts(context, 'login', caller.userId);
  return changed;
}
