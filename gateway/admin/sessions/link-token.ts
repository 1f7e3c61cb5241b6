import { refuse, type Refusal } from '../../errors/refusal.ts';
import { digestOf, newToken } from '../api/carried-secret.ts';
import type { Database } from '../api/transaction.ts';

export type LinkPurpose = 'verify_email' | 'reset_password';

const HOURS: Readonly<Record<LinkPurpose, number>> = { verify_email: 24, reset_password: 1 };
/** A link to choose the password of an address that is confirmed by it lives as long as a confirmation. */
export const CHOOSE_HOURS = HOURS.verify_email;
/** A welcome link travels by whatever way the operator hands it on. */
export const WELCOME_HOURS = 7 * 24;

const PATHS: Readonly<Record<LinkPurpose, string>> = {
  verify_email: '/verify-email',
  reset_password: '/reset-password',
};

const REPLACE = `
  insert into link_tokens (user_id, purpose, digest, expires_at)
  values ($1, $2, $3, now() + make_interval(hours => $4))
  on conflict (user_id, purpose) do update
    set digest = excluded.digest, expires_at = excluded.expires_at, created_at = now()`;

const TAKE = `
  delete from link_tokens where digest = $1 and purpose = $2 and expires_at > now()
  returning user_id as "userId"`;

/**
 * Makes a link and ends the one made before. The secret stands after the "#": browsers send that part to no
 * server, so it is in no access log and no Referer.
 */
export async function makeLink(
  db: Database,
  options: {
    readonly userId: string;
    readonly purpose: LinkPurpose;
    readonly consoleUrl: string;
    readonly hours?: number;
  },
): Promise<string> {
  const { userId, purpose, consoleUrl } = options;
  const token = newToken();
  await db.query(REPLACE, [userId, purpose, digestOf(token), options.hours ?? HOURS[purpose]]);
  return `${consoleUrl}${PATHS[purpose]}#token=${token}`;
}

/** Uses a link up and answers whose it was. */
export async function takeLink(
  db: Database,
  purpose: LinkPurpose,
  token: string,
): Promise<{ readonly userId: string } | Refusal> {
  const { rows } = await db.query<{ userId: string }>(TAKE, [digestOf(token), purpose]);
  return (
    rows[0] ??
    refuse('link_invalid', 'This link was used before or has expired. Ask for a new one.', {
      param: 'token',
    })
  );
}
