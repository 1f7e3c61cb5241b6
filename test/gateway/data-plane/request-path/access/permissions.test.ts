/**
 * The models that a key reaches, and their channels: other requests go to no upstream and cost
 * nothing.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seal } from '../../../../../gateway/platform/secrets/secrets.ts';
import { TEST_SECRETS } from '../../../../support/seed.ts';
import {
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from '../../settlement/support/billing-fixture.ts';

let billing: BillingFixture;

beforeAll(async () => {
  billing = await openBillingFixture();
});

afterAll(async () => {
  await billing.close();
});

async function expectRefused(customer: Customer, body: object, status: number, code: string) {
  for (const stream of [false, true]) {
    const reply = await customer.send({ ...body, stream });
    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ error: { code } });
  }
  expect(billing.first.requests).toHaveLength(0);
  expect(billing.second.requests).toHaveLength(0);
  expect(await customer.bill()).toEqual({ charged: 0, records: [] });
}

/**
 * Returns the models that this key sees: the IDs of the list, and the status of one model by its
 * ID.
 */
async function listed(customer: Customer, model: string): Promise<unknown[]> {
  const ids = (await (await customer.get('/v1/models')).json()) as { data: { id: string }[] };
  const one = await customer.get(`/v1/models/${model}`);
  await one.body?.cancel();
  return [ids.data.map(({ id }) => id), one.status];
}

describe('a key', () => {
  it('does not get a model of another group', async () => {
    const other = await billing.newCustomer();
    const customer = await billing.newCustomer();
    await expectRefused(customer, { model: other.model }, 403, 'model_not_allowed');
    expect(await listed(customer, other.model)).toEqual([[customer.model], 403]);
  });

  it('that is limited to certain models gets those alone', async () => {
    const customer = await billing.newCustomer();
    const { groupId, keyId } = customer.seeded;
    const other = `other-${randomUUID()}`;
    await billing.pool.query(
      `with model as (
         insert into models (id, public_id, display_name, context_tokens_max, output_tokens_max)
         values (gen_random_uuid(), $1, $1, 8192, 512) returning id
       ), price as (
         insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd, output_nano_usd)
         select id, '2020-01-01', 1, 1, 1, 1 from model
       ), channel as (
         insert into channel_models (channel_id, model_id, upstream_name) select $3::uuid, id, $1 from model
       )
       insert into group_models (group_id, model_id) select $2::uuid, id from model`,
      [other, groupId, customer.seeded.channelIds[0]],
    );
    await billing.pool.query('update keys set model_allowlist = $2 where id = $1', [
      keyId,
      [customer.model],
    ]);
    await customer.republish();
    await expectRefused(customer, { model: other }, 403, 'model_not_allowed');
    expect(await listed(customer, other)).toEqual([[customer.model], 403]);
    expect((await customer.send()).status).toBe(200);
  });

  it.each(['keys', 'groups'])(
    'whose prompt is more than the tokens a minute of its row in %s is told that waiting changes nothing',
    async (table) => {
      const customer = await billing.newCustomer();
      const { keyId, groupId } = customer.seeded;
      await billing.pool.query(`update ${table} set tpm = 1 where id = any($1)`, [
        [keyId, groupId],
      ]);
      await customer.republish();
      const { headers } = await customer.send();
      expect(headers.get('x-should-retry')).toBe('false');
      expect(headers.get('retry-after')).toBeNull();
      await expectRefused(customer, {}, 429, 'token_rate_limit_exceeded');
    },
  );
});

describe('what an administrator has switched off', () => {
  it.each([
    ['a group', 'groups', 403, 'group_disabled'],
    ['a model', 'models', 404, 'model_not_found'],
    ['all channels', 'channels', 503, 'no_channel_available'],
  ])('%s serves nothing', async (_what, table, status, code) => {
    const customer = await billing.newCustomer();
    const { groupId, channelIds } = customer.seeded;
    const column = table === 'models' ? 'public_id' : 'id::text';
    await billing.pool.query(
      `update ${table} set status = 'disabled' where ${column} = any($1::text[])`,
      [[groupId, customer.model, ...channelIds]],
    );
    await customer.republish();
    await expectRefused(customer, {}, status, code);
  });

  it('a credential is not sent any more', async () => {
    const customer = await billing.newCustomer();
    const [channelId] = customer.seeded.channelIds;
    await billing.pool.query(
      `update channel_credentials set status = 'disabled' where channel_id = $1`,
      [channelId],
    );
    await billing.pool.query(
      'insert into channel_credentials (id, channel_id, sealed) values ($1, $2, $3)',
      [randomUUID(), channelId, seal(TEST_SECRETS, 'spare')],
    );
    await customer.republish();
    for (let sent = 1; sent <= 3; sent += 1) expect((await customer.send()).status).toBe(200);
    expect(billing.first.requests.map(({ headers }) => headers['authorization'])).toEqual(
      Array.from({ length: 3 }, () => 'Bearer spare'),
    );
  });
});

it('a channel that is reserved for a group serves no other', async () => {
  const other = await billing.newCustomer();
  const customer = await billing.newCustomer();
  const [first] = customer.seeded.channelIds;
  await billing.pool.query('insert into channel_groups (channel_id, group_id) values ($1, $2)', [
    first,
    other.seeded.groupId,
  ]);
  await customer.republish();
  expect((await customer.send()).status).toBe(200);
  expect(billing.first.requests).toHaveLength(0);
  expect(billing.second.requests).toHaveLength(1);
});
