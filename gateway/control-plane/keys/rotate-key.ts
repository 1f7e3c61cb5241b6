import type { KeyCreated, TemporaryKeyValue } from '@weir/shared/people/keys';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { generateKey, keyDigest } from '../../platform/secrets/api-key.ts';
import type { Call } from '../api/call.ts';
import { inTransaction, onlyRow } from '../api/transaction.ts';
import { ANY_KEY, findKey, keyView } from './key-row.ts';
import { lockKeyForValue, NO_KEY } from './read-keys.ts';

const TEMPORARY_MINUTES = 60;
/** Values of one key that work at the same time besides its own. */
const ALIASES_MAX = 20;

/** Further former values keep their own end, but none outlives the overlap asked for now. */
const SHORTEN_ALIASES = `
  update key_aliases set works_until = least(works_until, now() + make_interval(secs => $2))
  where key_id = $1 and purpose = 'rotation' and works_until > now() + make_interval(secs => $2)`;

const KEEP_FORMER = `
  insert into key_aliases (digest, key_id, purpose, works_until, unchecked_prefix)
  select digest, id, 'rotation', now() + make_interval(secs => $2), case when not has_check_letters then prefix end
  from keys where id = $1`;

const REPLACE = `
  update keys set digest = $2, prefix = $3, has_check_letters = true, updated_at = now() where id = $1`;

const INSERT_TEMPORARY = `
  insert into key_aliases (digest, key_id, purpose, works_until, unchecked_prefix)
  select $1, $2, 'playground', now() + make_interval(mins => $3), null
  where (select count(*) from key_aliases where key_id = $2 and works_until > now()) < $4
  returning works_until as "worksUntil"`;

/** A new value for the same key: its budgets, limits, spend and records go on. */
export function rotateKey(call: Call<'rotateKey'>): Promise<KeyCreated | Refusal> {
  const { context, params, caller, body } = call;
  const { key: value, prefix } = generateKey(context.secrets);
  const overlapSeconds = body.overlapSeconds;
  return inTransaction(context.pool, async (client) => {
    const key = await lockKeyForValue(client, caller, params.keyId);
    if ('refused' in key) return key;
    await client.query(SHORTEN_ALIASES, [key.id, overlapSeconds]);
    if (overlapSeconds > 0) await client.query(KEEP_FORMER, [key.id, overlapSeconds]);
    await client.query(REPLACE, [key.id, keyDigest(context.secrets, value), prefix]);
    const rotated = await findKey(client, { keyId: key.id, ...ANY_KEY });
    return rotated === undefined ? NO_KEY : { ...keyView(rotated), value };
  });
}

export function createTemporaryKeyValue(
  call: Call<'createTemporaryKeyValue'>,
): Promise<TemporaryKeyValue | Refusal> {
  const { context, params, caller } = call;
  const { key: value } = generateKey(context.secrets);
  return inTransaction(context.pool, async (client) => {
    const key = await lockKeyForValue(client, caller, params.keyId);
    if ('refused' in key) return key;
    if (key.status !== 'active')
      return refuse('state_conflict', 'The key is disabled. Enable it first.');
    if (key.groupState === 'closed') {
      return refuse(
        'state_conflict',
        `Your account may not use the group "${key.groupName}" any more. Choose another group for the key first.`,
      );
    }
    const { rows, rowCount } = await client.query<{ worksUntil: Date }>(INSERT_TEMPORARY, [
      keyDigest(context.secrets, value),
      key.id,
      TEMPORARY_MINUTES,
      ALIASES_MAX,
    ]);
    if (rowCount === 0) {
      return refuse(
        'limit_reached',
        'This key has the maximum number of temporary values. They expire within the hour.',
      );
    }
    return { value, worksUntil: onlyRow(rows).worksUntil.toISOString() };
  });
}
