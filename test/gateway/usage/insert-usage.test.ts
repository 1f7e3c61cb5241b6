import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readEntered } from '../../../gateway/ledger/redis/recovery/stale-redis.ts';
import type { UsageEntry } from '../../../gateway/ledger/redis/commands/usage-entry.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { insertUsage } from '../../../gateway/ledger/redis/usage/insert-usage.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { fund, holdOf, recordOf, USD } from '../ledger/support/fixtures.ts';

const POSITION = { partition: 7, epoch: 0, id: '1795430400000-3' };
const NOTED = [{ partition: 7, epoch: 0, ms: 1_795_430_400_000, sequence: 3 }];

describe('a record that Postgres rejects', () => {
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
    // The model name of a record determines how it is rejected.
    await pool.query(`
      create function refuse_record() returns trigger language plpgsql as $$
      begin
        if new.model ~ '^[0-9A-Z]{5}$' then
          raise exception 'refused' using errcode = new.model;
        end if;
        return new;
      end $$`);
    await pool.query(
      'create trigger refused before insert on usage_records for each row execute function refuse_record()',
    );
  });

  beforeEach(async () => {
    await pool.query('update ledger_epochs set entered_ms = 0, entered_sequence = 0');
    await pool.query('delete from usage_rejected');
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const entriesOf = async (models: readonly string[]): Promise<UsageEntry[]> => {
    const payer = await fund(pool, USD);
    return models.map((model) => ({
      partition: 7,
      epoch: 0,
      recordJson: JSON.stringify({ ...recordOf(holdOf(payer), 5), model }),
      charge: '1795430400000,5,0',
    }));
  };

  const countAside = async () => (await pool.query('select 1 from usage_rejected')).rowCount;

  it.each(['22P02', '23514'])(
    'for ever (%s) is quarantined, and its position is recorded',
    async (code) => {
      const entries = await entriesOf(['fine', 'fine', code]);
      expect(await insertUsage(pool, entries, [POSITION])).toEqual({ added: 2, rejected: 1 });
      expect(await countAside()).toBe(1);
      expect(await readEntered(pool)).toEqual(NOTED);
    },
  );

  it.each(['53100', '53200', '40P01', '57014', '25006', '42501', 'XX000'])(
    'for now (%s) is entered again, and so is what comes with it',
    async (code) => {
      const entries = await entriesOf(['fine', code]);
      await expect(insertUsage(pool, entries, [POSITION])).rejects.toThrow('refused');
      expect(await countAside()).toBe(0);
    },
  );

  it('or takes leaves the position no further back, and as it is in another epoch', async () => {
    const enter = async (position: typeof POSITION) =>
      insertUsage(pool, await entriesOf(['fine']), [position]);
    await enter(POSITION);
    await enter({ ...POSITION, id: '1795430400000-2' });
    expect(await readEntered(pool)).toEqual(NOTED);
    await pool.query('update ledger_epochs set epoch = 1 where partition = 7');
    await enter(POSITION);
    expect(await readEntered(pool)).toEqual([]);
    await pool.query('update ledger_epochs set epoch = 0 where partition = 7');
  });

  it('or takes is charged through a credit when the store that counted it is gone', async () => {
    await pool.query('update ledger_epochs set epoch = 1 where partition = 7');
    await insertUsage(pool, await entriesOf(['of-a-lost-epoch']));
    await pool.query('update ledger_epochs set epoch = 0 where partition = 7');
    const { rows } = await pool.query(
      `select r.recovered, c.kind, c.amount_nano_usd as amount from usage_records r
       join credits c on c.entry_id = 'recovered:' || r.request_id where r.model = 'of-a-lost-epoch'`,
    );
    expect(rows).toEqual([{ recovered: true, kind: 'recovered_usage', amount: -5 }]);
  });

  it('lets nothing count as entered before all that comes with it', async () => {
    const entries = await entriesOf(['fine', '22P02', 'fine', '53100']);
    await expect(insertUsage(pool, entries, [POSITION])).rejects.toThrow('refused');
    expect(await readEntered(pool)).toEqual([]);
  });
});
