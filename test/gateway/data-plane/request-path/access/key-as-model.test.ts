import { afterAll, beforeAll, expect, it } from 'vitest';
import { KEY_FORMS, makeKey } from '../../../../support/clients/planted-keys.ts';
import {
  openBillingFixture,
  type Customer,
  type BillingFixture,
} from '../../settlement/support/billing-fixture.ts';

let billing: BillingFixture;
let customer: Customer;

beforeAll(async () => {
  billing = await openBillingFixture();
  customer = await billing.newCustomer();
});
afterAll(() => billing.close());

it.each(KEY_FORMS)(
  'tells a client that its model is a key, without repeating it: %s',
  async (form) => {
    const key = makeKey(form).slice(0, 128);
    const reply = await customer.send({ model: key });
    const text = await reply.text();
    expect(reply.status, text).toBe(404);
    expect(text).toContain('looks like an API key');
    expect(text).toContain('exposed');
    expect(text).not.toContain(key.slice(4, 24));
  },
);

it('still names a model that does not exist', async () => {
  const reply = await customer.send({ model: 'TheBloke/Mistral-7B-v0.2-GPTQ' });
  expect(reply.status).toBe(404);
  expect(await reply.text()).toContain('TheBloke/Mistral-7B-v0.2-GPTQ');
});
