import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { costOf, type Customer, openTill, type Till } from './support/till.ts';

const CONTEXT_TOKENS_MAX = 128_000;
const STREAM = { stream: true };

function usageOf(input: number, output: number) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function saying(content: unknown): object {
  return { messages: [{ role: 'user', content }], max_tokens: 16 };
}

let till: Till;

beforeAll(async () => {
  till = await openTill();
});

afterAll(async () => {
  await till.close();
});

/** What the customer is held for while the upstream answers, and what she is billed. */
async function holdAndBill(
  customer: Customer,
  body: object,
  usage: Readonly<Record<string, unknown>>,
) {
  till.first.behave('*', { kind: 'reply', headersDelayMs: 100, usage });
  const reply = customer.send(body);
  await till.first.untilRequests(1);
  const held = await customer.held();
  await (await reply).text();
  return { held, ...(await customer.bill()) };
}

describe('a prompt that is longer than the catalog’s context', () => {
  const BYTES = 240_000;
  const TEXT = 'water '.repeat(BYTES / 6);

  it.each([
    ['a reply', {}],
    ['a stream', STREAM],
  ])('is held for and billed in full, for %s', async (_name, body) => {
    const customer = await till.newCustomer();
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
    const customer = await till.newCustomer();
    const { held, charged, records } = await holdAndBill(customer, saying(TEXT), usageOf(5e14, 10));
    expect(charged).toBeGreaterThan(costOf(BYTES, 10));
    expect(charged).toBeLessThan(costOf(BYTES + 500, 10));
    expect(charged).toBeLessThanOrEqual(held);
    expect(records).toMatchObject([{ capped: true }]);
  });

  it('is counted where the balance does not cover its bytes', async () => {
    const customer = await till.newCustomer(costOf(50_000, 16));
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
    const customer = await till.newCustomer();
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
