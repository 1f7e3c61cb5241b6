import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { digestOf, newToken } from '../api/callers/opaque-token.ts';
import type { Database } from '../api/transaction.ts';

export type LinkPurpose = 'verify_email' | 'reset_password';

const HOURS: Readonly<Record<LinkPurpose, number>> = { verify_email: 24, reset_password: 1 };
/**
 * A link to choose the password of an address that is confirmed by it lives as long as a
 * confirmation.
 */
export const CHOOSE_HOURS = HOURS.verify_email;
/**
 * So long a link to choose a password stays at least: someone who asks for another again and again
 * must not end the one that the owner is about to follow, nor fill the owner's mailbox.
 */
const KEPT_MINUTES = 5;
/** A welcome link travels by whatever way the operator hands it on. */
export const WELCOME_HOURS = 7 * 24;
/** The former password has ended with it, so the user must find the mail in time. */
export const RESET_BY_ADMIN_HOURS = 24;

const PATHS: Readonly<Record<LinkPurpose, string>> = {
  verify_email: '/verify-email',
  reset_password: '/reset-password',
};

const REPLACE = `
  insert into link_tokens (user_id, purpose, digest, expires_at)
  values ($1, $2, $3, now() + make_interval(hours => $4))
  on conflict (user_id, purpose) do update
    set digest = excluded.digest, expires_at = excluded.expires_at, created_at = now()`;

const REPLACE_OLD = `${REPLACE}
    where link_tokens.created_at < now() - make_interval(mins => $5)`;

const TAKE = `
  delete from link_tokens where digest = $1 and purpose = $2 and expires_at > now()
  returning user_id as "userId"`;

interface LinkOptions {
  readonly userId: string;
  readonly purpose: LinkPurpose;
  readonly consoleUrl: string;
  readonly hours?: number;
}

/**
 * The secret stands after the "#": browsers send that part to no server, so it is in no access log
 * and no Referer.
 */
function linkOf({ consoleUrl, purpose }: LinkOptions, token: string): string {
  return `${consoleUrl}${PATHS[purpose]}#token=${token}`;
}

function rowOf({ userId, purpose, hours }: LinkOptions, token: string): unknown[] {
  return [userId, purpose, digestOf(token), hours ?? HOURS[purpose]];
}

/** Makes a link and ends the one made before. */
export async function makeLink(db: Database, options: LinkOptions): Promise<string> {
  const token = newToken();
  await db.query(REPLACE, rowOf(options, token));
  return linkOf(options, token);
}

/**
 * Makes a link, unless one was made a moment ago, which then stays; undefined, so that no mail is
 * sent.
 */
export async function makeLinkUnlessYoung(
  db: Database,
  options: LinkOptions,
): Promise<string | undefined> {
  const token = newToken();
  const made = await db.query(REPLACE_OLD, [...rowOf(options, token), KEPT_MINUTES]);
  return made.rowCount === 0 ? undefined : linkOf(options, token);
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
