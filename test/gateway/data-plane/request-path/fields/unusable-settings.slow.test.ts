import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seal } from '../../../../../gateway/platform/secrets/secrets.ts';
import { TEST_SECRETS } from '../../../../support/seed.ts';
import {
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from '../../settlement/support/billing-fixture.ts';

/** More than it takes to open a breaker. */
const REQUESTS = 8;

let billing: BillingFixture;

beforeAll(async () => {
  billing = await openBillingFixture();
});
afterAll(() => billing.close());

async function setCredential(customer: Customer, credential: string): Promise<void> {
  await billing.pool.query('update channel_credentials set sealed = $2 where channel_id = $1', [
    customer.seeded.channelIds[0],
    seal(TEST_SECRETS, credential),
  ]);
  await customer.republish();
}

async function set(customer: Customer, column: 'base_url' | 'proxy', value: string | null) {
  await billing.pool.query(`update channels set ${column} = $2 where id = $1`, [
    customer.seeded.channelIds[0],
    value,
  ]);
  await customer.republish();
}

async function stopSecond(customer: Customer): Promise<void> {
  await billing.pool.query("update channels set status = 'disabled' where id = $1", [
    customer.seeded.channelIds[1],
  ]);
  await customer.republish();
}

async function firstChannel({ seeded }: Customer) {
  const { channels } = await billing.counted();
  return channels.find(({ channelId }) => channelId === seeded.channelIds[0]);
}

const SECRET = 'upstream-secret-0123456789';

describe.each<[string, (customer: Customer) => Promise<void>, RegExp]>([
  [
    'a credential with a zero-width space',
    (customer) => setCredential(customer, `up\u200b${SECRET}`),
    /^A credential of this channel has U\+200B \(ZERO WIDTH SPACE\) as character 3\./,
  ],
  [
    'a credential with a curly quote',
    (customer) => setCredential(customer, `\u201c${SECRET}`),
    /has U\+201C \(LEFT DOUBLE QUOTATION MARK\) as character 1\./,
  ],
  [
    'a credential with a Cyrillic letter',
    (customer) => setCredential(customer, `${SECRET}\u0430`),
    /has U\+0430 \(а, a Cyrillic letter\) as character 27\./,
  ],
  [
    'a credential with an end of line',
    (customer) => setCredential(customer, `${SECRET}\nx`),
    /has U\+000A \(LINE FEED\) as character 27\./,
  ],
  [
    'a base address that is none',
    (customer) => set(customer, 'base_url', 'http://exa mple:1/v1'),
    /^The base address of this channel has U\+0020 \(SPACE\) as character 11\./,
  ],
  [
    'a proxy that is none',
    (customer) => set(customer, 'proxy', 'http://:99999'),
    /^The proxy of this channel is no address\./,
  ],
])('%s', (_what, spoil, sentence) => {
  it('costs no request that another channel can serve, and opens no breaker', async () => {
    const customer = await billing.newCustomer();
    await spoil(customer);
    for (let sent = 1; sent <= REQUESTS; sent += 1) {
      expect((await customer.send()).status).toBe(200);
    }
    expect(billing.first.requests).toHaveLength(0);
    expect(billing.second.requests).toHaveLength(REQUESTS);
    expect(await firstChannel(customer)).toMatchObject({ state: 'closed', failures: 0 });
  });

  it('is explained to the operator alone, and mended at once', async () => {
    const customer = await billing.newCustomer();
    await spoil(customer);
    await stopSecond(customer);
    for (let sent = 1; sent <= REQUESTS; sent += 1) {
      const reply = await customer.send({ stream: sent % 2 === 0 });
      const text = await reply.text();
      expect(reply.status, text).toBe(502);
      expect(text).toContain('misconfigured');
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain('U+');
    }
    const channel = await firstChannel(customer);
    expect(channel).toMatchObject({ state: 'closed', failures: 0 });
    expect(channel?.outcomes.lastFailure?.message).toMatch(sentence);
    expect(channel?.outcomes.lastFailure?.message).not.toContain(SECRET);
    await setCredential(customer, customer.seeded.upstreamCredential);
    await set(customer, 'proxy', null);
    await set(customer, 'base_url', billing.first.url);
    expect((await customer.send()).status).toBe(200);
    expect(await customer.bill()).toMatchObject({ records: [{ status: 'completed' }] });
  });
});
