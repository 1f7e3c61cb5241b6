import { randomUUID } from 'node:crypto';
import {
  SIGN_ON_PROVIDERS_MAX,
  type SignOnProviderCreate,
  type SignOnProviderUpdate,
} from '@weir/shared/people/sign-on';
import { SIGN_ON_PRESET_FACTS } from '@weir/shared/people/sign-on-presets';
import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { seal } from '../../../platform/secrets/secrets.ts';
import type { Answer, Call } from '../../api/call.ts';
import { given, setClause } from '../../api/lists/column-list.ts';
import type { AdminContext } from '../../api/context.ts';
import { inTransaction, isDuplicate, onlyRow, type Database } from '../../api/transaction.ts';
import { audit } from '../../audit/audit-log.ts';
import { checkIssuer } from './issuer.ts';
import { findProvider, providerView, type ProviderRow } from './provider-row.ts';
import { refuseOwnLockOut, writeDomains, writeRules } from './provider-lists.ts';

export const NO_PROVIDER = refuse('not_found', 'There is no such identity provider.');

const COUNT = 'select count(*)::integer as count from sign_on_providers';
const LOCK = 'select 1 from sign_on_providers where id = $1 for update';
const DELETE = 'delete from sign_on_providers where id = $1';
const INSERT = `
  insert into sign_on_providers (id, slug, name, preset, issuer, client_id, sealed, scopes, sign_up,
    trusts_second_factor, shown_on_log_in, allow_private, status)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

async function refuseTaken<Result>(write: Promise<Result>): Promise<Result | Refusal> {
  try {
    return await write;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return refuse(
      'already_exists',
      'Another provider has this name in its callback address, or one of these domains.',
    );
  }
}

const sealed = ({ secrets }: AdminContext, secret: string | null): string | null =>
  secret === null ? null : seal(secrets, secret);

/** A sign-on that asks for no `openid` gets no ID token. */
function scopesOf(preset: ProviderRow['preset'], scopes: string): string {
  const written = scopes.trim().split(/\s+/).filter(Boolean);
  if (written.length === 0) return SIGN_ON_PRESET_FACTS[preset].scopes;
  const isWhole = preset === 'github' || written.includes('openid');
  return (isWhole ? written : ['openid', ...written]).join(' ');
}

async function insert(
  db: Database,
  context: AdminContext,
  { body, issuer }: { readonly body: SignOnProviderCreate; readonly issuer: string },
): Promise<string> {
  const id = randomUUID();
  await db.query(INSERT, [
    id,
    body.slug,
    body.name.trim(),
    body.preset,
    issuer,
    body.clientId,
    sealed(context, body.clientSecret ?? null),
    scopesOf(body.preset, body.scopes ?? ''),
    body.signUp ?? 'mapped',
    body.trustsSecondFactor ?? false,
    body.shownOnLogIn ?? true,
    body.allowPrivate ?? false,
    body.status ?? 'active',
  ]);
  return id;
}

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
async function endPasswordSessions(
  db: Database,
  providerId: string,
  sessionId: string | null,
): Promise<void> {
  await db.query(END, [providerId, sessionId]);
}

async function writeLists(
  db: Database,
  call: Call<'createSignOnProvider' | 'updateSignOnProvider'>,
  providerId: string,
): Promise<Refusal | undefined> {
  const { domains, rules } = call.body;
  const refused =
    (domains && (await writeDomains(db, providerId, domains))) ??
    (rules && (await writeRules(db, providerId, rules))) ??
    (await refuseOwnLockOut(db, call.caller, providerId));
  if (refused === undefined) await endPasswordSessions(db, providerId, call.caller.sessionId);
  return refused;
}

export async function createProvider(
  call: Call<'createSignOnProvider'>,
): Answer<'createSignOnProvider'> {
  const { context, body } = call;
  const issuer = await checkIssuer(context, { ...body, allowPrivate: body.allowPrivate ?? false });
  if (typeof issuer !== 'string') return issuer;
  return refuseTaken(
    inTransaction(context.pool, async (client) => {
      const { rows } = await client.query<{ count: number }>(COUNT);
      if (onlyRow(rows).count >= SIGN_ON_PROVIDERS_MAX) {
        const most = String(SIGN_ON_PROVIDERS_MAX);
        return refuse('limit_reached', `There may be ${most} identity providers.`);
      }
      const id = await insert(client, context, { body, issuer });
      const refused = await writeLists(client, call, id);
      if (refused !== undefined) return refused;
      const made = await findProvider(client, id);
      if (made === undefined) throw new Error('a provider that was made is gone');
      const view = providerView(context, made);
      const change = { kind: 'sign_on_provider', id, before: null, after: view };
      return { view, audit: await audit(client, call, change) };
    }),
  );
}

function columnsOf(context: AdminContext, known: ProviderRow, body: SignOnProviderUpdate) {
  const { scopes, clientSecret } = body;
  return given([
    ['name', body.name?.trim()],
    ['client_id', body.clientId],
    ['sealed', clientSecret === undefined ? undefined : sealed(context, clientSecret)],
    ['scopes', scopes === undefined ? undefined : scopesOf(known.preset, scopes)],
    ['sign_up', body.signUp],
    ['trusts_second_factor', body.trustsSecondFactor],
    ['shown_on_log_in', body.shownOnLogIn],
    ['allow_private', body.allowPrivate],
    ['status', body.status],
  ]);
}

/** A secret that is stored is sent to no other address than the one that it was entered for. */
function refuseMovedSecret(
  known: ProviderRow,
  issuer: string,
  { clientSecret }: SignOnProviderUpdate,
): Refusal | undefined {
  const moves = new URL(known.issuer).origin !== new URL(issuer).origin;
  if (!moves || known.sealed === null || clientSecret !== undefined) return undefined;
  return refuse(
    'credentials_bound',
    'The issuer is at another address now, and the client secret was entered for the former one. Enter the secret again.',
    { param: 'clientSecret' },
  );
}

export async function updateProvider(
  call: Call<'updateSignOnProvider'>,
): Answer<'updateSignOnProvider'> {
  const { context, body, params } = call;
  const known = await findProvider(context.pool, params.signOnProviderId);
  if (known === undefined) return NO_PROVIDER;
  const { preset } = known;
  const issuer = await checkIssuer(context, {
    preset,
    issuer: body.issuer ?? known.issuer,
    allowPrivate: body.allowPrivate ?? known.allowPrivate,
  });
  if (typeof issuer !== 'string') return issuer;
  return refuseTaken(
    inTransaction(context.pool, async (client) => {
      await client.query(LOCK, [known.id]);
      const provider = await findProvider(client, known.id);
      if (provider === undefined) return NO_PROVIDER;
      const before = providerView(context, provider);
      const refused = call.refuseStale(before) ?? refuseMovedSecret(provider, issuer, body);
      if (refused !== undefined) return refused;
      const columns = columnsOf(context, provider, body);
      const { sql, values } = setClause([...columns, ['issuer', issuer]], 2);
      await client.query(`update sign_on_providers set ${sql} where id = $1`, [
        known.id,
        ...values,
      ]);
      const unfit = await writeLists(client, call, known.id);
      if (unfit !== undefined) return unfit;
      const changed = await findProvider(client, known.id);
      if (changed === undefined) return NO_PROVIDER;
      const view = providerView(context, changed);
      const change = { kind: 'sign_on_provider', id: known.id, before, after: view };
      return { view, audit: await audit(client, call, change) };
    }),
  );
}

export function deleteProvider(call: Call<'deleteSignOnProvider'>): Answer<'deleteSignOnProvider'> {
  const { context, params } = call;
  return inTransaction(context.pool, async (client) => {
    await client.query(LOCK, [params.signOnProviderId]);
    const provider = await findProvider(client, params.signOnProviderId);
    if (provider === undefined) return NO_PROVIDER;
    await client.query(DELETE, [provider.id]);
    const before = providerView(context, provider);
    const change = { kind: 'sign_on_provider', id: provider.id, before, after: null };
    return { view: undefined, audit: await audit(client, call, change) };
  });
}
