import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChannelCreate } from '@weir/shared/catalog/channels';
import type { UpstreamBalanceView } from '@weir/shared/prices/upstream-balances';
import { readUpstreamBalances } from '../../../../gateway/control-plane/upstream-balances/read-balances.ts';
import { balanceApiOf } from '../../../../gateway/control-plane/upstream-balances/balance-apis.ts';
import { jobContext } from '../support/context.ts';
import { startFakeVendor, type FakeVendor } from '../support/fakes/fake-vendor.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

const SECRET = 'vendor-credential-0123456789';

let fixture: AdminFixture;
let admin: Person;
let vendor: FakeVendor;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
beforeEach(async () => {
  await fixture.pool.query('delete from channels');
  vendor = await startFakeVendor();
  return () => vendor.close();
});
afterAll(() => fixture.close());

async function makeChannel(body: Partial<ChannelCreate>): Promise<{ channelId: string }> {
  const channel = { name: 'vendor', baseUrl: `${vendor.url}/v1`, allowPrivate: true };
  const made = await fixture.ask('createChannel', {
    as: admin,
    body: { credentials: [SECRET], ...channel, ...body },
  });
  return { channelId: made.reply.id };
}

const read = async (params: { channelId: string }): Promise<UpstreamBalanceView> =>
  (await fixture.ask('readUpstreamBalance', { as: admin, params })).reply;
const list = async () => (await fixture.ask('listUpstreamBalances', { as: admin })).reply.data;

describe('the balance at an upstream', () => {
  const CREDITS = { data: { total_credits: 100.5, total_usage: 25.753921049 } };
  const DEEPSEEK = {
    is_available: true,
    balance_infos: [{ currency: 'CNY', total_balance: '110.00', granted_balance: '10.00' }],
  };
  const CASES = [
    { api: 'openrouter', path: '/api/v1/credits', reply: CREDITS, balance: '74.746078951' },
    { api: 'deepseek', path: '/user/balance', reply: DEEPSEEK, balance: '110', currency: 'CNY' },
    {
      api: 'siliconflow',
      path: '/v1/user/info',
      reply: { data: { totalBalance: '88.88' } },
      balance: '88.88',
    },
    {
      api: 'moonshot',
      path: '/v1/users/me/balance',
      reply: { data: { available_balance: 49.58894 } },
      balance: '49.58894',
    },
    {
      api: 'moonshot',
      path: '/v1/users/me/balance',
      reply: { data: { available_balance: -0.5 } },
      balance: '-0.5',
    },
    {
      api: 'siliconflow-cn',
      path: '/v1/user/info',
      reply: { data: { totalBalance: '88.88' } },
      balance: '88.88',
      currency: 'CNY',
    },
    {
      api: 'moonshot-cn',
      path: '/v1/users/me/balance',
      reply: { data: { available_balance: 49.58894 } },
      balance: '49.58894',
      currency: 'CNY',
    },
    {
      api: 'novita',
      path: '/openapi/v1/billing/balance/detail',
      reply: { availableBalance: '1000001' },
      balance: '100.0001',
    },
  ] as const;

  it.each(CASES)('is read as $api tells it, at $path', async (example) => {
    const { api, path, reply, balance } = example;
    const currency = 'currency' in example ? example.currency : 'USD';
    vendor.answer(path, reply);
    const params = await makeChannel({ balanceApi: api });
    expect(await read(params)).toMatchObject({ balance, currency, error: null, api });
    expect(vendor.asked).toEqual([{ path, authorization: `Bearer ${SECRET}` }]);
  });

  it('is what is left of the key at OpenRouter, which tells the rest to management keys only', async () => {
    vendor.answer('/api/v1/credits', { status: 403, error: { message: 'Only management keys' } });
    vendor.answer('/api/v1/key', { data: { limit: 100, limit_remaining: 74.5 } });
    const params = await makeChannel({ balanceApi: 'openrouter' });
    expect(await read(params)).toMatchObject({ balance: '74.5', error: null });
    vendor.answer('/api/v1/key', { data: { limit: null, limit_remaining: null } });
    expect(await read(params)).toMatchObject({ error: 'HTTP 403: Only management keys' });
  });

  it('is asked for where the address is a known vendor’s, unless the operator says otherwise', () => {
    const api = (baseUrl: string, balanceApi: ChannelCreate['balanceApi'] = null) =>
      balanceApiOf({ baseUrl, balanceApi: balanceApi ?? null });
    expect(api('https://openrouter.ai/api/v1')).toBe('openrouter');
    expect(api('https://api.deepseek.com')).toBe('deepseek');
    expect(api('https://api.siliconflow.com/v1')).toBe('siliconflow');
    expect(api('https://api.siliconflow.cn/v1')).toBe('siliconflow-cn');
    expect(api('https://api.moonshot.cn/v1')).toBe('moonshot-cn');
    expect(api('https://api.moonshot.ai/v1')).toBe('moonshot');
    expect(api('https://api.novita.ai/openai/v1')).toBe('novita');
    expect(api('https://api.openai.com/v1')).toBeUndefined();
    expect(api('https://openrouter.ai.example.org/v1')).toBeUndefined();
    expect(api('https://api.deepseek.com', 'none')).toBeUndefined();
    expect(api('https://proxy.example.org/v1', 'deepseek')).toBe('deepseek');
  });

  it('is the least of its credentials: requests of that one fail first', async () => {
    const rich = { data: { totalBalance: '50' } };
    vendor.answer('/v1/user/info', rich);
    vendor.answer('/v1/user/info', { data: { totalBalance: '2.5' } }, 'second-credential');
    const credentials = [SECRET, 'second-credential', 'third-credential'];
    const params = await makeChannel({ balanceApi: 'siliconflow', credentials });
    expect(await read(params)).toMatchObject({ balance: '2.5' });
    expect(vendor.asked).toHaveLength(3);
  });

  it('stays with the time when it was read, while it cannot be read any more', async () => {
    vendor.answer('/v1/user/info', { data: { totalBalance: '50' } });
    const params = await makeChannel({ balanceApi: 'siliconflow' });
    const { readAt } = await read(params);
    const message = `bad key ${SECRET}`;
    vendor.answer('/v1/user/info', { status: 401, error: { message } });
    const failed = await read(params);
    expect(failed).toMatchObject({ balance: '50', readAt, error: 'HTTP 401: bad key […]' });
    expect(failed.error).not.toContain(SECRET);
    expect(JSON.stringify(await list())).not.toContain(SECRET);
  });

  it.each([{ data: {} }, { data: { totalBalance: 'much' } }, [], { data: null }, { status: 404 }])(
    'is never made up: %j has none',
    async (reply) => {
      vendor.answer('/v1/user/info', reply);
      const params = await makeChannel({ balanceApi: 'siliconflow' });
      const view = await read(params);
      expect(view).toMatchObject({ balance: null, currency: null, readAt: null });
      expect(view.error).not.toBe('');
      expect(view.error).not.toBeNull();
    },
  );

  it('is not asked for where no way is known', async () => {
    const params = await makeChannel({});
    const answered = await fixture.ask('readUpstreamBalance', { as: admin, params });
    expect(answered.problem.code).toBe('state_conflict');
    expect(await list()).toEqual([]);
  });
});

describe('the job that reads balances', () => {
  it('asks each upstream that is due, and goes on where one fails', async () => {
    vendor.answer('/v1/user/info', { data: { totalBalance: '50' } });
    await makeChannel({ name: 'a', baseUrl: 'http://127.0.0.1:1', balanceApi: 'moonshot' });
    await makeChannel({ name: 'b', balanceApi: 'siliconflow' });
    await makeChannel({ name: 'c', balanceApi: 'siliconflow', credentials: [] });
    await makeChannel({ name: 'd', balanceApi: 'siliconflow', status: 'disabled' });
    await makeChannel({ name: 'e' });
    const context = await jobContext(fixture);
    await readUpstreamBalances(context);
    const [away, read, without, ...others] = await list();
    expect(away?.balance).toBeNull();
    expect(away?.error).toContain('ECONNREFUSED');
    expect(read).toMatchObject({ balance: '50', error: null });
    expect(without).toMatchObject({ error: 'The channel has no active credential.' });
    expect(others).toEqual([]);
    await readUpstreamBalances(context);
    expect(vendor.asked).toHaveLength(1);
    await fixture.pool.query(
      `update upstream_balances set asked_at = now() - interval '11 minutes'`,
    );
    await readUpstreamBalances(context);
    expect(vendor.asked).toHaveLength(2);
  });
});
