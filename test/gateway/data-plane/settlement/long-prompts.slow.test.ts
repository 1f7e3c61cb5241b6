import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  costOf,
  type Customer,
  openBillingFixture,
  type BillingFixture,
} from './support/billing-fixture.ts';

const CONTEXT_TOKENS_MAX = 128_000;
const STREAM = { stream: true };

function usageOf(input: number, output: number) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function saying(content: unknown): object {
  return { messages: [{ role: 'user', content }], max_tokens: 16 };
}

let billing: BillingFixture;

beforeAll(async () => {
  billing = await openBillingFixture();
});

afterAll(async () => {
  await billing.close();
});

/** The customer's hold while the upstream answers, and the bill. */
async function holdAndBill(
  customer: Customer,
  body: object,
  usage: Readonly<Record<string, unknown>>,
) {
  billing.first.behave('*', { kind: 'reply', usage });
  const { held } = await customer.sendAndLook(body);
  return { held, ...(await customer.bill()) };
}

describe('a model with prices for long prompts', () => {
  const ABOVE = 1_000;
  /** Long by its bytes, of which each may be a token, and not by its count, of a token a word. */
  const LONG_BY_BYTES = saying('water '.repeat(ABOVE / 4));
  const LONG = saying('water '.repeat(ABOVE * 2));

  /** Twice as much for all but the cache, which stays as it is. */
  const longCostOf = (input: number, output: number): number => 2 * costOf(input, output);

  async function newCustomer(creditNanoUsd?: number): Promise<Customer> {
    const customer = await billing.newCustomer(creditNanoUsd);
    await billing.pool.query(
      `insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd,
         output_nano_usd, long_context_above_tokens, long_context_input_nano_usd, long_context_cached_input_nano_usd,
         long_context_cache_write_nano_usd, long_context_output_nano_usd)
       select id, '2021-01-01', 2e9, 2e8, 2e9, 1e10, $2, 4e9, 2e8, 4e9, 2e10 from models where public_id = $1`,
      [customer.model, ABOVE],
    );
    await customer.republish();
    return customer;
  }

  async function billedPrices({ seeded }: Customer): Promise<number[]> {
    const { rows } = await billing.pool.query<{ input: number }>(
      `select input_nano_usd as input from usage_records where account_id = $1 order by request_id`,
      [seeded.accountId],
    );
    return rows.map(({ input }) => input);
  }

  it('bills all of a request at them when its prompt is longer, and tells them in the record', async () => {
    const customer = await newCustomer();
    const { held, charged } = await holdAndBill(customer, LONG, usageOf(ABOVE + 1, 10));
    expect(charged).toBe(longCostOf(ABOVE + 1, 10));
    expect(held).toBeGreaterThanOrEqual(longCostOf(ABOVE + 1, 16));
    expect(await billedPrices(customer)).toEqual([4e9]);
  });

  it('bills what is not longer as ever, in the same thread before and after', async () => {
    const customer = await newCustomer();
    for (const input of [ABOVE, ABOVE + 1, ABOVE]) {
      billing.first.behave('*', { kind: 'reply', usage: usageOf(input, 10) });
      await (await customer.send(LONG)).text();
    }
    expect((await customer.bill()).charged).toBe(2 * costOf(ABOVE, 10) + longCostOf(ABOVE + 1, 10));
    expect((await billedPrices(customer)).toSorted()).toEqual([2e9, 2e9, 4e9]);
  });

  it('counts what came of a cache, and bills it at its own price', async () => {
    const customer = await newCustomer();
    const usage = {
      ...usageOf(ABOVE + 1, 10),
      prompt_tokens_details: { cached_tokens: ABOVE },
    };
    const { charged } = await holdAndBill(customer, LONG, usage);
    expect(charged).toBe(ABOVE * 200 + longCostOf(1, 10));
  });

  it('makes no request more expensive than what its hold foresaw: a short prompt is none, whatever is reported', async () => {
    const customer = await newCustomer();
    const { charged } = await holdAndBill(customer, saying('Hello'), usageOf(5e14, 10));
    expect(charged).toBe(costOf(CONTEXT_TOKENS_MAX, 10));
  });

  it('counts a prompt that is long by its bytes alone when the balance covers no long one', async () => {
    const customer = await newCustomer(longCostOf(ABOVE, 16));
    const { held, charged } = await holdAndBill(customer, LONG_BY_BYTES, usageOf(260, 10));
    expect(held).toBeLessThan(costOf(400, 16));
    expect(charged).toBe(costOf(260, 10));
  });

  it('extends a stream’s hold by what its output costs there', async () => {
    const credit = longCostOf(12_000, 0) + longCostOf(0, 3_000);
    const customer = await newCustomer(credit);
    const pieces = Array.from({ length: 400 }, () => ' water over stone and over stone'.repeat(2));
    billing.first.behave('*', {
      kind: 'reply',
      pieces,
      pieceDelayMs: 1,
      usage: usageOf(9_000, 5_000),
    });
    const { messages } = LONG as { messages: unknown };
    await (await customer.send({ messages, ...STREAM })).text();
    const { charged, records } = await customer.bill();
    expect(records).toMatchObject([{ status: 'funds_exhausted', cost: charged }]);
    expect(charged).toBeLessThanOrEqual(credit);
  });
});

describe('a prompt that is longer than the catalog’s context', () => {
  const BYTES = 240_000;
  const TEXT = 'water '.repeat(BYTES / 6);

  it.each([
    ['a reply', {}],
    ['a stream', STREAM],
  ])('is held for and billed in full, for %s', async (_name, body) => {
    const customer = await billing.newCustomer();
    const { held, charged, records } = await holdAndBill(
      customer,
      { ...saying(TEXT), ...body },
      usageOf(150_000, 10),
    );
    expect(charged).toBe(costOf(150_000, 10));
    expect(records).toMatchObject([{ capped: false }]);
    expect(held).toBeGreaterThanOrEqual(costOf(BYTES, 16));
  });

  it('is billed for no more tokens than it has bytes, whatever is reported', async () => {
    const customer = await billing.newCustomer();
    const { held, charged, records } = await holdAndBill(customer, saying(TEXT), usageOf(5e14, 10));
    expect(charged).toBeGreaterThan(costOf(BYTES, 10));
    expect(charged).toBeLessThan(costOf(BYTES + 500, 10));
    expect(charged).toBeLessThanOrEqual(held);
    expect(records).toMatchObject([{ capped: true }]);
  });

  it('is counted where the balance does not cover its bytes', async () => {
    const customer = await billing.newCustomer(costOf(50_000, 16));
    const { held, charged } = await holdAndBill(customer, saying(TEXT), usageOf(40_010, 10));
    expect(held).toBeLessThan(costOf(41_000, 16));
    expect(charged).toBe(costOf(40_010, 10));
  });

  const PHOTO = { type: 'image_url', image_url: { url: `data:image/png;base64,${TEXT}` } };
  it.each([
    ['a photo', [PHOTO]],
    ['ten photos', Array.from({ length: 10 }, () => PHOTO)],
    ['a file', [{ type: 'file', file: { file_data: `data:application/pdf;base64,${TEXT}` } }]],
  ])('is none for the bytes of %s: it is held for and billed up to the context', async (...row) => {
    const customer = await billing.newCustomer();
    const { held, charged, records } = await holdAndBill(
      customer,
      saying(row[1]),
      usageOf(5e14, 10),
    );
    expect(held).toBe(costOf(CONTEXT_TOKENS_MAX, 16));
    expect(charged).toBe(costOf(CONTEXT_TOKENS_MAX, 10));
    expect(records).toMatchObject([{ capped: true }]);
  });
});
