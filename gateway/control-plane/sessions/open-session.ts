import { redactSecrets } from '@weir/shared/redact-secrets';
import type { SessionView } from '@weir/shared/people/sessions';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { AdminContext } from '../api/context.ts';
import { digestOf, newToken } from '../api/callers/opaque-token.ts';
import type { UserRow } from '../users/user-row.ts';
import { SESSION_IDLE_DAYS } from './identify.ts';

const USER_AGENT_CHARACTERS_MAX = 300;

/**
 * Only while the password that was verified is still the user's: verifying takes a while, and a
 * password reset in the meantime ends all sessions, also one that is just being opened with the
 * old one. The same for a sign-on, whose identity may have been unlinked as well, or whose person
 * the provider's directory may have removed.
 */
const INSERT = `
  insert into sessions (id, user_id, digest, address, user_agent, expires_at, identity_id, provider_session, account_id)
  select $1, u.id, $3, $4, $5, now() + make_interval(days => $6), $8, $9, $10
  from users u where u.id = $2 and u.password_hash = $7 and u.disabled_at is null
    and ($8::uuid is null or exists (select from identities i where i.id = $8 and i.user_id = u.id
      and not exists (select from directory_users d
        where d.user_id = u.id and d.provider_id = i.provider_id and not d.active)))
  for share of u
  returning created_at as "createdAt", expires_at as "expiresAt"`;

interface OpenedSession {
  readonly token: string;
  readonly view: SessionView;
  readonly expiresAt: Date;
}

interface Opening {
  readonly user: Pick<UserRow, 'id' | 'passwordHash'>;
  readonly address: string;
  readonly userAgent: string;
  /** Present for a session that begins by a provider. */
  readonly signOn?: {
    readonly identityId: string;
    readonly providerSession: string | null;
    /** The account that it begins in; null is the person's own. */
    readonly accountId: string | null;
  };
}

/** Undefined when the user's password is another by now, or the user is disabled. */
export async function openSession(
  context: AdminContext,
  { user, address, userAgent: sentAgent, signOn }: Opening,
): Promise<OpenedSession | undefined> {
  const id = newRequestId(Date.now());
  const token = newToken();
  const userAgent = redactSecrets(sentAgent).slice(0, USER_AGENT_CHARACTERS_MAX);
  const { rows } = await context.pool.query<{ createdAt: Date; expiresAt: Date }>(INSERT, [
    id,
    user.id,
    digestOf(token),
    address,
    userAgent,
    SESSION_IDLE_DAYS,
    user.passwordHash,
    signOn?.identityId ?? null,
    signOn?.providerSession ?? null,
    signOn?.accountId ?? null,
  ]);
  const [opened] = rows;
  if (opened === undefined) return undefined;
  const { createdAt, expiresAt } = opened;
  const view = {
    id,
    current: true,
    address,
    userAgent,
    createdAt: createdAt.toISOString(),
    lastSeenAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
  return { token, view, expiresAt };
}
