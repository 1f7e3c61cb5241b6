import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendCommand } from '../../../../gateway/ledger/redis/transport/run-script.ts';
import { periodEndOf, periodStartOf } from '../../../simulator/calendar.ts';
import { createAccount } from '../support/fixtures.ts';
import { openStore, type Store } from '../support/stores.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Before both changes of a year's clocks, on either half of the globe. */
const NOW_MS = Date.UTC(2027, 1, 20, 11);
const MOMENTS = Array.from({ length: 270 }, (_value, index) => NOW_MS + index * 61 * HOUR_MS);

const CALENDAR = readFileSync(
  new URL('../../../../gateway/ledger/redis/lua/calendar.lua', import.meta.url),
  'utf8',
);
/**
 * ARGV: the length of the calendar, the calendar, then times. Returns for each its local time and
 * the end of its day.
 */
const PERIODS_IN_LUA = `local floor, min, max = math.floor, math.min, math.max
${CALENDAR}
local calendar, answer = {}, {}
for at = 2, tonumber(ARGV[1]) + 1 do calendar[#calendar + 1] = tonumber(ARGV[at]) end
for at = tonumber(ARGV[1]) + 2, #ARGV do
  local here = local_time(calendar, tonumber(ARGV[at]))
  local _, day_end = day_bounds(here)
  answer[#answer + 1], answer[#answer + 2] = here, moment_of(calendar, day_end)
end
return answer`;

let store: Store;

beforeAll(async () => {
  store = await openStore('redis');
});
afterAll(() => store.close());

async function accountIn(zone: string): Promise<string> {
  const id = await createAccount(store.pool, randomUUID());
  await store.pool.query(
    `insert into account_time_zones (account_id, zone, since) values ($1, $2, '-infinity')`,
    [id, zone],
  );
  return id;
}

async function calendarOf(accountId: string): Promise<number[]> {
  const { rows } = await store.pool.query<{ calendar: number[] }>(
    'select to_jsonb(account_calendar($1, from_ms($2))) as calendar',
    [accountId, NOW_MS],
  );
  return rows[0]?.calendar ?? [];
}

interface Period {
  readonly startMs: number;
  readonly endsMs: number;
}

async function daysInPostgres(accountId: string): Promise<Period[]> {
  const { rows } = await store.pool.query<Period>(
    `select to_ms(period_start('day', account_local($1, from_ms(at))))::float8 as "startMs",
       local_moment(account_calendar($1, from_ms($3)), to_ms(period_end('day', account_local($1, from_ms(at)))))::float8 as "endsMs"
     from unnest($2::bigint[]) with ordinality as m(at, place) order by place`,
    [accountId, MOMENTS, NOW_MS],
  );
  return rows;
}

async function daysInRedis(calendar: readonly number[]): Promise<Period[]> {
  if (store.redis === undefined) throw new Error('a store with Redis');
  const args = [PERIODS_IN_LUA, 0, calendar.length, ...calendar, ...MOMENTS].map(String);
  const answer = (await sendCommand(store.redis, 'eval', args)) as number[];
  return MOMENTS.map((_moment, index) => {
    const here = answer[2 * index] ?? 0;
    return { startMs: here - (here % DAY_MS), endsMs: answer[2 * index + 1] ?? 0 };
  });
}

describe('days of an account in its time zone', () => {
  // Summer time in both halves of the year, at midnight, of half an hour, and none.
  it.each([
    'Europe/Berlin',
    'America/Los_Angeles',
    'Pacific/Auckland',
    'Africa/Cairo',
    'America/Havana',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
  ])('are the same in Redis, PostgreSQL and by our own count, %s', async (zone) => {
    const accountId = await accountIn(zone);
    const own = MOMENTS.map((ms) => ({
      startMs: periodStartOf('day', ms, zone),
      endsMs: periodEndOf('day', ms, zone),
    }));
    expect(await daysInPostgres(accountId)).toEqual(own);
    expect(await daysInRedis(await calendarOf(accountId))).toEqual(own);
  });

  it('have 23 and 25 hours when the clocks change', async () => {
    const calendar = await calendarOf(await accountIn('Europe/Berlin'));
    const [, spring = 0, , autumn = 0] = calendar;
    expect([spring, autumn]).toEqual([Date.UTC(2027, 2, 28, 1), Date.UTC(2027, 9, 31, 1)]);
    const lengthOf = (ms: number): number =>
      (periodEndOf('day', ms, 'Europe/Berlin') - periodEndOf('day', ms - DAY_MS, 'Europe/Berlin')) /
      HOUR_MS;
    expect([lengthOf(spring), lengthOf(autumn)]).toEqual([23, 25]);
  });

  it('of an account that never had a zone cost nothing', async () => {
    const { rows } = await store.pool.query<{ calendar: null }>(
      'select account_calendar($1, now()) as calendar',
      [await createAccount(store.pool, randomUUID())],
    );
    expect(rows).toEqual([{ calendar: null }]);
  });

  it('follow a change of the zone from its moment on', async () => {
    const accountId = await createAccount(store.pool, randomUUID());
    await store.pool.query(
      `insert into account_time_zones (account_id, zone, since) values ($1, 'Asia/Tokyo', from_ms($2))`,
      [accountId, NOW_MS + 5 * HOUR_MS],
    );
    expect(await calendarOf(accountId)).toEqual([0, NOW_MS + 5 * HOUR_MS, 9 * HOUR_MS]);
  });
});
