import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendDeliveries } from '../../../../gateway/control-plane/deliveries/send-deliveries.ts';
import { notifyCustomers } from '../../../../gateway/control-plane/notices/notify-customers.ts';
import { giveMoney, makeCatalog, makeKey, makeRichUser, type Catalog } from '../support/catalog.ts';
import { jobContext } from '../support/context.ts';
import { startFakeSmtp, textOfMail, type FakeSmtp } from '../support/fakes/fake-smtp.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { buyPlan, makePlan } from '../support/plans.ts';
import { insertUsage } from '../support/usage.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;
let smtp: FakeSmtp;

const USD = 1_000_000_000;
const OFF = { lowBalanceUsd: null, budgetPercent: null, planEndingDays: null };

beforeAll(async () => {
  smtp = await startFakeSmtp();
  fixture = await createAdminFixture({ config: { smtpUrl: smtp.url } });
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
beforeEach(() => {
  smtp.delivered.length = 0;
});
afterAll(async () => {
  await fixture.close();
  smtp.close();
});

const rich = (amountUsd: string) => makeRichUser(fixture, { admin, amountUsd });
const give = (to: Person, amountUsd: string) => giveMoney(fixture, { admin, to, amountUsd });
const choose = (as: Person, settings: object) =>
  fixture.ask('updateNoticeSettings', { as, body: { ...OFF, ...settings } });

/** The texts of the mails that somebody got by this round. */
async function told({ email }: Person): Promise<string[]> {
  smtp.delivered.length = 0;
  const context = await jobContext(fixture, { smtp });
  await notifyCustomers(context);
  await sendDeliveries(context);
  return smtp.delivered.filter((mail) => mail.includes(`To: ${email}`)).map(textOfMail);
}

describe('the notice of a low balance', () => {
  it('is off until a threshold is set', async () => {
    const owner = await fixture.user();
    const settings = await fixture.ask('getNoticeSettings', { as: owner });
    expect(settings.reply).toEqual({ lowBalanceUsd: null, budgetPercent: 90, planEndingDays: 3 });
    expect(await told(owner)).toEqual([]);
  });

  it('comes once when the balance falls below, and again only after it was above', async () => {
    const owner = await rich('10');
    await choose(owner, { lowBalanceUsd: '5' });
    expect(await told(owner)).toEqual([]);
    await give(owner, '-5.5');
    const [mail, ...more] = await told(owner);
    expect(more).toEqual([]);
    expect(mail).toContain('is $4.5, below the $5 that you set');
    expect(mail).toContain('http://console.test/billing');
    await give(owner, '-1');
    expect(await told(owner)).toEqual([]);
    // More money, and still not enough.
    await give(owner, '0.5');
    expect(await told(owner)).toEqual([]);
    await give(owner, '2');
    expect(await told(owner)).toEqual([]);
    await give(owner, '-2');
    expect(await told(owner)).toHaveLength(1);
  });

  it('comes in the language of the reader, to everybody who may log in', async () => {
    const owner = await rich('1');
    await fixture.ask('updateOwnUser', { as: owner, body: { language: 'zh-CN' } });
    await choose(owner, { lowBalanceUsd: '5' });
    expect((await told(owner))[0]).toContain('低于你设置的 $5');
    await give(owner, '9');
    await told(owner);
    await fixture.pool.query('update users set disabled_at = now() where id = $1', [owner.userId]);
    await give(owner, '-9');
    expect(await told(owner)).toEqual([]);
  });

  it('does not go to an address that must be confirmed first', async () => {
    const owner = await rich('1');
    await choose(owner, { lowBalanceUsd: '5' });
    const confirm = 'update users set must_verify_email = true where id = $1';
    await fixture.pool.query(confirm, [owner.userId]);
    expect(await told(owner)).toEqual([]);
  });

  it('is sent once by two gateways', async () => {
    const owner = await rich('1');
    await choose(owner, { lowBalanceUsd: '5' });
    const contexts = await Promise.all([1, 2, 3].map(() => jobContext(fixture, { smtp })));
    await Promise.all(contexts.map(notifyCustomers));
    await Promise.all(contexts.map(sendDeliveries));
    const mails = smtp.delivered.filter((mail) => mail.includes(`To: ${owner.email}`));
    expect(mails).toHaveLength(1);
  });

  it('is not used up while there is no mail server', async () => {
    const owner = await rich('1');
    await choose(owner, { lowBalanceUsd: '5' });
    await notifyCustomers(await jobContext(fixture));
    expect(await told(owner)).toHaveLength(1);
  });

  it('can be turned off, and no threshold is zero', async () => {
    const owner = await rich('1');
    const zero = await choose(owner, { lowBalanceUsd: '0.00' });
    expect(zero.problem).toMatchObject({
      code: 'invalid_value',
      errors: [{ field: 'lowBalanceUsd' }],
    });
    await choose(owner, { lowBalanceUsd: '5' });
    const off = await choose(owner, {});
    expect(off.reply).toEqual(OFF);
    expect(await told(owner)).toEqual([]);
  });
});

describe('the notice of a used budget', () => {
  async function withBudget(budget: object) {
    const owner = await rich('50');
    const key = await makeKey(fixture, owner, catalog.groupId);
    const change = (body: object) =>
      fixture.ask('updateKey', { as: owner, params: { keyId: key.id }, anyVersion: true, body });
    await change(budget);
    const use = (usd: number) =>
      insertUsage(fixture.pool, [
        {
          accountId: owner.accountId,
          keyId: key.id,
          groupId: catalog.groupId,
          model: catalog.publicId,
          costNanoUsd: usd * USD,
          balanceNanoUsd: usd * USD,
        },
      ]);
    return { owner, use, change };
  }

  it('comes once for each budget when so much of it is used', async () => {
    const { owner, use, change } = await withBudget({
      budgetMonthUsd: '10',
      budgetTotalUsd: '100',
    });
    await use(8);
    expect(await told(owner)).toEqual([]);
    await use(1);
    const [mail, ...more] = await told(owner);
    expect(more).toEqual([]);
    expect(mail).toContain('has used $9 of its budget of the month of $10');
    await use(1);
    expect(await told(owner)).toEqual([]);
    // A larger budget is another one.
    await change({ budgetMonthUsd: '11' });
    expect(await told(owner)).toHaveLength(1);
  });

  it('obeys the percentage of the account, and none is none', async () => {
    const { owner, use } = await withBudget({ budgetDayUsd: '10' });
    await choose(owner, { budgetPercent: null });
    await use(9.5);
    expect(await told(owner)).toEqual([]);
    await choose(owner, { budgetPercent: 100 });
    expect(await told(owner)).toEqual([]);
    await choose(owner, { budgetPercent: 50 });
    expect(await told(owner)).toHaveLength(1);
  });

  it('is no news of a key that is no longer used', async () => {
    const { owner, use } = await withBudget({ budgetTotalUsd: '1' });
    await use(1);
    const old = "update keys set last_used_at = now() - interval '2 days' where account_id = $1";
    await fixture.pool.query(old, [owner.accountId]);
    expect(await told(owner)).toEqual([]);
  });
});

describe('the notice of a used budget of account, team or member', () => {
  it('comes once for each of them, and not of a member who left', async () => {
    const owner = await rich('50');
    const key = await makeKey(fixture, owner, catalog.groupId);
    const { rows } = await fixture.pool.query<{ teamId: number; memberId: number }>(
      `with team as (insert into teams (account_id, name) values ($1, 'Research') returning id)
       update members set team_id = team.id from team where account_id = $1 returning team_id as "teamId", members.id as "memberId"`,
      [owner.accountId],
    );
    const { teamId = 0, memberId = 0 } = rows[0] ?? {};
    const set = (budgetScope: string, body: object) =>
      fixture.ask('updateBudget', { as: owner, params: { budgetScope }, body });
    await set('account', { monthUsd: '10' });
    await set(`team:${String(teamId)}`, { totalUsd: '9' });
    await set(`member:${String(memberId)}`, { dayUsd: '9.5', monthUsd: '1000' });
    const use = (usd: number) =>
      insertUsage(fixture.pool, [
        {
          accountId: owner.accountId,
          keyId: key.id,
          groupId: catalog.groupId,
          model: catalog.publicId,
          memberId,
          teamId,
          costNanoUsd: usd * USD,
          balanceNanoUsd: usd * USD,
        },
      ]);
    await use(8);
    expect(await told(owner)).toEqual([]);
    await use(1);
    const mails = (await told(owner)).toSorted();
    expect(mails).toHaveLength(3);
    expect(mails.join('\n')).toContain('The team "Research"');
    expect(mails.join('\n')).toContain('has used $9 of its budget of the month of $10');
    expect(mails.join('\n')).toContain(`The member "${owner.email}"`);
    await use(0.1);
    expect(await told(owner)).toEqual([]);
    // A larger budget is another one.
    await set(`member:${String(memberId)}`, { dayUsd: '9.6' });
    expect(await told(owner)).toHaveLength(1);
    await set(`member:${String(memberId)}`, { dayUsd: '9.7' });
    const leave = 'update members set ended_at = now() where account_id = $1';
    await fixture.pool.query(leave, [owner.accountId]);
    await told(owner);
    // Of the account, the team, and two budgets of the member before they left.
    const sent = `select count(*)::integer as count from sent_notices where kind = 'shared_budget' and account_id = $1`;
    const { rows: counted } = await fixture.pool.query<{ count: number }>(sent, [owner.accountId]);
    expect(counted).toEqual([{ count: 4 }]);
  });
});

describe('the notice of an ending plan', () => {
  async function withPlan(body: { renews: boolean }, amountUsd = '50', periodDays = 30) {
    const owner = await rich(amountUsd);
    const options = { groupId: catalog.groupId, priceUsd: '10', periodDays };
    const plan = await makePlan(fixture, admin, options);
    await buyPlan(fixture, owner, plan.id, body);
    const endIn = (interval: string) =>
      fixture.pool.query(
        'update subscriptions set ends_at = now() + $2::interval where account_id = $1',
        [owner.accountId, interval],
      );
    return { owner, plan, endIn };
  }

  it('comes once, so many days before', async () => {
    const { owner, plan, endIn } = await withPlan({ renews: false });
    await endIn('3 days 1 hour');
    expect(await told(owner)).toEqual([]);
    await choose(owner, { planEndingDays: 5 });
    const [mail] = await told(owner);
    expect(mail).toContain(`Your plan "${plan.name}"`);
    expect(mail).toContain('renewal is off');
    expect(await told(owner)).toEqual([]);
  });

  it('comes for a renewal only where the balance does not cover it', async () => {
    const covered = await withPlan({ renews: true });
    await covered.endIn('1 day');
    expect(await told(covered.owner)).toEqual([]);
    const poor = await withPlan({ renews: true }, '15');
    await poor.endIn('1 day');
    expect((await told(poor.owner))[0]).toContain('It would renew for $10');
  });

  it('does not come with the purchase of a short plan, nor when it is turned off', async () => {
    const short = await withPlan({ renews: false }, '50', 1);
    expect(await told(short.owner)).toEqual([]);
    await short.endIn('11 hours');
    expect(await told(short.owner)).toHaveLength(1);
    const off = await withPlan({ renews: false });
    await choose(off.owner, {});
    await off.endIn('1 day');
    expect(await told(off.owner)).toEqual([]);
  });
});
