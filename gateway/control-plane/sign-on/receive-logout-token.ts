import { errors, jwtVerify, type JWTPayload } from 'jose';
import { isRecord } from '@weir/shared/prices/price-lists/json-record';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { digestOf } from '../api/callers/opaque-token.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit, type Actor } from '../audit/audit-log.ts';
import { NOTHING_CHANGED } from '../audit/audit-receipt.ts';
import { findActiveProvider, type ProviderRow } from './providers/provider-row.ts';

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Older providers send no type of its own; an ID token has a nonce and no event. */
const TYPES = new Set(['logout+jwt', 'jwt']);
/** A token is younger than this, and remembered for longer, so that it is used once. */
const AGE_MINUTES_MAX = 5;
const TOLERANCE_SECONDS = 60;
const REMEMBERED_MINUTES = 15;
const TEXT_CHARACTERS_MAX = 500;

const USE = `
  insert into used_logout_tokens (digest, expires_at)
  values ($1, now() + make_interval(mins => ${String(REMEMBERED_MINUTES)}))
  on conflict do nothing`;

/**
 * All sessions of the subject, or the one that the provider names. A session whose ID token had no
 * name ends with its subject: some providers name sessions in logout tokens alone.
 */
const END = `
  delete from sessions s using identities i
  where i.id = s.identity_id and i.issuer = $1 and ($2::text is null or i.subject = $2)
    and ($3::text is null or s.provider_session = $3 or ($2 is not null and s.provider_session is null))
  returning s.user_id as "userId"`;

interface LogoutToken {
  readonly issuer: string;
  readonly subject: string | null;
  readonly session: string | null;
  readonly jti: string;
}

const param = 'logout_token';
const INVALID = refuse(
  'invalid_value',
  'The logout token is not genuine, is not for this gateway, or is too old.',
  { param },
);
const USED = refuse('invalid_value', 'The logout token was used before.', { param });

function readPayload(payload: JWTPayload, type: string): LogoutToken | undefined {
  const { iss, sub, jti, events } = payload;
  const { sid } = payload;
  const session = typeof sid === 'string' ? sid : null;
  const isLogout = isRecord(events) && isRecord(events[EVENT]);
  const isComplete = iss !== undefined && jti !== undefined && (sub ?? session) !== null;
  if (!TYPES.has(type.toLowerCase()) || !isLogout || !isComplete) return undefined;
  // A nonce is in ID tokens alone: one must not end sessions.
  if (payload['nonce'] !== undefined || (sub === undefined && session === null)) return undefined;
  return { issuer: iss, subject: sub ?? null, session, jti };
}

/** Verifies a logout token by the provider's keys. Undefined for one that is not genuine. */
async function verify(
  { context, body }: Call<'receiveLogoutToken'>,
  provider: ProviderRow,
): Promise<LogoutToken | undefined> {
  const { configuration, keys } = await context.signOnClients.of(provider);
  if (keys === undefined) return undefined;
  try {
    const { payload, protectedHeader } = await jwtVerify(body.logout_token, keys, {
      issuer: configuration.serverMetadata().issuer,
      audience: provider.clientId,
      maxTokenAge: `${String(AGE_MINUTES_MAX)} minutes`,
      clockTolerance: TOLERANCE_SECONDS,
    });
    return readPayload(payload, protectedHeader.typ ?? 'jwt');
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    context.logger.warn(
      { reason: error.code, provider: provider.slug },
      'a logout token is invalid',
    );
    return undefined;
  }
}

function actorOf({ name }: ProviderRow): Actor {
  const none = { userId: null, accountId: null, email: null, sessionId: null, accessToken: null };
  return { ...none, role: 'user', provider: name };
}

async function end(
  db: Database,
  call: Call<'receiveLogoutToken'>,
  { provider, token }: { readonly provider: ProviderRow; readonly token: LogoutToken },
) {
  const { issuer, subject, session } = token;
  const { rows } = await db.query<{ userId: string }>(END, [issuer, subject, session]);
  const [first] = rows;
  if (first === undefined) return { view: undefined, audit: NOTHING_CHANGED };
  const after = {
    issuer,
    subject: subject?.slice(0, TEXT_CHARACTERS_MAX),
    endedSessions: rows.length,
  };
  const change = { kind: 'user', id: first.userId, before: null, after };
  const receipt = await audit(db, { ...call, caller: actorOf(provider) }, change);
  return { view: undefined, audit: receipt };
}

async function noteReplay(
  call: Call<'receiveLogoutToken'>,
  provider: ProviderRow,
): Promise<Refusal> {
  const after = { refused: 'replayed_logout_token' };
  const change = { kind: 'sign_on_provider', id: provider.id, before: null, after };
  await audit(call.context.pool, { ...call, caller: actorOf(provider) }, change);
  return USED;
}

/** Ends the sessions that a provider says are over. Sessions are read on every request. */
export async function receiveLogoutToken(
  call: Call<'receiveLogoutToken'>,
): Answer<'receiveLogoutToken'> {
  const { context, params, reply } = call;
  void reply.header('cache-control', 'no-store');
  const provider = await findActiveProvider(context.pool, params.signOnSlug);
  if (provider === undefined) return INVALID;
  const token = await verify(call, provider);
  if (token === undefined) return INVALID;
  const digest = digestOf(JSON.stringify([token.issuer, token.jti]));
  const used = await inTransaction(context.pool, async (db) => {
    if ((await db.query(USE, [digest])).rowCount === 0) return USED;
    return end(db, call, { provider, token });
  });
  return used === USED ? noteReplay(call, provider) : used;
}
