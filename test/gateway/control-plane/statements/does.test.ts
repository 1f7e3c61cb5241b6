import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decimalFromNanoUsd, nanoUsdFromDecimal } from '@weir/shared/money/money';
import { giveMoney, makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { insertUsage } from '../support/usage.ts';

let fixture: AdminFixture;
let admin: Person;
let owner: Person;
let catalog: Catalog;

const USD = 1_000_000_000;
const NOW = new Date();
const THIS_MONTH = NOW.toISOString().slice(0, 7);
const LAST = new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - 1, 15));
const LAST_MONTH = LAST.toISOString().slice(0, 7);

/** The book is append-only; a test may still say that a credit came at another time. */
async function dateFirstCredit({ accountId }: Person, at: Date): Promise<void> {
  await fixture.pool.query('alter table credits disable trigger credits_append_only');
  await fixture.pool.query(
    `update credits set created_at = $2 where account_id = $1 and sequence = 1`,
    [accountId, at],
  );
  await fixture.pool.query('alter table credits enable trigger credits_append_only');
}

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  owner = await fixture.user();
  catalog = await makeCatalog(fixture, admin);
  const { groupId, publicId } = catalog;
  const keyId = (await makeKey(fixture, owner, groupId)).id;
  const record = { accountId: owner.accountId, keyId, groupId, model: publicId };
  await giveMoney(fixture, { admin, to: owner, amountUsd: '100' });
  await giveMoney(fixture, { admin, to: owner, amountUsd: '20' });
  await dateFirstCredit(owner, LAST);
  await insertUsage(fixture.pool, [
    { ...record, createdAtMs: LAST.getTime(), costNanoUsd: 10 * USD },
    { ...record, model: 'dear', costNanoUsd: 9 * USD },
    {
      ...record,
      costNanoUsd: 5 * USD,
      balanceNanoUsd: USD,
      uncollectedNanoUsd: USD,
      subscriptions: [
        {
          id: '00000000-0000-7000-8000-000000000001',
          startedAtMs: Date.UTC(2026, 0, 1),
          amountNanoUsd: 3 * USD,
        },
      ],
    },
  ]);
});
afterAll(() => fixture.close());

describe('a statement', () => {
  it('joins one month’s end to the next one’s beginning, to the nanodollar', async () => {
    const last = await fixture.ask('getOwnStatement', { as: owner, params: { month: LAST_MONTH } });
    expect(last.reply).toMatchObject({
      openingBalanceUsd: '0',
      creditsUsd: '100',
      usageUsd: '10',
      closingBalanceUsd: '90',
    });
    const now = await fixture.ask('getOwnStatement', { as: owner, params: { month: THIS_MONTH } });
    expect(now.reply).toMatchObject({
      accountName: owner.email,
      openingBalanceUsd: '90',
      creditsUsd: '20',
      usageUsd: '14',
      fromSubscriptionUsd: '3',
      uncollectedUsd: '1',
      closingBalanceUsd: '100',
    });
    expect(now.reply.credits).toHaveLength(1);
    expect(now.reply.usage.map(({ model, costUsd }) => [model, costUsd])[0]).toEqual(['dear', '9']);
  });

  it('counts what comes in a month’s first moment to that month alone', async () => {
    const punctual = await fixture.user();
    const keyId = (await makeKey(fixture, punctual, catalog.groupId)).id;
    const record = { accountId: punctual.accountId, keyId, groupId: catalog.groupId, model: 'any' };
    const begins = new Date(`${THIS_MONTH}-01T00:00:00.000Z`);
    await giveMoney(fixture, { admin, to: punctual, amountUsd: '100' });
    await dateFirstCredit(punctual, begins);
    await insertUsage(fixture.pool, [
      { ...record, createdAtMs: begins.getTime(), costNanoUsd: 3 * USD },
    ]);
    const statement = async (month: string) =>
      (await fixture.ask('getOwnStatement', { as: punctual, params: { month } })).reply;
    const nothing = { openingBalanceUsd: '0', creditsUsd: '0', usageUsd: '0', usage: [] };
    expect(await statement(LAST_MONTH)).toMatchObject({
      ...nothing,
      credits: [],
      closingBalanceUsd: '0',
    });
    expect(await statement(THIS_MONTH)).toMatchObject({
      openingBalanceUsd: '0',
      creditsUsd: '100',
      credits: [{ amountUsd: '100' }],
      usageUsd: '3',
      closingBalanceUsd: '97',
    });
  });

  it('ends with what the book says', async () => {
    const { rows } = await fixture.pool.query<{ balance: number }>(
      'select balance_nano_usd as balance from accounts where id = $1',
      [owner.accountId],
    );
    expect(rows[0]?.balance).toBe(100 * USD);
  });

  it('is there for each month with money in it, for the owner and for administrators', async () => {
    const months = await fixture.ask('listOwnStatements', { as: owner });
    expect(months.reply.data).toEqual([
      { month: THIS_MONTH, costUsd: '14', creditsUsd: '20' },
      { month: LAST_MONTH, costUsd: '10', creditsUsd: '100' },
    ]);
    const params = { accountId: owner.accountId, month: THIS_MONTH };
    const seen = await fixture.ask('getStatement', { as: admin, params });
    expect(seen.reply.closingBalanceUsd).toBe('100');
  });

  it('has usage that was charged a second time, as Redis had lost it, in it once', async () => {
    const unlucky = await fixture.user();
    const keyId = (await makeKey(fixture, unlucky, catalog.groupId)).id;
    const record = { accountId: unlucky.accountId, keyId, groupId: catalog.groupId, model: 'any' };
    await giveMoney(fixture, { admin, to: unlucky, amountUsd: '100' });
    await insertUsage(fixture.pool, [{ ...record, costNanoUsd: 3 * USD }], true);
    const { rows } = await fixture.pool.query<{ balance: number }>(
      'select balance_nano_usd as balance from accounts where id = $1',
      [unlucky.accountId],
    );
    expect(rows).toEqual([{ balance: 97 * USD }]);
    const params = { month: THIS_MONTH };
    const { reply } = await fixture.ask('getOwnStatement', { as: unlucky, params });
    expect(reply).toMatchObject({ creditsUsd: '100', usageUsd: '3', closingBalanceUsd: '97' });
    expect(reply.credits.map(({ amountUsd }) => amountUsd)).toEqual(['100']);
    expect((await fixture.ask('listOwnStatements', { as: unlucky })).reply.data).toEqual([
      { month: THIS_MONTH, costUsd: '3', creditsUsd: '100' },
    ]);
  });

  it('adds up while records arrive', async () => {
    const busy = await fixture.user();
    const keyId = (await makeKey(fixture, busy, catalog.groupId)).id;
    const record = { accountId: busy.accountId, keyId, groupId: catalog.groupId, model: 'any' };
    await giveMoney(fixture, { admin, to: busy, amountUsd: '100' });
    let reading = true;
    const write = async () => {
      while (reading) await insertUsage(fixture.pool, [{ ...record, costNanoUsd: 1_000_000 }]);
    };
    const read = async () => {
      for (let turn = 0; turn < 25; turn += 1) {
        const params = { month: THIS_MONTH };
        const { reply } = await fixture.ask('getOwnStatement', { as: busy, params });
        const left = nanoUsdFromDecimal('100') ?? 0;
        const used = nanoUsdFromDecimal(reply.usageUsd) ?? 0;
        expect(reply.creditsUsd).toBe('100');
        expect(reply.closingBalanceUsd).toBe(decimalFromNanoUsd(left - used));
      }
    };
    await Promise.all([
      write(),
      read().finally(() => {
        reading = false;
      }),
    ]);
  });

  it('of a month without anything is a quiet one', async () => {
    const quiet = await fixture.ask('getOwnStatement', { as: owner, params: { month: '2020-01' } });
    expect(quiet.reply).toMatchObject({ credits: [], usage: [], closingBalanceUsd: '0' });
  });
});

describe('a statement is refused', () => {
  it('of no month, and of no account', async () => {
    for (const month of ['2026-13', '2026-1', 'now']) {
      expect((await fixture.ask('getOwnStatement', { as: owner, params: { month } })).status).toBe(
        400,
      );
    }
    const future = await fixture.ask('getOwnStatement', {
      as: owner,
      params: { month: '9999-12' },
    });
    expect([future.status, future.problem.detail]).toEqual([
      404,
      expect.stringContaining('not begun'),
    ]);
    const params = { accountId: '00000000-0000-7000-8000-000000000000', month: THIS_MONTH };
    expect((await fixture.ask('getStatement', { as: admin, params })).problem.code).toBe(
      'not_found',
    );
  });
});
