import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Customer,
  openBillingFixture,
  type BillingFixture,
} from './support/billing-fixture.ts';

/**
 * 1,000 tokens of prompt and 60 of output at most: a prompt of so many bytes may have as many
 * tokens.
 */
const BODY = { messages: [{ role: 'user', content: 'x'.repeat(1_000) }], max_tokens: 60 };

function usageOf(audio: { readonly prompt: number; readonly completion: number }) {
  return {
    prompt_tokens: 400,
    completion_tokens: 50,
    total_tokens: 450,
    prompt_tokens_details: { cached_tokens: 100, audio_tokens: audio.prompt },
    completion_tokens_details: { audio_tokens: audio.completion },
  };
}

let billing: BillingFixture;

beforeAll(async () => {
  billing = await openBillingFixture();
});

afterAll(async () => {
  await billing.close();
});

/**
 * Creates a customer of a model with prices of its own for audio, which are many times those of
 * text.
 */
async function newCustomer(extraPrices: object | null): Promise<Customer> {
  const customer = await billing.newCustomer();
  await billing.pool.query(
    `insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd,
       cache_write_nano_usd, output_nano_usd, extra_prices)
     select id, '2021-01-01', 2e9, 2e8, 2e9, 1e10, $2 from models where public_id = $1`,
    [customer.model, extraPrices],
  );
  await customer.republish();
  return customer;
}

async function recorded({ seeded }: Customer): Promise<unknown> {
  const { rows } = await billing.pool.query(
    `select input_tokens as input, output_tokens as output, extra_meters as meters,
       extra_prices as prices from usage_records where account_id = $1`,
    [seeded.accountId],
  );
  return rows[0];
}

describe('a model with prices for audio', () => {
  const AUDIO = { audioInput: 32e9, audioOutput: 64e9 };

  it('bills audio at them, and its hold covers a reply of nothing but audio', async () => {
    const customer = await newCustomer(AUDIO);
    billing.first.behave('*', { kind: 'reply', usage: usageOf({ prompt: 30, completion: 45 }) });
    const { held } = await customer.sendAndLook(BODY);
    const { charged, records } = await customer.bill();
    // 270 x 2,000 + 100 x 200 + 30 x 32,000 + 5 x 10,000 + 45 x 64,000
    expect(charged).toBe(4_450_000);
    expect(records).toMatchObject([{ cost: 4_450_000, capped: false, estimated: false }]);
    expect(held).toBeGreaterThanOrEqual(1_000 * 32_000 + 60 * 64_000);
    expect(await recorded(customer)).toEqual({
      input: 400,
      output: 50,
      meters: { audioInput: 30, audioOutput: 45 },
      prices: AUDIO,
    });
  });

  it('bills text as ever, with nothing more in the record', async () => {
    const customer = await newCustomer(AUDIO);
    billing.first.behave('*', { kind: 'reply', usage: usageOf({ prompt: 0, completion: 0 }) });
    await (await customer.send(BODY)).text();
    expect((await customer.bill()).charged).toBe(300 * 2_000 + 100 * 200 + 50 * 10_000);
    expect(await recorded(customer)).toEqual({
      input: 400,
      output: 50,
      meters: null,
      prices: null,
    });
  });

  it('bills no more audio than there are tokens, and marks the record', async () => {
    const customer = await newCustomer(AUDIO);
    billing.first.behave('*', { kind: 'reply', usage: usageOf({ prompt: 0, completion: 1e12 }) });
    await (await customer.send(BODY)).text();
    const { charged, records } = await customer.bill();
    expect(charged).toBe(300 * 2_000 + 100 * 200 + 50 * 64_000);
    expect(records).toMatchObject([{ capped: true }]);
  });
});

it('a model without prices for audio bills it as plain tokens, never free', async () => {
  const customer = await newCustomer(null);
  billing.first.behave('*', { kind: 'reply', usage: usageOf({ prompt: 30, completion: 45 }) });
  await (await customer.send(BODY)).text();
  expect((await customer.bill()).charged).toBe(300 * 2_000 + 100 * 200 + 50 * 10_000);
  expect(await recorded(customer)).toMatchObject({
    prices: { audioInput: 2e9, audioOutput: 1e10 },
  });
});
