import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let owner: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  owner = await fixture.user();
});
afterAll(() => fixture.close());

function credit(body: object, headers: Record<string, string> = {}) {
  const params = { accountId: owner.accountId };
  return fixture.ask('createCredit', {
    as: admin,
    params,
    headers,
    body: { amountUsd: '1', reason: 'why', ...body },
  });
}

async function countCredits(): Promise<number> {
  return (await fixture.pool.query('select 1 from credits')).rows.length;
}

describe('a credit is refused', () => {
  it.each([
    [{ amountUsd: 1 }, 'amountUsd'],
    [{ amountUsd: '1.0000000001' }, 'amountUsd'],
    [{ amountUsd: '1e3' }, 'amountUsd'],
    [{ amountUsd: '9007200' }, 'amountUsd'],
    [{ amountUsd: '0' }, 'amountUsd'],
    [{ amountUsd: '-0.0' }, 'amountUsd'],
    [{ reason: '' }, 'reason'],
    [{ reason: '   ' }, 'reason'],
    [{ kind: 'redemption' }, 'kind'],
  ])('with %j', async (body, field) => {
    const before = await countCredits();
    const { problem, status } = await credit(body);
    expect(status).toBe(400);
    expect(problem.errors?.[0]?.field).toBe(field);
    expect(await countCredits()).toBe(before);
  });

  it('without a reason', async () => {
    const params = { accountId: owner.accountId };
    const given = await fixture.ask('createCredit', {
      as: admin,
      params,
      body: { amountUsd: '1' },
    });
    expect(given.problem.code).toBe('missing_required_parameter');
  });

  it('without an Idempotency-Key, and with one that is none', async () => {
    const { url } = { url: `/api/v1/accounts/${owner.accountId}/credits` };
    const bare = await fixture.app.inject({
      method: 'POST',
      url,
      headers: { cookie: admin.cookie },
      payload: { amountUsd: '1', reason: 'why' },
    });
    expect(bare.json()).toMatchObject({ status: 400, code: 'idempotency_key_required' });
    for (const key of ['short', 'with a space in it', 'x'.repeat(129)]) {
      expect((await credit({}, { 'idempotency-key': key })).problem.code).toBe('invalid_value');
    }
  });

  it('with an Idempotency-Key that was used for something else', async () => {
    const headers = { 'idempotency-key': 'used-before' };
    expect((await credit({ amountUsd: '1' }, headers)).status).toBe(201);
    const other = await credit({ amountUsd: '2' }, headers);
    expect(other.problem).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });

  it('to an account that does not exist', async () => {
    const params = { accountId: '00000000-0000-7000-8000-000000000000' };
    const body = { amountUsd: '1', reason: 'why' };
    const given = await fixture.ask('createCredit', { as: admin, params, body });
    expect(given.problem.code).toBe('not_found');
  });

  it('that would make the balance larger than can be held exactly', async () => {
    const rich = await fixture.user();
    const params = { accountId: rich.accountId };
    const give = (amountUsd: string) =>
      fixture.ask('createCredit', { as: admin, params, body: { amountUsd, reason: 'why' } });
    expect((await give('9000000')).status).toBe(201);
    const { status, problem } = await give('7200');
    expect(status).toBe(400);
    expect(problem).toMatchObject({
      code: 'invalid_value',
      detail: expect.stringContaining('9,007,199 USD') as string,
    });
    expect((await give('7199')).status).toBe(201);
  });

  it('to be changed or taken out of the book', async () => {
    await credit({});
    await expect(fixture.pool.query('update credits set amount_nano_usd = 0')).rejects.toThrow(
      'append-only',
    );
    await expect(fixture.pool.query('delete from credits')).rejects.toThrow('append-only');
  });
});
