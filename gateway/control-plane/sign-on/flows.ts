import { seal, unseal } from '../../platform/secrets/secrets.ts';
import type { Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { digestOf } from '../api/callers/opaque-token.ts';
import type { Database } from '../api/transaction.ts';
import { FLOW_MINUTES, readBrowserSecret } from './sign-on-cookie.ts';
import { SignOnRefused } from './sign-on-refused.ts';

/** The terms that a sign-on was begun with. */
export interface FlowTerms {
  readonly verifier: string;
  readonly nonce: string;
  readonly to?: string | undefined;
  readonly invitationCode?: string | undefined;
  readonly memberInvitationToken?: string | undefined;
  readonly termsAccepted?: boolean | undefined;
  readonly language?: 'en' | 'zh-CN' | undefined;
}

export interface Flow extends FlowTerms {
  /** The person who links an identity; null for a log-in. */
  readonly userId: string | null;
}

/** A sign-on that waits for the second factor. */
export interface WaitingSignOn {
  readonly identityId: string;
  readonly providerSession: string | null;
  /** The account that the session begins in. */
  readonly accountId: string | null;
  readonly to: string | null;
}

interface FlowRow {
  readonly providerId: string;
  readonly userId: string | null;
  readonly browserDigest: Buffer;
  readonly sealed: string;
  readonly isFresh: boolean;
}

const INSERT = `
  insert into sign_on_flows (digest, browser_digest, provider_id, user_id, sealed, expires_at)
  values ($1, $2, $3, $4, $5, now() + make_interval(mins => ${String(FLOW_MINUTES)}))`;

/** Whatever becomes of it: a state is used once. */
const USE = `
  update sign_on_flows set used_at = now() where digest = $1 and used_at is null
  returning provider_id as "providerId", user_id as "userId", browser_digest as "browserDigest", sealed,
    expires_at > now() as "isFresh"`;

const IS_KNOWN = 'select 1 from sign_on_flows where digest = $1';

const WAIT = `
  update sign_on_flows set waits_for = $2, sealed = $3,
    expires_at = now() + make_interval(mins => ${String(FLOW_MINUTES)})
  where digest = $1`;

const WAITING = `
  select provider_id as "providerId", sealed from sign_on_flows
  where digest = $1 and browser_digest = $2 and waits_for is not null and expires_at > now()`;

const END = 'delete from sign_on_flows where digest = $1 and waits_for is not null';

export async function insertFlow(
  { pool, secrets }: AdminContext,
  flow: {
    readonly state: string;
    readonly browserSecret: string;
    readonly providerId: string;
    readonly userId: string | null;
    readonly terms: FlowTerms;
  },
): Promise<void> {
  await pool.query(INSERT, [
    digestOf(flow.state),
    digestOf(flow.browserSecret),
    flow.providerId,
    flow.userId,
    seal(secrets, JSON.stringify(flow.terms)),
  ]);
}

/**
 * Uses a state up and returns what the sign-on was begun with. Throws `SignOnRefused` for a state
 * that is unknown, used or expired, or comes back to another browser or from another provider.
 */
export async function takeFlow(
  { context, request }: Call,
  providerId: string,
  state: string,
): Promise<Flow> {
  const { pool, secrets, consoleUrl } = context;
  const digest = digestOf(state);
  const [flow] = (await pool.query<FlowRow>(USE, [digest])).rows;
  if (flow === undefined) {
    const { rowCount } = await pool.query(IS_KNOWN, [digest]);
    throw new SignOnRefused(rowCount === 0 ? 'unknown_state' : 'replayed_state');
  }
  const secret = readBrowserSecret(request, consoleUrl);
  if (secret === undefined || !flow.browserDigest.equals(digestOf(secret))) {
    throw new SignOnRefused('other_browser');
  }
  if (flow.providerId !== providerId) throw new SignOnRefused('mixed_up');
  if (!flow.isFresh) throw new SignOnRefused('expired');
  const terms = JSON.parse(unseal(secrets, flow.sealed)) as FlowTerms;
  return { ...terms, userId: flow.userId };
}

/** Keeps a sign-on of a person who has a second factor, until they prove it. */
export async function keepWaiting(
  { pool, secrets }: AdminContext,
  state: string,
  waiting: WaitingSignOn,
): Promise<void> {
  const sealed = seal(secrets, JSON.stringify(waiting));
  await pool.query(WAIT, [digestOf(state), waiting.identityId, sealed]);
}

/** Finds the sign-on that waits for the second factor in this browser. */
export async function findWaiting(
  { context, request }: Call,
  state: string,
): Promise<(WaitingSignOn & { readonly providerId: string }) | undefined> {
  const secret = readBrowserSecret(request, context.consoleUrl);
  if (secret === undefined) return undefined;
  const { rows } = await context.pool.query<Pick<FlowRow, 'providerId' | 'sealed'>>(WAITING, [
    digestOf(state),
    digestOf(secret),
  ]);
  const [row] = rows;
  if (row === undefined) return undefined;
  const waiting = JSON.parse(unseal(context.secrets, row.sealed)) as WaitingSignOn;
  return { ...waiting, providerId: row.providerId };
}

/** False when another request has ended it before. */
export async function endWaiting(db: Database, state: string): Promise<boolean> {
  return (await db.query(END, [digestOf(state)])).rowCount === 1;
}
