import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableOf } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

const NOBODY = '00000000-0000-7000-8000-000000000000';

function makeBatch(body: object) {
  return fixture.ask('createRedemptionBatch', {
    as: admin,
    body: { name: 'batch', count: 1, kind: 'balance', amountUsd: '5', ...body },
  });
}

function redeem(as: Person, code: string) {
  return fixture.ask('redeemCode', { as, body: { code } });
}

describe('a batch is refused', () => {
  it.each([
    [{ count: 0 }],
    [{ count: 10_001 }],
    [{ amountUsd: '0' }],
    [{ amountUsd: '-1' }],
    [{ amountUsd: undefined }],
    [{ kind: 'plan' }],
    [{ kind: 'plan', planId: NOBODY }],
    [{ expiresAt: '2001-01-01T00:00:00Z' }],
  ])('with %j', async (body) => {
    expect((await makeBatch(body)).status).toBe(400);
    const { rows } = await fixture.pool.query('select 1 from redemption_batches');
    expect(rows).toEqual([]);
  });

  it('to be read when there is none', async () => {
    const params = { batchId: NOBODY };
    const read = await fixture.ask('getRedemptionBatch', { as: admin, params });
    expect(read.problem.code).toBe('not_found');
  });
});

describe('a code is refused', () => {
  it('that is unknown, and nothing is credited', async () => {
    const owner = await fixture.user();
    const refused = await redeem(owner, 'AAAAA-BBBBB-CCCCC-DDDDD');
    expect(refused.problem).toMatchObject({ status: 404, code: 'code_unknown' });
    expect(await availableOf(fixture, owner)).toBe('0');
  });

  it('that was redeemed, by the same person or another', async () => {
    const [code = ''] = (await makeBatch({})).reply.codes;
    const owner = await fixture.user();
    await redeem(owner, code);
    for (const person of [owner, await fixture.user()]) {
      expect((await redeem(person, code)).problem).toMatchObject({
        status: 409,
        code: 'code_redeemed',
      });
    }
    expect(await availableOf(fixture, owner)).toBe('5');
  });

  it('that has expired', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const batch = (await makeBatch({ expiresAt })).reply;
    await fixture.pool.query('update redemption_batches set expires_at = now() where id = $1', [
      batch.id,
    ]);
    const refused = await redeem(await fixture.user(), batch.codes[0] ?? '');
    expect(refused.problem).toMatchObject({ status: 410, code: 'code_expired' });
  });

  it('that is disabled with its batch, until it is enabled again', async () => {
    const batch = (await makeBatch({})).reply;
    const params = { batchId: batch.id };
    const set = (status: string) =>
      fixture.ask('updateRedemptionBatch', { as: admin, params, body: { status } });
    await set('disabled');
    const owner = await fixture.user();
    const [code = ''] = batch.codes;
    expect((await redeem(owner, code)).problem).toMatchObject({
      status: 410,
      code: 'code_disabled',
    });
    await set('active');
    expect((await redeem(owner, code)).status).toBe(201);
  });

  it('after too many guesses of one account', async () => {
    const slow = await createAdminFixture({
      limits: { requestsPerMinute: 1e6, guardedRequestsPerMinute: 1e6, attemptsPerSubject: 4 },
    });
    const guesser = await slow.user();
    const codes: string[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const body = { code: `AAAAA-BBBBB-CCCCC-0000${String(attempt)}` };
      codes.push((await slow.ask('redeemCode', { as: guesser, body })).problem.code);
    }
    expect(codes.slice(4)).toEqual(['rate_limit_exceeded', 'rate_limit_exceeded']);
    await slow.close();
  });

  it('to be disabled once it is redeemed', async () => {
    const batch = (await makeBatch({})).reply;
    await redeem(await fixture.user(), batch.codes[0] ?? '');
    const query = { batchId: batch.id };
    const list = await fixture.ask('listRedemptionCodes', { as: admin, query });
    const tried = await fixture.ask('updateRedemptionCode', {
      as: admin,
      params: { redemptionCodeId: list.reply.data[0]?.id ?? '' },
      body: { status: 'disabled' },
    });
    expect(tried.problem.code).toBe('code_redeemed');
  });
});
