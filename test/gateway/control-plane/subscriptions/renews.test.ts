import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminContext } from '../../../../gateway/control-plane/api/context.ts';
import type { Mail } from '../../../../gateway/control-plane/mail/mailer.ts';
import { renewSubscriptions } from '../../../../gateway/control-plane/subscriptions/renew-subscriptions.ts';
import type {
  CreditEntry,
  HoldOutcome,
  HoldRequest,
  Ledger,
  ReleaseRequest,
} from '../../../../gateway/ledger/ledger.ts';
import { TEST_SECRETS } from '../../../support/seed.ts';
import {
  availableOf,
  giveMoney,
  makeCatalog,
  makeRichUser,
  type Catalog,
} from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { buyPlan, makePlan, subscriptionOf } from '../support/plans.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;
const mails: Mail[] = [];
const LEDGER_AWAY: HoldOutcome = { code: 'ledger_unavailable', cause: 'away' };

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(() => fixture.close());

const rich = (amountUsd = '100') => makeRichUser(fixture, { admin, amountUsd });
const buy = (as: Person, planId: string, body?: object) => buyPlan(fixture, as, planId, body);

/** Returns the context of the periodic job; `ledger` replaces a part of it. */
function context(ledger: Partial<Pick<Ledger, 'hold'>> = {}): AdminContext {
  return {
    pool: fixture.pool,
    ledger: {
      hold: (request: HoldRequest) => fixture.ledger.hold(request),
      release: (request: ReleaseRequest) => fixture.ledger.release(request),
      credit: (entry: CreditEntry) => fixture.ledger.credit(entry),
      ...ledger,
    },
    secrets: TEST_SECRETS,
    consoleUrl: 'http://console.test',
    logger: fixture.app.log,
    mailer: { sendInTurn: (mail: Mail) => Promise.resolve(void mails.push(mail)) },
  } as unknown as AdminContext;
}

/** The texts of the mails to somebody. */
const mailsTo = ({ email }: Person) =>
  mails.filter(({ to }) => to === email).map(({ text }) => text);

function daysLeft(subscription: { endsAt: string } | undefined): number {
  return Math.round((Date.parse(subscription?.endsAt ?? '') - Date.now()) / 86_400_000);
}

function endIn(owner: Person, interval: string) {
  return fixture.pool.query(
    'update subscriptions set ends_at = now() + $2::interval where account_id = $1',
    [owner.accountId, interval],
  );
}

describe('a subscription', () => {
  it('renews before it ends, on the terms of that day, from the balance', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId, periodDays: 10 });
    const { id } = (await buy(owner, plan.id, { renews: true })).reply;
    await endIn(owner, '2 minutes');
    await fixture.ask('updatePlan', {
      as: admin,
      anyVersion: true,
      params: { planId: plan.id },
      body: { priceUsd: '15', allowances: [{ window: 'day', limitUsd: '7' }] },
    });
    await renewSubscriptions(context());
    await renewSubscriptions(context());
    const renewed = await subscriptionOf(fixture, owner);
    expect(renewed).toMatchObject({
      id,
      status: 'active',
      windows: [{ window: 'day', limitUsd: '7' }],
    });
    expect(daysLeft(renewed)).toBe(10);
    expect(await availableOf(fixture, owner)).toBe('75');
  });

  it('is paid for again each time it renews', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId, periodDays: 10 });
    await buy(owner, plan.id, { renews: true });
    for (let turn = 0; turn < 2; turn += 1) {
      await endIn(owner, '2 minutes');
      await renewSubscriptions(context());
      expect(daysLeft(await subscriptionOf(fixture, owner))).toBe(10);
    }
    expect(await availableOf(fixture, owner)).toBe('70');
  });

  it('ends when the balance does not cover the renewal, and the owner is told', async () => {
    const owner = await rich('10');
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    await buy(owner, plan.id, { renews: true });
    await endIn(owner, '1 minute');
    await renewSubscriptions(context());
    expect((await subscriptionOf(fixture, owner))?.status).toBe('active');
    expect(mailsTo(owner)).toEqual([]);
    await endIn(owner, '-1 second');
    await renewSubscriptions(context());
    expect((await subscriptionOf(fixture, owner))?.status).toBe('ended');
    expect(mailsTo(owner)).toHaveLength(1);
    expect(mailsTo(owner)[0]).toContain('balance did not cover');
  });

  it('that could not be renewed before its end is renewed once after it', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId, periodDays: 10 });
    const { id } = (await buy(owner, plan.id, { renews: true })).reply;
    await endIn(owner, '-1 minute');
    for (let turn = 0; turn < 3; turn += 1) await renewSubscriptions(context());
    const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
    expect(data).toMatchObject([{ id, status: 'active', renews: true }]);
    expect(daysLeft(data[0])).toBe(10);
    expect(await availableOf(fixture, owner)).toBe('80');
  });

  it('stays due while the ledger is away, whether or not it is over', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    await buy(owner, plan.id, { renews: true });
    await endIn(owner, '-1 second');
    await renewSubscriptions(context({ hold: () => Promise.resolve(LEDGER_AWAY) }));
    expect((await subscriptionOf(fixture, owner))?.status).toBe('active');
    expect(mailsTo(owner)).toEqual([]);
    await renewSubscriptions(context());
    expect(daysLeft(await subscriptionOf(fixture, owner))).toBe(30);
    expect(await availableOf(fixture, owner)).toBe('80');
  });

  it.each([
    ['turns renewal off', { renews: false }],
    ['stops it', { status: 'cancelled' }],
  ])('is not paid for when somebody %s while it is being renewed', async (_what, body) => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const { id } = (await buy(owner, plan.id, { renews: true })).reply;
    await endIn(owner, '1 minute');
    const inBetween = async (request: HoldRequest): Promise<HoldOutcome> => {
      const params = { subscriptionId: id };
      await fixture.ask('updateSubscription', { as: admin, anyVersion: true, params, body });
      return fixture.ledger.hold(request);
    };
    await renewSubscriptions(context({ hold: inBetween }));
    const { data } = (await fixture.ask('listOwnSubscriptions', { as: owner })).reply;
    expect(data).toMatchObject([{ id, ...body }]);
    expect(await availableOf(fixture, owner)).toBe('90');
  });

  it('that is bought while it waits for its renewal is not renewed as well', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const { id } = (await buy(owner, plan.id, { renews: true })).reply;
    await endIn(owner, '-1 minute');
    expect((await buy(owner, plan.id, { renews: true })).reply.id).toBe(id);
    await renewSubscriptions(context());
    expect(daysLeft(await subscriptionOf(fixture, owner))).toBe(30);
    expect(await availableOf(fixture, owner)).toBe('80');
  });

  it('that is over can be told not to renew', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    const { id } = (await buy(owner, plan.id, { renews: true })).reply;
    await endIn(owner, '-1 minute');
    const params = { subscriptionId: id };
    const body = { renews: false };
    expect((await fixture.ask('updateOwnSubscription', { as: owner, params, body })).status).toBe(
      200,
    );
    await renewSubscriptions(context());
    expect((await subscriptionOf(fixture, owner))?.status).toBe('ended');
    expect(await availableOf(fixture, owner)).toBe('90');
  });

  it('that does not renew ends by itself', async () => {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    await buy(owner, plan.id);
    await endIn(owner, '-1 second');
    await renewSubscriptions(context());
    expect((await subscriptionOf(fixture, owner))?.status).toBe('ended');
    expect(await availableOf(fixture, owner)).toBe('90');
  });
});

describe('a renewal that fails for good', () => {
  /** A subscription that renews and is over. */
  async function overdue() {
    const owner = await rich();
    const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
    await buy(owner, plan.id, { renews: true });
    await endIn(owner, '-1 second');
    return { owner, plan };
  }

  it.each([
    ['en', 'no longer for sale'],
    ['zh-CN', '套餐已停售'],
  ])('as the plan is not for sale is told as that, in %s', async (language, words) => {
    const { owner, plan } = await overdue();
    await fixture.pool.query('update users set language = $2 where id = $1', [
      owner.userId,
      language,
    ]);
    await fixture.ask('updatePlan', {
      as: admin,
      anyVersion: true,
      params: { planId: plan.id },
      body: { status: 'disabled' },
    });
    await renewSubscriptions(context());
    expect((await subscriptionOf(fixture, owner))?.status).toBe('ended');
    expect(mailsTo(owner)).toHaveLength(1);
    expect(mailsTo(owner)[0]).toContain(words);
  });

  it('as the account is suspended is told as that', async () => {
    const { owner } = await overdue();
    await fixture.pool.query(`update accounts set status = 'suspended' where id = $1`, [
      owner.accountId,
    ]);
    await renewSubscriptions(context());
    expect(mailsTo(owner)).toHaveLength(1);
    expect(mailsTo(owner)[0]).toContain('suspended');
  });

  it('is told once, also when the end could not be written at first', async () => {
    const { owner } = await overdue();
    await giveMoney(fixture, { admin, to: owner, amountUsd: '-90' });
    await fixture.pool.query(
      `alter table subscriptions add constraint broken
       check (account_id <> '${owner.accountId}' or status <> 'ended') not valid`,
    );
    await renewSubscriptions(context());
    await fixture.pool.query('alter table subscriptions drop constraint broken');
    expect(mailsTo(owner)).toEqual([]);
    await renewSubscriptions(context());
    await renewSubscriptions(context());
    expect((await subscriptionOf(fixture, owner))?.status).toBe('ended');
    expect(mailsTo(owner)).toHaveLength(1);
  });
});
