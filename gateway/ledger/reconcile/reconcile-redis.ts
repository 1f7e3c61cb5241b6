import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { RedisClient } from '../../stores/redis/connect.ts';
import { PARTITION_COUNT, partitionKey, partitionOf } from '../partition.ts';
import { loadScript } from '../redis/transport/load-script.ts';
import { callScript, routeKeys } from '../redis/transport/run-script.ts';
import type { CheckRow, Difference } from './difference.ts';
import { differences } from './difference.ts';

const ACCOUNTS = readFileSync(new URL('./sql/accounts.sql', import.meta.url), 'utf8');
const RECONCILE = loadScript(new URL('../redis/lua/', import.meta.url), 'reconcile.lua', {});

const ACCOUNTS_PER_PAGE = 1_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Traffic moves money during the comparison, so a difference counts only if it persists. */
const ATTEMPTS = 5;
const PAUSE_MS = 1_000;

interface AccountRow {
  readonly id: string;
  readonly balanceNanoUsd: number;
  readonly creditSequence: number;
  readonly spentByKey: Readonly<Record<string, number>>;
  /** By "<scope> <period> <start of the period in ms>" (scope_spend). */
  readonly spentByScope: Readonly<Record<string, number>>;
}

export interface RedisReconciliation {
  readonly differences: readonly Difference[];
  /** Accounts in Redis. */
  readonly accounts: number;
}

/**
 * Compares every account in Redis with Postgres, minus the usage that is still on its way there.
 */
export async function reconcileRedis(
  redis: RedisClient,
  pool: pg.Pool,
): Promise<RedisReconciliation> {
  let accounts = 0;
  const found: Difference[] = [];
  for await (const rows of pagesOfAccounts(pool)) {
    const page = await comparePage(redis, pool, rows);
    accounts += page.accounts;
    found.push(...page.differences);
  }
  return { differences: found, accounts };
}

/** Open holds of all accounts in Redis. */
export async function requestsInFlight(
  redis: RedisClient,
  client: Pick<pg.Pool, 'query'>,
): Promise<number> {
  let requests = 0;
  for await (const rows of pagesOfAccounts(client)) {
    for (const line of (await readStore(redis, rows)).values()) requests += moneyOf(line).inFlight;
  }
  return requests;
}

async function* pagesOfAccounts(client: Pick<pg.Pool, 'query'>): AsyncGenerator<AccountRow[]> {
  let after = FIRST_ID;
  for (;;) {
    const { rows } = await client.query<AccountRow>(ACCOUNTS, [after, ACCOUNTS_PER_PAGE]);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    yield rows;
  }
}

async function comparePage(
  redis: RedisClient,
  pool: pg.Pool,
  rows: readonly AccountRow[],
): Promise<{ accounts: number; differences: Difference[] }> {
  let lines = await readStore(redis, rows);
  const accounts = lines.size;
  let differing = compare(rows, lines);
  for (let attempt = 1; attempt < ATTEMPTS && differing.length > 0; attempt += 1) {
    await sleep(PAUSE_MS);
    const again = await Promise.all(
      [...new Set(differing.map(({ account }) => account))].map(async (id) =>
        readAccountRows(pool, id),
      ),
    );
    lines = await readStore(redis, again.flat());
    differing = compare(again.flat(), lines);
  }
  return { accounts, differences: differing.map(({ difference }) => difference) };
}

async function readAccountRows(pool: pg.Pool, id: string): Promise<AccountRow[]> {
  const { rows } = await pool.query<AccountRow>(
    ACCOUNTS.replace('a.id > $1', 'a.id = $1').replace('limit $2', ''),
    [id],
  );
  return rows;
}

/** The script's line for each account that the store has. */
async function readStore(
  redis: RedisClient,
  rows: readonly AccountRow[],
): Promise<Map<string, string>> {
  const byPartition: string[][] = Array.from({ length: PARTITION_COUNT }, () => []);
  for (const { id } of rows) byPartition[partitionOf(id)]?.push(id);
  const lines = new Map<string, string>();
  for (const [partition, ids] of byPartition.entries()) {
    if (ids.length === 0) continue;
    const tag = partitionKey(partition, '');
    const keys = routeKeys(redis, partition);
    const reply = await callScript(redis, RECONCILE, keys, [tag, ...ids]);
    for (const line of String(reply).split('\n')) {
      if (line !== '') lines.set(line.slice(0, line.indexOf(',')), line);
    }
  }
  return lines;
}

interface DifferingAccount {
  readonly account: string;
  readonly difference: Difference;
}

function compare(
  rows: readonly AccountRow[],
  lines: ReadonlyMap<string, string>,
): DifferingAccount[] {
  return rows.flatMap((row) => {
    const line = lines.get(row.id);
    if (line === undefined) return [];
    return differences(checksOf(row, line)).map((difference) => ({ account: row.id, difference }));
  });
}

/** A scope of budgets, unlike a key's id (spend-scopes.ts). */
const SCOPE_FIELD = /^[btm]\d*$/;
const SCOPE_NAMES: Readonly<Record<string, string>> = { b: 'account', t: 'team:', m: 'member:' };
const DAY_MS = 86_400_000;

/**
 * I5 for a scope that has had a budget. The periods can be compared only when none of its records
 * is on its way: which period those belong to is not in them.
 */
function scopeChecks(
  { id: account, spentByScope }: AccountRow,
  field: string,
  [
    inFlight = 0,
    held = 0,
    spent = 0,
    undrained = 0,
    dayEndMs = 0,
    day = 0,
    monthEndMs = 0,
    month = 0,
  ]: readonly number[],
): CheckRow[] {
  // Without a budget the account itself is counted in Redis alone.
  if (field === 'b' && spentByScope['account total 0'] === undefined) return [];
  const scope = `${SCOPE_NAMES[field.charAt(0)] ?? ''}${field.slice(1)}`;
  const subject = `${account} ${scope}`;
  const booked = (period: string, startMs: number): number =>
    spentByScope[`${scope} ${period} ${startMs}`] ?? 0;
  const end = new Date(monthEndMs);
  const monthStartMs = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1);
  const checks: [name: string, expected: number, found: number][] = [
    ['I4: scope, nothing in flight, nothing held', 0, inFlight === 0 ? held : 0],
    ['I5: scope spent, total', booked('total', 0) + undrained, spent],
  ];
  if (undrained === 0) {
    checks.push(['I5: scope spent, day', booked('day', dayEndMs - DAY_MS), day]);
    checks.push(['I5: scope spent, month', booked('month', monthStartMs), month]);
  }
  return checks.map(([check, expected, found]) => ({ check, subject, expected, found }));
}

/** The part of a line that describes the account itself. */
function moneyOf(line: string) {
  const [money = ''] = line.split(';', 1);
  const [available = 0, held = 0, owed = 0, sequence = 0, inFlight = 0, undrained = 0] = money
    .split(',')
    .slice(1)
    .map(Number);
  return { available, held, owed, sequence, inFlight, undrained };
}

function checksOf(row: AccountRow, line: string): CheckRow[] {
  const [, ...keys] = line.split(';');
  const { available, held, owed, sequence, inFlight, undrained } = moneyOf(line);
  const subject = row.id;
  const check = (name: string, expected: number, found: number, of = subject): CheckRow => {
    return { check: name, subject: of, expected, found };
  };
  const checks = [
    check(
      'I2: available + held - owed = balance - not drained',
      row.balanceNanoUsd - undrained,
      available + held - owed,
    ),
    check('I1: available is not negative', 0, Math.min(0, available)),
    check('I1: held is not negative', 0, Math.min(0, held)),
    check('I4: nothing in flight, nothing held', 0, inFlight === 0 ? held : 0),
    check('owed only when nothing is available', 0, Math.min(available, owed)),
    check('credits: last sequence', row.creditSequence, sequence),
  ];
  let keysInFlight = 0;
  for (const key of keys) {
    const [id = '', ...numbers] = key.split(',');
    if (SCOPE_FIELD.test(id)) {
      checks.push(...scopeChecks(row, id, numbers.map(Number)));
      continue;
    }
    const [keyInFlight = 0, keyHeld = 0, spent = 0, keyUndrained = 0] = numbers.map(Number);
    keysInFlight += keyInFlight;
    const booked = row.spentByKey[id] ?? 0;
    checks.push(check('keys: spent, total', booked + keyUndrained, spent, id));
    checks.push(
      check('I4: key, nothing in flight, nothing held', 0, keyInFlight === 0 ? keyHeld : 0, id),
    );
  }
  checks.push(check('in flight, keys = account', inFlight, keysInFlight));
  return checks;
}
