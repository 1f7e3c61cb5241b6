/** Numbers of invoices while many orders are paid at once and connections break. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../../support/clocks/hang.ts';
import { signedEvent } from '../support/fakes/fake-stripe.ts';
import { issueInvoices } from '../support/invoicing.ts';
import { createStripeFixture, deliverTo } from '../support/fakes/stripe-fixture.ts';

const ORDERS = 64;
const OWNERS = 8;
const KILLS_MAX = 24;

let stocked: Awaited<ReturnType<typeof createStripeFixture>>;

beforeAll(async () => {
  stocked = await createStripeFixture();
  await issueInvoices(stocked.fixture, await stocked.fixture.admin());
});
afterAll(() => stocked.close());

async function makeOrders(): Promise<string[]> {
  const { fixture } = stocked;
  const owners = await Promise.all(Array.from({ length: OWNERS }, () => fixture.user()));
  const orders: string[] = [];
  for (const as of owners) {
    for (let made = 0; made < ORDERS / OWNERS; made += 1) {
      const body = { kind: 'top_up', amountUsd: '25' };
      orders.push((await fixture.ask('createOrder', { as, body })).reply.id);
    }
  }
  return orders;
}

/** Ends connections that are in the midst of a payment. */
const KILL = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
  order by random() limit 3`;

it('have neither gap nor repetition when 64 orders are paid at once on breaking connections', async () => {
  const { fixture, stripe } = stocked;
  const orders = await makeOrders();
  const events = orders.map((id) => signedEvent('checkout.session.completed', stripe.pay(id)));
  let broken = 0;
  let killed = 0;
  const payAll = async () => {
    const statuses = await Promise.all(
      events.map(async (event) => (await deliverTo(fixture, event)).statusCode),
    );
    broken += statuses.filter((status) => status !== 200).length;
    return statuses.every((status) => status === 200);
  };
  const state = { done: false };
  const paying = payAll().finally(() => {
    state.done = true;
  });
  while (!state.done && killed < KILLS_MAX) {
    killed += (await fixture.pool.query(KILL).catch(() => ({ rowCount: 0 }))).rowCount ?? 0;
  }
  await paying;
  await until('every order to be paid', payAll);
  expect(killed).toBeGreaterThan(0);
  expect(broken).toBeGreaterThan(0);
  const { rows } = await fixture.pool.query<{ sequence: number; orderId: string }>(
    'select sequence, order_id as "orderId" from invoices order by sequence',
  );
  expect(rows.map(({ sequence }) => sequence)).toEqual(orders.map((_order, at) => at + 1));
  expect(new Set(rows.map(({ orderId }) => orderId))).toEqual(new Set(orders));
  const { rows: late } = await fixture.pool.query(
    `select 1 from invoices a join invoices b on b.sequence = a.sequence + 1 where b.issued_at < a.issued_at`,
  );
  expect(late).toEqual([]);
});

it('that a rolled-back payment took are taken by the next one', async () => {
  const { fixture, stripe } = stocked;
  const as = await fixture.user();
  const body = { kind: 'top_up', amountUsd: '25' };
  const { id } = (await fixture.ask('createOrder', { as, body })).reply;
  const event = signedEvent('checkout.session.completed', stripe.pay(id));
  await fixture.pool.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
  );
  await fixture.pool.query(
    'create trigger fail after insert on invoices for each row execute function fail()',
  );
  expect((await deliverTo(fixture, event)).statusCode).toBe(500);
  await fixture.pool.query('drop trigger fail on invoices');
  expect((await deliverTo(fixture, event)).statusCode).toBe(200);
  const [invoice] = (await fixture.ask('listOwnInvoices', { as })).reply.data;
  expect(invoice?.number).toMatch(/-000065$/);
});
