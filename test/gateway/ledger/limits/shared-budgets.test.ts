import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeAccount } from '../../../../gateway/ledger/redis/commands/encode-payer.ts';
import type {
  Budget,
  BudgetRefusal,
  HoldOutcome,
  Payer,
  SharerTerms,
} from '../../../../gateway/ledger/ledger.ts';
import {
  extendOf,
  fund,
  holdOf,
  settleOf,
  sharersOf,
  USD,
  withTerms,
} from '../support/fixtures.ts';
import { openStore, STORE_KINDS, type Store } from '../support/stores.ts';
import { drainAll } from '../support/drain-all.ts';

/** The row `a` as former versions write it, which does not say whether there are scopes. */
const FORMER_MONEY_BYTES = 48;

let lastId = 0;

function sharer(budgets: readonly Budget[] = []): SharerTerms {
  lastId += 1;
  return { id: lastId, budgets };
}

const total = (limitNanoUsd: number): Budget[] => [{ period: 'total', limitNanoUsd }];

type Level = 'account' | 'team' | 'member' | 'key';
const LEVELS: readonly Level[] = ['account', 'team', 'member', 'key'];

/** The payer with this budget at one level. */
function budgeted(payer: Payer, level: Level, budgets: readonly Budget[]): Payer {
  const sharerOf = (of: SharerTerms | null | undefined): SharerTerms => ({
    id: of?.id ?? 0,
    budgets,
  });
  switch (level) {
    case 'account':
      return withTerms(payer, { account: { budgets } });
    case 'team':
      return withTerms(payer, { team: sharerOf(payer.team) });
    case 'member':
      return withTerms(payer, { member: sharerOf(payer.member) });
    case 'key':
      return withTerms(payer, { key: { budgets } });
  }
}

const refusalOf = (level: Level): BudgetRefusal => `${level}_budget_exceeded`;

describe.each(STORE_KINDS)('budgets of account, team, member and key, %s', (kind) => {
  let store: Store;

  beforeAll(async () => {
    store = await openStore(kind);
  });
  afterAll(() => store.close());

  /** Does what the admin API does when an account gets its first budget. */
  const countAccount = async ({ account: { id } }: Payer): Promise<void> => {
    await store.pool.query('update accounts set budgeted = true where id = $1', [id]);
    await store.pool.query('select count_account_spend($1)', [id]);
  };

  const shared = async (amount = 1_000 * USD): Promise<Payer> => {
    const payer = await fund(store.pool, amount, { team: sharer(), member: sharer() });
    await countAccount(payer);
    return payer;
  };

  const hold = (payer: Payer, amountNanoUsd: number, minimumNanoUsd = amountNanoUsd) =>
    store.ledger.hold(holdOf(payer, { amountNanoUsd, minimumNanoUsd }));

  async function spend(payer: Payer, amountNanoUsd: number): Promise<HoldOutcome> {
    const request = holdOf(payer, { amountNanoUsd });
    const outcome = await store.ledger.hold(request);
    if (outcome.code === 'held') await store.ledger.settle(settleOf(request, amountNanoUsd));
    return outcome;
  }

  describe.each(LEVELS)('%s', (level) => {
    it('is used up to the nanodollar and no further, and is named', async () => {
      const payer = budgeted(await shared(), level, total(100));
      expect(await spend(payer, 60)).toMatchObject({ code: 'held' });
      expect(await hold(payer, 41)).toEqual({
        code: refusalOf(level),
        retryAfterMs: null,
        affordableNanoUsd: 40,
      });
      expect(await hold(payer, 50, 30)).toEqual({ code: 'held', heldNanoUsd: 40 });
      expect(await hold(payer, 1)).toMatchObject({
        code: refusalOf(level),
        affordableNanoUsd: 0,
      });
    });

    it('that is exceeded lets through what costs nothing', async () => {
      const payer = await shared();
      await spend(budgeted(payer, level, total(100)), 100);
      const lowered = budgeted(payer, level, total(50));
      expect(await hold(lowered, 5, 0)).toEqual({ code: 'held', heldNanoUsd: 0 });
      expect((await hold(lowered, 1)).code).toBe(refusalOf(level));
    });

    it('counts what is held until it is settled, released or expired', async () => {
      const payer = budgeted(await shared(), level, total(100));
      const first = holdOf(payer, { amountNanoUsd: 70 });
      const second = holdOf(payer, { amountNanoUsd: 30, ttlMs: 1_000 });
      await store.ledger.hold(first);
      await store.ledger.hold(second);
      expect((await hold(payer, 1)).code).toBe(refusalOf(level));
      await store.ledger.settle(settleOf(first, 10));
      expect((await hold(payer, 61)).code).toBe(refusalOf(level));
      const third = holdOf(payer, { amountNanoUsd: 60 });
      expect((await store.ledger.hold(third)).code).toBe('held');
      await store.ledger.release({ requestId: third.requestId, accountId: payer.account.id });
      store.advance(200_000);
      while ((await store.ledger.expire(1_000_000)) > 0);
      expect(await hold(payer, 91)).toMatchObject({
        code: refusalOf(level),
        affordableNanoUsd: 90,
      });
      expect((await hold(payer, 90)).code).toBe('held');
    });

    it('bounds extensions', async () => {
      const payer = budgeted(await shared(), level, total(100));
      const request = holdOf(payer, { amountNanoUsd: 70 });
      await store.ledger.hold(request);
      const extend = (extension: number, amountNanoUsd: number, minimumNanoUsd: number) =>
        store.ledger.extend(extendOf(request, { extension, amountNanoUsd, minimumNanoUsd }));
      expect(await extend(1, 40, 40)).toEqual({ code: refusalOf(level), affordableNanoUsd: 30 });
      expect(await extend(1, 40, 20)).toEqual({ code: 'extended', heldNanoUsd: 100 });
      expect(await extend(2, 1, 1)).toEqual({ code: refusalOf(level), affordableNanoUsd: 0 });
      await store.ledger.settle(settleOf(request, 5));
      expect((await hold(payer, 95)).code).toBe('held');
    });

    it('that is lowered or raised counts what was spent, and a new one what came before it', async () => {
      const payer = await fund(store.pool, USD, { team: sharer(), member: sharer() });
      expect((await spend(payer, 300)).code).toBe('held');
      await countAccount(payer);
      const first = budgeted(payer, level, total(310));
      expect(await hold(first, 11)).toMatchObject({
        code: refusalOf(level),
        affordableNanoUsd: 10,
      });
      expect((await spend(payer, 100)).code).toBe('held');
      expect((await hold(budgeted(payer, level, total(350)), 1)).code).toBe(refusalOf(level));
      expect(await hold(budgeted(payer, level, total(450)), 51)).toMatchObject({
        code: refusalOf(level),
        affordableNanoUsd: 50,
      });
    });

    it('of a day starts empty the next day, whatever was changed before', async () => {
      const payer = await shared();
      const day = (limitNanoUsd: number): Payer =>
        budgeted(payer, level, [{ period: 'day', limitNanoUsd }]);
      expect((await spend(day(100), 100)).code).toBe('held');
      const refused = await hold(day(120), 21);
      expect(refused).toMatchObject({ code: refusalOf(level), affordableNanoUsd: 20 });
      const waitMs = 'retryAfterMs' in refused ? (refused.retryAfterMs ?? 0) : 0;
      expect(waitMs).toBeGreaterThan(0);
      store.advance(waitMs);
      expect((await spend(day(90), 90)).code).toBe('held');
      expect((await hold(day(90), 1)).code).toBe(refusalOf(level));
    });
  });

  it('refuse by the first level, with what all of them leave and the longest wait', async () => {
    let payer = await shared();
    payer = budgeted(payer, 'team', [{ period: 'day', limitNanoUsd: 50 }]);
    payer = budgeted(payer, 'member', total(20));
    expect(await hold(payer, 60)).toEqual({
      code: 'team_budget_exceeded',
      retryAfterMs: null,
      affordableNanoUsd: 20,
    });
    expect(await hold(payer, 30)).toMatchObject({ code: 'member_budget_exceeded' });
    payer = budgeted(payer, 'account', total(10));
    expect(await hold(payer, 30)).toMatchObject({
      code: 'account_budget_exceeded',
      affordableNanoUsd: 10,
    });
  });

  it('are shared by the keys of a member, the members of a team and the teams of an account', async () => {
    const account = await shared();
    const other = (overrides: Parameters<typeof withTerms>[1]): Payer =>
      withTerms(account, { key: { id: crypto.randomUUID() }, ...overrides });
    const colleague = { member: sharer() };
    const stranger = { member: sharer(), team: sharer() };
    for (const [level, whose] of [
      ['member', {}],
      ['team', colleague],
      ['account', stranger],
    ] as const) {
      const limit = 1_000;
      const limited = budgeted(account, level, total(limit));
      const before = await hold(limited, limit + 1);
      const left = 'affordableNanoUsd' in before ? before.affordableNanoUsd : 0;
      const theirs = budgeted(other(whose), level, total(limit));
      expect((await spend(theirs, 7)).code).toBe('held');
      expect(await hold(limited, limit)).toMatchObject({
        code: refusalOf(level),
        affordableNanoUsd: left - 7,
      });
    }
  });

  it('hold when 64 connections of three members meet them at once', async () => {
    const base = await shared(1_000_000);
    const team = { ...(base.team ?? sharer()), budgets: total(7_001) };
    const members = [2_503, 2_999, 3_001].map((limit) => sharer(total(limit)));
    const payers = members.map((member) =>
      withTerms(base, {
        account: { budgets: total(6_997) },
        key: { id: crypto.randomUUID() },
        team,
        member,
      }),
    );
    const spent = new Map<Payer, number>();
    const codes = new Set<string>();
    await Promise.all(
      Array.from({ length: 64 }, async (_value, connection) => {
        for (let turn = 0; turn < 6; turn += 1) {
          const payer = payers[(connection + turn) % payers.length];
          if (payer === undefined) throw new Error('there are three');
          const amountNanoUsd = 31 + ((connection * 7 + turn * 13) % 60);
          const request = holdOf(payer, { amountNanoUsd, minimumNanoUsd: 1 });
          const outcome = await store.ledger.hold(request);
          codes.add(outcome.code);
          if (outcome.code !== 'held') continue;
          const actual = Math.max(1, outcome.heldNanoUsd - (turn % 3));
          await store.ledger.settle(settleOf(request, actual));
          spent.set(payer, (spent.get(payer) ?? 0) + actual);
        }
      }),
    );
    const sums = payers.map((payer) => spent.get(payer) ?? 0);
    for (const [index, sum] of sums.entries()) {
      expect(sum).toBeLessThanOrEqual([2_503, 2_999, 3_001][index] ?? 0);
    }
    expect(sums.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(6_997);
    expect([...codes].sort()).toEqual(
      expect.arrayContaining(['account_budget_exceeded', 'held']) as string[],
    );
    // What is left is exactly what was not spent, at each level.
    const [first] = payers;
    if (first === undefined) throw new Error('there are three');
    const all = sums.reduce((sum, one) => sum + one, 0);
    expect(await hold(first, 1_000_000)).toMatchObject({
      code: 'account_budget_exceeded',
      affordableNanoUsd: Math.min(6_997 - all, 2_503 - (sums[0] ?? 0)),
    });
    const alone = withTerms(first, { account: { budgets: [] }, team: { ...team, budgets: [] } });
    expect(await hold(alone, 1_000_000)).toMatchObject({
      code: 'member_budget_exceeded',
      affordableNanoUsd: 2_503 - (sums[0] ?? 0),
    });
  });

  it('still count after a gateway of the former version has written the account', async () => {
    if (store.redis === undefined) return;
    const payer = budgeted(await shared(), 'member', total(100));
    const request = holdOf(payer, { amountNanoUsd: 60 });
    await store.ledger.hold(request);
    const name = encodeAccount(payer.account.id).text;
    const money = await store.redis.hgetBuffer(name, 'a');
    await store.redis.hset(name, 'a', money?.subarray(0, FORMER_MONEY_BYTES) ?? '');
    await store.ledger.settle(settleOf(request, 55));
    expect(await hold(payer, 46)).toMatchObject({
      code: 'member_budget_exceeded',
      affordableNanoUsd: 45,
    });
  });

  it('are counted also for requests that began before the budget was set', async () => {
    const payer = await shared();
    const early = holdOf(payer, { amountNanoUsd: 60 });
    await store.ledger.hold(early);
    const later = budgeted(payer, 'team', total(100));
    expect((await hold(later, 10)).code).toBe('held');
    await store.ledger.settle(settleOf(early, 50));
    expect(await hold(later, 41)).toMatchObject({
      code: 'team_budget_exceeded',
      affordableNanoUsd: 40,
    });
  });

  it('I5: what a member and a team spent is in the book what their records sum up to', async () => {
    const payer = await shared();
    await spend(payer, 11);
    await spend(withTerms(payer, { member: null }), 5);
    await spend(withTerms(payer, { team: null }), 3);
    if (store.redis !== undefined) await drainAll({ pool: store.pool, redis: store.redis });
    const { rows } = await store.pool.query<{ scope: string; spent: number }>(
      `select scope, spent_nano_usd as spent from scope_spend where account_id = $1 and period = 'total' and scope <> 'account' order by scope`,
      [payer.account.id],
    );
    const { memberId, teamId } = sharersOf(payer);
    expect(rows).toEqual([
      { scope: `member:${String(memberId)}`, spent: 14 },
      { scope: `team:${String(teamId)}`, spent: 16 },
    ]);
  });
});
