/** Prices of one account for one model: holds and bills at them, and when they begin and end. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ModelPrices } from '../../../../../gateway/pricing/model-prices.ts';
import { until } from '../../../../support/clocks/hang.ts';
import {
  costOf,
  openBillingFixture,
  type BillingFixture,
  type Customer,
} from '../../settlement/support/billing-fixture.ts';

let billing: BillingFixture;

beforeAll(async () => {
  billing = await openBillingFixture();
});

afterAll(async () => {
  await billing.close();
});

/** Odd numbers: a price that is multiplied or rounded twice gives another bill. */
const OWN = {
  inputNanoUsd: 333_333_333,
  cachedInputNanoUsd: 77_777_777,
  cacheWriteNanoUsd: 444_444_444,
  outputNanoUsd: 1_999_999_999,
  perCallNanoUsd: 123,
};
const LONG = { ...OWN, inputNanoUsd: 700_000_001, outputNanoUsd: 3_000_000_001 };

function ceilPerMillion(amount: bigint): number {
  return Number((amount + 999_999n) / 1_000_000n);
}

function ownCost(input: number, output: number, prices = OWN): number {
  const tokens =
    BigInt(input) * BigInt(prices.inputNanoUsd) + BigInt(output) * BigInt(prices.outputNanoUsd);
  return ceilPerMillion(tokens + BigInt(prices.perCallNanoUsd) * 1_000_000n);
}

async function setPrice(
  { seeded, model }: Customer,
  prices: ModelPrices | null,
  { inSeconds = -1 }: { readonly inSeconds?: number } = {},
): Promise<void> {
  await billing.pool.query(
    `insert into account_prices (account_id, model_id, effective_from, prices)
     select $1, id, date_trunc('milliseconds', clock_timestamp() + $3 * interval '1 second'), $4
     from models where public_id = $2`,
    [seeded.accountId, model, inSeconds, prices && JSON.stringify(prices)],
  );
  billing.accountChanged(seeded.accountId);
}

async function multiply(customer: Customer, groupPpm: number, ownPpm: number) {
  const { seeded } = customer;
  await billing.pool.query('update groups set multiplier_ppm = $2 where id = $1', [
    seeded.groupId,
    groupPpm,
  ]);
  await billing.pool.query(
    `insert into group_accounts (group_id, account_id, multiplier_ppm, joined_by)
     values ($1, $2, $3, 'operator')`,
    [seeded.groupId, seeded.accountId, ownPpm],
  );
  billing.accountChanged(seeded.accountId);
  await customer.republish();
}

function replyWith(input: number, output: number): void {
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  billing.first.behave('*', { kind: 'reply', usage });
}

/** Returns the charge of the next request. */
async function charge(customer: Customer): Promise<number> {
  const before = await customer.bill();
  expect((await customer.send({ max_tokens: 100 })).status).toBe(200);
  return (await customer.bill()).charged - before.charged;
}

it('an account is held and billed at its own price to the nanodollar, whatever multiplies others', async () => {
  const customer = await billing.newCustomer();
  await multiply(customer, 2_000_000, 300_000);
  await setPrice(customer, { prices: OWN, longContext: null });
  replyWith(7, 3);
  const { held } = await customer.sendAndLook({ max_tokens: 100 });
  const { charged } = await customer.bill();
  expect(charged).toBe(ownCost(7, 3));
  expect(held).toBeGreaterThanOrEqual(charged);
  // 100 tokens of output, and a prompt of at most its bytes.
  expect(held).toBeGreaterThanOrEqual(ownCost(1, 100));
  expect(held).toBeLessThanOrEqual(ownCost(2_000, 100));
  const { rows } = await billing.pool.query(
    `select multiplier_ppm as ppm, input_nano_usd as input, output_nano_usd as output,
       cost_nano_usd as cost from usage_records where account_id = $1`,
    [customer.seeded.accountId],
  );
  expect(rows).toEqual([
    { ppm: 1_000_000, input: OWN.inputNanoUsd, output: OWN.outputNanoUsd, cost: charged },
  ]);
});

it('another account of the same group and model pays what it paid', async () => {
  const [customer, other] = [await billing.newCustomer(), await billing.newCustomer()];
  await setPrice(customer, { prices: OWN, longContext: null });
  replyWith(7, 3);
  expect(await charge(other)).toBe(costOf(7, 3));
});

it('prices of long prompts are the account’s own', async () => {
  const customer = await billing.newCustomer();
  const longContext = { aboveTokens: 5, prices: LONG };
  await setPrice(customer, { prices: OWN, longContext });
  replyWith(6, 2);
  expect(await charge(customer)).toBe(ownCost(6, 2, LONG));
  replyWith(5, 2);
  expect(await charge(customer)).toBe(ownCost(5, 2));
});

it('a price of nothing is billed as nothing', async () => {
  const customer = await billing.newCustomer();
  const free = Object.fromEntries(Object.keys(OWN).map((name) => [name, 0])) as typeof OWN;
  await setPrice(customer, { prices: free, longContext: null });
  replyWith(7, 3);
  expect(await charge(customer)).toBe(0);
});

it('a price begins and ends at its time, without any further change', async () => {
  const customer = await billing.newCustomer();
  replyWith(7, 3);
  expect(await charge(customer)).toBe(costOf(7, 3));
  await setPrice(customer, { prices: OWN, longContext: null }, { inSeconds: 3_600 });
  expect(await charge(customer)).toBe(costOf(7, 3));
  await setPrice(customer, { prices: OWN, longContext: null }, { inSeconds: 1 });
  await until('the price begins', async () => (await charge(customer)) === ownCost(7, 3));
  await setPrice(customer, null, { inSeconds: 1 });
  await until('the price ends', async () => (await charge(customer)) === costOf(7, 3));
});
