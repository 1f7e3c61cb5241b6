import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRequestId } from '../../../../gateway/platform/ids/request-id.ts';
import { encodeAccount } from '../../../../gateway/ledger/redis/commands/encode-payer.ts';
import { sendCommand } from '../../../../gateway/ledger/redis/transport/run-script.ts';
import { ALLOWANCE_WINDOWS } from '../../../../shared/money/plans.ts';
import { windowOf } from '../../../simulator/calendar.ts';
import { fund, holdOf, settleOf, subscriptionOf, USD } from '../support/fixtures.ts';
import { openRedisLedger } from '../support/redis-ledger.ts';
import { openStore, type Store } from '../support/stores.ts';

const DAY_MS = 86_400_000;
/** Four years of days, including a leap year. */
const FIRST_DAY_MS = Date.UTC(2026, 0, 1, 17, 30, 0, 1);
const DAYS = 4 * 365 + 1;
/** Byte offset of the end of the month window in a subscription's row. */
const MONTH_END_AT = 8 * 8;

const CALENDAR = readFileSync(
  new URL('../../../../gateway/ledger/redis/lua/calendar.lua', import.meta.url),
  'utf8',
);
/**
 * ARGV: the window's number, then starts and times alternately. Returns start and end of each
 * window.
 */
const BOUNDS_IN_LUA = `local floor, min, max = math.floor, math.min, math.max
${CALENDAR}
local answer = {}
for at = 2, #ARGV, 2 do
  local from, to = window_bounds(tonumber(ARGV[1]), tonumber(ARGV[at]), tonumber(ARGV[at + 1]))
  answer[#answer + 1], answer[#answer + 2] = from, to
end
return answer`;

let store: Store;

beforeAll(async () => {
  store = await openStore('redis');
});
afterAll(() => store.close());

type Moment = readonly [startedAtMs: number, ms: number];

async function boundsInPostgres(window: string, moments: readonly Moment[]): Promise<number[]> {
  const { rows } = await store.pool.query<{ bounds: number[] }>(
    `select array[to_ms(window_start($1, from_ms(started), from_ms(at))),
       to_ms(window_end($1, from_ms(started), from_ms(at)))]::float8[] as bounds
     from unnest($2::bigint[], $3::bigint[]) with ordinality as m(started, at, place) order by place`,
    [window, moments.map(([started]) => started), moments.map(([, ms]) => ms)],
  );
  return rows.flatMap(({ bounds }) => bounds);
}

async function boundsInRedis(place: number, moments: readonly Moment[]): Promise<unknown> {
  if (store.redis === undefined) throw new Error('a store with Redis');
  const args = [BOUNDS_IN_LUA, 0, place + 1, ...moments.flat()];
  return sendCommand(store.redis, 'eval', args.map(String));
}

describe('a window of an allowance', () => {
  it.each(ALLOWANCE_WINDOWS)(
    'is the same in Redis, PostgreSQL and by our own count, %s',
    async (window) => {
      const moments = Array.from({ length: 600 }, (_value, index): Moment => {
        const started = FIRST_DAY_MS + (index % 97) * 11 * DAY_MS;
        return [started, started + Math.floor(((index * 7919) % 110) * 0.93 * DAY_MS) - DAY_MS];
      });
      const own = moments.flatMap(([started, ms]) => [...windowOf(window, started, ms)]);
      expect(await boundsInPostgres(window, moments)).toEqual(own);
      expect(await boundsInRedis(ALLOWANCE_WINDOWS.indexOf(window), moments)).toEqual(own);
    },
  );

  it('of a month begins once in each 30 days of a plan, whenever it was bought, and twelve times in a year', async () => {
    const { rows } = await store.pool.query<{ started: string; number: number }>(
      `with recursive windows as (
         select from_ms($1) + day * interval '24 hours' as started, 0 as number,
           from_ms($1) + day * interval '24 hours' as begins
         from generate_series(0, $2 - 1) as day
         union all
         select started, number + 1, window_end('month', started, begins) from windows where number < 13
       )
       select started::text, number from windows
       where begins < started + number * interval '720 hours'
         or number = 12 and begins < started + interval '8760 hours'
         or begins > started + number * interval '744 hours'`,
      [FIRST_DAY_MS, DAYS],
    );
    expect(rows).toEqual([]);
  });

  it('of a month that began in February ends with the plan of 30 days', async () => {
    const started = Date.UTC(2027, 1, 1, 12);
    const ends = started + 30 * DAY_MS;
    const moments = [[started, ends - 1]] as const;
    expect(await boundsInPostgres('month', moments)).toEqual([started, ends]);
    expect(await boundsInRedis(ALLOWANCE_WINDOWS.indexOf('month'), moments)).toEqual([
      started,
      ends,
    ]);
  });

  it('of a month is given out once when Redis keeps an end that gateways from before had reckoned', async () => {
    const { pool, redis } = store;
    if (redis === undefined) throw new Error('a store with Redis');
    let nowMs = Date.UTC(2027, 1, 20);
    const clockOffsetMs = () => nowMs;
    const ledger = openRedisLedger({ redis, pool, clockOffsetMs });
    const startedAtMs = Date.UTC(2027, 1, 1);
    const month = subscriptionOf([{ window: 'month', limitNanoUsd: 2 * USD }], { startedAtMs });
    const payer = await fund(pool, 0, { subscriptions: [month] });
    const spend = async (): Promise<string> => {
      const hold = holdOf(payer, { requestId: newRequestId(nowMs) });
      const { code } = await ledger.hold(hold);
      if (code === 'held') await ledger.settle(settleOf(hold, USD));
      return code;
    };
    expect(await spend()).toBe('held');
    const account = encodeAccount(payer.account.id).text;
    const row = await redis.hgetBuffer(account, `s:${month.id}`);
    // The calendar's end of February, two days before that of the plan's 30 days.
    row?.writeDoubleLE(Date.UTC(2027, 2, 1), MONTH_END_AT);
    await redis.hset(account, `s:${month.id}`, row ?? '');

    nowMs = Date.UTC(2027, 2, 2);
    expect(await spend()).toBe('held');
    expect(await spend()).toBe('insufficient_balance');
    nowMs = Date.UTC(2027, 2, 3);
    expect([await spend(), await spend(), await spend()]).toEqual([
      'held',
      'held',
      'insufficient_balance',
    ]);
    await ledger.close();
  });
});
