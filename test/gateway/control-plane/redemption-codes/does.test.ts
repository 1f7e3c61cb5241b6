import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableOf, makeCatalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { makePlan } from '../support/plans.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

async function makeBatch(body: object = {}) {
  const made = await fixture.ask('createRedemptionBatch', {
    as: admin,
    body: { name: 'spring', count: 1, kind: 'balance', amountUsd: '5', ...body },
  });
  return made.reply;
}

function redeem(as: Person, code: string) {
  return fixture.ask('redeemCode', { as, body: { code } });
}

describe('a batch of codes', () => {
  it('is made at once, each code another, none stored in clear', async () => {
    const batch = await makeBatch({ count: 500 });
    expect(new Set(batch.codes).size).toBe(500);
    expect(batch.codes[0]).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
    const { rows } = await fixture.pool.query('select * from redemption_codes');
    expect(JSON.stringify(rows)).not.toContain(batch.codes[0]);
    expect(batch).toMatchObject({ count: 500, redeemedCount: 0, disabledCount: 0 });
  });

  it('is exported as CSV, which leaves an audit entry without the codes', async () => {
    const batch = await makeBatch({ count: 3 });
    const params = { batchId: batch.id };
    const file = await fixture.ask('exportRedemptionBatch', { as: admin, params });
    expect(file.headers['content-type']).toContain('text/csv');
    expect(String(file.headers['content-disposition'])).toContain('attachment');
    expect(file.text.startsWith('\uFEFFcode,')).toBe(true);
    const lines = file.text.trim().split('\r\n');
    expect(lines[0]).toBe('code,status,redeemed_at,expires_at');
    expect(
      lines
        .slice(1)
        .map((line) => line.split(',')[0])
        .toSorted(),
    ).toEqual(batch.codes.toSorted());
    const log = await fixture.ask('listAuditEntries', {
      as: admin,
      query: { subjectId: batch.id },
    });
    expect(log.reply.data.map(({ action }) => action)).toContain('exportRedemptionBatch');
    for (const code of batch.codes) expect(log.text).not.toContain(code);
  });

  it('is exported with the states that the list shows', async () => {
    const expiresAt = '2100-01-01T00:00:00.000Z';
    const batch = await makeBatch({ count: 3, expiresAt });
    const params = { batchId: batch.id };
    const list = async () => {
      const { data } = (await fixture.ask('listRedemptionCodes', { as: admin, query: params }))
        .reply;
      return data.map(({ status }) => status).toSorted();
    };
    const exported = async () => {
      const { text } = await fixture.ask('exportRedemptionBatch', { as: admin, params });
      const lines = text.trim().split('\r\n').slice(1);
      return lines.map((line) => line.split(',')[1]).toSorted();
    };
    await redeem(await fixture.user(), batch.codes[0] ?? '');
    const { data } = (await fixture.ask('listRedemptionCodes', { as: admin, query: params })).reply;
    const redemptionCodeId = data.find(({ status }) => status === 'active')?.id ?? '';
    await fixture.ask('updateRedemptionCode', {
      as: admin,
      params: { redemptionCodeId },
      body: { status: 'disabled' },
    });
    expect(await list()).toEqual(['active', 'disabled', 'redeemed']);
    expect(await exported()).toEqual(await list());
    await fixture.pool.query(
      `update redemption_batches set expires_at = now() - interval '1 second' where id = $1`,
      [batch.id],
    );
    expect(await list()).toEqual(['disabled', 'expired', 'redeemed']);
    expect(await exported()).toEqual(await list());
  });

  it('is answered alike when it is asked for again with the same key', async () => {
    const headers = { 'idempotency-key': 'one-batch-please' };
    const body = { name: 'once', count: 2, kind: 'balance', amountUsd: '1' };
    const first = await fixture.ask('createRedemptionBatch', { as: admin, headers, body });
    const second = await fixture.ask('createRedemptionBatch', { as: admin, headers, body });
    expect(second.reply).toEqual(first.reply);
    const { rows } = await fixture.pool.query<{ sealed: string }>(
      'select reply_sealed as sealed from idempotency_keys',
    );
    expect(JSON.stringify(rows)).not.toContain(first.reply.codes[0]);
  });

  it('counts what became of its codes and lists them by state', async () => {
    const batch = await makeBatch({ count: 3 });
    const owner = await fixture.user();
    await redeem(owner, batch.codes[0] ?? '');
    const query = { batchId: batch.id };
    const list = await fixture.ask('listRedemptionCodes', { as: admin, query });
    const left = list.reply.data.find(({ status }) => status === 'active');
    await fixture.ask('updateRedemptionCode', {
      as: admin,
      params: { redemptionCodeId: left?.id ?? '' },
      body: { status: 'disabled' },
    });
    const { data } = (await fixture.ask('listRedemptionBatches', { as: admin })).reply;
    const listed = data.find(({ id }) => id === batch.id);
    expect(listed).toMatchObject({ count: 3, redeemedCount: 1, disabledCount: 1 });
    const params = { batchId: batch.id };
    const read = await fixture.ask('getRedemptionBatch', { as: admin, params });
    expect(read.reply).toEqual(listed);
    const redeemed = await fixture.ask('listRedemptionCodes', {
      as: admin,
      query: { ...query, status: 'redeemed' },
    });
    expect(redeemed.reply.data).toMatchObject([{ redeemedByAccountId: owner.accountId }]);
  });
});

describe('redeeming', () => {
  it('credits the amount, however the code is typed', async () => {
    const owner = await fixture.user();
    const { codes } = await makeBatch({ count: 3, amountUsd: '2.5' });
    const [first = '', second = '', third = ''] = codes;
    const redeemed = await redeem(owner, first);
    expect(redeemed.reply).toMatchObject({ kind: 'balance', amountUsd: '2.5', subscription: null });
    await redeem(owner, second.toLowerCase().replaceAll('-', ''));
    await redeem(owner, ` ${third.replaceAll('0', 'o').replaceAll('1', 'l')} `);
    expect(await availableOf(fixture, owner)).toBe('7.5');
  });

  it('a plan’s code starts the plan, and a second one prolongs it', async () => {
    const owner = await fixture.user();
    const { groupId } = await makeCatalog(fixture, admin);
    const plan = await makePlan(fixture, admin, { groupId, periodDays: 10 });
    const made = await fixture.ask('createRedemptionBatch', {
      as: admin,
      body: { name: 'plans', count: 2, kind: 'plan', planId: plan.id },
    });
    const [one = '', two = ''] = made.reply.codes;
    const started = (await redeem(owner, one)).reply.subscription;
    const prolonged = (await redeem(owner, two)).reply.subscription;
    expect(prolonged?.id).toBe(started?.id);
    const days = (Date.parse(prolonged?.endsAt ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(20);
    expect(await availableOf(fixture, owner)).toBe('0');
  });
});

describe('a code that was redeemed', () => {
  it('is told so, also when its attempts cannot be forgotten', async () => {
    const batch = await makeBatch();
    const owner = await fixture.user();
    await fixture.pool.query(`
      create function keep_attempts() returns trigger language plpgsql
        as $$ begin raise exception 'kept'; end $$;
      create trigger keep_attempts before delete on attempt_counters
        for each row execute function keep_attempts()`);
    const redeemed = await redeem(owner, batch.codes[0] ?? '');
    await fixture.pool.query('drop function keep_attempts cascade');
    expect(redeemed.status).toBe(201);
    expect(await availableOf(fixture, owner)).toBe('5');
  });
});
