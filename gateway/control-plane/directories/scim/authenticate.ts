import { networkOf } from '../../../platform/network/address.ts';
import { countAttempt } from '../../api/callers/attempts.ts';
import { digestOf } from '../../api/callers/opaque-token.ts';
import type { AdminContext } from '../../api/context.ts';
import { findProvider, type ProviderRow } from '../../sign-on/providers/provider-row.ts';
import { ScimError } from './scim-error.ts';

/** Uses are noted at most this often: an initial sync sends thousands of requests. */
const SEEN_EVERY_SECONDS = 30;

const FIND = `
  select id, provider_id as "providerId",
    coalesce(last_used_at < now() - make_interval(secs => ${String(SEEN_EVERY_SECONDS)}), true) as stale
  from directory_tokens where digest = $1`;
const SEE = [
  'update directory_tokens set last_used_at = now() where id = $1',
  `update directories set last_call_at = now()
   where provider_id = (select provider_id from directory_tokens where id = $1)`,
];

interface TokenRow {
  readonly id: string;
  readonly providerId: string;
  readonly stale: boolean;
}

/**
 * Finds the provider whose token a request has. Wrong tokens count for their network and are
 * refused for a while; a right one never is, because a provider's customers share its addresses.
 */
export async function authenticate(
  context: AdminContext,
  authorization: string | undefined,
  address: string,
): Promise<ProviderRow> {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) {
    throw new ScimError(
      401,
      'Send the token of the directory as "Authorization: Bearer weir_scim_…".',
    );
  }
  const [row] = (await context.pool.query<TokenRow>(FIND, [digestOf(token)])).rows;
  const provider = row && (await findProvider(context.pool, row.providerId));
  if (row === undefined || provider === undefined) {
    const refused = await countAttempt(context, 'directory', networkOf(address));
    if (refused !== undefined) {
      const { message, retryAfterMs } = refused;
      throw new ScimError(429, message, { retryAfterMs: retryAfterMs ?? 0 });
    }
    throw new ScimError(
      401,
      'This token is unknown or revoked. The operator makes another one under Sign-on.',
    );
  }
  if (row.stale) for (const statement of SEE) await context.pool.query(statement, [row.id]);
  return provider;
}
