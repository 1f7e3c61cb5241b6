import type { SecretRotationView } from '@weir/shared/people/settings';
import { keepKeyId } from '../../platform/secrets/refuse-other-key.ts';
import { isSealedCurrently, seal, unseal, type Secrets } from '../../platform/secrets/secrets.ts';
import type pg from 'pg';

/** Everything that is sealed: table, key columns, sealed column. */
const SEALED = [
  { table: 'channel_credentials', id: 'id', column: 'sealed' },
  { table: 'second_factors', id: 'user_id', column: 'sealed' },
  { table: 'redemption_codes', id: 'id', column: 'sealed' },
  { table: 'invitation_codes', id: 'id', column: 'sealed' },
  { table: 'groups', id: 'id', column: 'code_sealed' },
  { table: 'alert_targets', id: 'id', column: 'sealed' },
  { table: 'sign_on_providers', id: 'id', column: 'sealed' },
  { table: 'captcha_secrets', id: 'id', column: 'sealed' },
] as const;

const BATCH = 500;

interface SealedRow {
  readonly id: string;
  readonly sealed: string;
}

type Tally = Pick<SecretRotationView, 'resealed' | 'unreadable'>;

function reseal(secrets: Secrets, sealed: string): string | undefined {
  try {
    return seal(secrets, unseal(secrets, sealed));
  } catch {
    return undefined;
  }
}

async function resealTable(
  pool: pg.Pool,
  secrets: Secrets,
  { table, id, column }: (typeof SEALED)[number],
): Promise<Tally> {
  const tally = { resealed: 0, unreadable: 0 };
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await pool.query<SealedRow>(
      `select ${id}::text as id, ${column} as sealed from ${table} where ${id} > $1 and ${column} is not null order by ${id} limit $2`,
      [after, BATCH],
    );
    const last = rows.at(-1);
    if (last === undefined) return tally;
    for (const row of rows.filter(({ sealed }) => !isSealedCurrently(secrets, sealed))) {
      const renewed = reseal(secrets, row.sealed);
      if (renewed === undefined) {
        tally.unreadable += 1;
        continue;
      }
      // Only if it is still the value that was read: an operator may have replaced it meanwhile.
      await pool.query(`update ${table} set ${column} = $2 where ${id} = $1 and ${column} = $3`, [
        row.id,
        renewed,
        row.sealed,
      ]);
      tally.resealed += 1;
    }
    after = last.id;
  }
}

/**
 * Replies that are remembered for idempotency are short-lived: those of the former key are dropped.
 * What they were answers to is not: a repeat runs again under the same operation and finds what
 * that has made, instead of making it twice.
 */
const FORGET_REPLIES = `
  update idempotency_keys set reply_status = null, reply_sealed = null
  where reply_sealed is not null and split_part(reply_sealed, '.', 2) <> $1`;

/**
 * Re-encrypts everything at rest under the SECRET_KEY in force. Run it after a change of
 * SECRET_KEY, with the former one as SECRET_KEY_PREVIOUS. It may be run again, and at any time:
 * what is current is left alone.
 */
export async function resealAll(pool: pg.Pool, secrets: Secrets): Promise<SecretRotationView> {
  const total = { resealed: 0, unreadable: 0 };
  for (const sealed of SEALED) {
    const { resealed, unreadable } = await resealTable(pool, secrets, sealed);
    total.resealed += resealed;
    total.unreadable += unreadable;
  }
  await pool.query(FORGET_REPLIES, [secrets.seals[0]?.id ?? '']);
  await keepKeyId(pool, secrets);
  return { ...total, finishedAt: new Date().toISOString() };
}
