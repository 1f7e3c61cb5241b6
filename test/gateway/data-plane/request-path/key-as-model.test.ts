import { afterAll, beforeAll, expect, it } from 'vitest';
import { KEY_FORMS, makeKey } from '../../../support/planted-keys.ts';
import { openTill, type Customer, type Till } from '../settlement/support/till.ts';

let till: Till;
let customer: Customer;

beforeAll(async () => {
  till = await openTill();
  customer = await till.newCustomer();
});
afterAll(() => till.close());

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
