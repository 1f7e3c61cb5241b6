import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCredit } from '../../../../gateway/control-plane/credits/add-credit.ts';
import { reconcileRecords } from '../../../../gateway/ledger/reconcile/reconcile-postgres.ts';
import { makeCatalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { buyPlan, makePlan } from '../support/plans.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

async function credit(owner: Person, kind: 'adjustment' | 'top_up' | 'refund', amountUsd: string) {
  const given = await fixture.ask('createCredit', {
    as: admin,
    params: { accountId: owner.accountId },
    body: { kind, amountUsd, reason: 'why' },
  });
  expect(given.status).toBe(201);
}

async function redeemOne(owner: Person) {
  const made = await fixture.ask('createRedemptionBatch', {
    as: admin,
    body: { name: 'spring', count: 1, kind: 'balance', amountUsd: '5' },
  });
  const body = { code: made.reply.codes[0] };
  expect((await fixture.ask('redeemCode', { as: owner, body })).status).toBe(201);
}

/**
 * Credits that the system gives, as addCredit gets them from the registration and the first start.
 */
async function welcome({ accountId }: Person, kind: 'adjustment' | 'bootstrap', cause: string) {
  const entryId = `${cause}:${accountId}`;
  const amountNanoUsd = 1_000_000_000;
  await addCredit(fixture.pool, {
    entryId,
    accountId,
    amountNanoUsd,
    kind,
    reason: '',
    actor: 'system',
  });
}

it('the journal books as cash what was paid or paid out, and every other credit against what it is', async () => {
  const owner = await fixture.user();
  const { groupId } = await makeCatalog(fixture, admin);
  const plan = await makePlan(fixture, admin, { groupId, priceUsd: '10' });
  await credit(owner, 'top_up', '20');
  await credit(owner, 'adjustment', '3');
  await credit(owner, 'refund', '2');
  await credit(owner, 'refund', '-4');
  await redeemOne(owner);
  await welcome(owner, 'adjustment', 'registration');
  await welcome(owner, 'bootstrap', 'bootstrap');
  expect((await buyPlan(fixture, owner, plan.id)).status).toBe(201);
  const { rows } = await fixture.pool.query<{ entry: string }>(
    `select debit || ' ' || amount_nano_usd / 1000000000 as entry from journal_entries
     where account_id = $1 and credit = 'customer_balance' order by id`,
    [owner.accountId],
  );
  expect(rows.map(({ entry }) => entry)).toEqual([
    'cash 20',
    'adjustments 3',
    'adjustments 2',
    'cash -4',
    'redemption_codes 5',
    'welcome_credits 1',
    'welcome_credits 1',
    'plan_revenue -10',
  ]);
  expect(await reconcileRecords(fixture.pool)).toEqual([]);
});
