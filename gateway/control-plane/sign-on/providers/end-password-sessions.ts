import type { Database } from '../../api/transaction.ts';

/** Addresses are ASCII, and domains are stored in lower case. */
const END = `
  delete from sessions s using users u
  where u.id = s.user_id and s.identity_id is null and not u.sign_on_exempt
    and s.id is distinct from $2
    and substring(u.email from '@([^@]*)$') in (
      select d.domain from sign_on_domains d join sign_on_providers p on p.id = d.provider_id
      where p.id = $1 and p.status = 'active' and d.only_sign_on)`;

/**
 * Ends sessions that people of a domain for sign-on only have begun with a password: otherwise a
 * person whom the provider has removed would stay for as long as a session lasts. That of the
 * operator who changes the provider goes on.
 */
export async function endPasswordSessions(
  db: Database,
  providerId: string,
  sessionId: string | null,
): Promise<void> {
  await db.query(END, [providerId, sessionId]);
}
