import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BulkChangeReport } from '@weir/shared/api/bulk-changes';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

async function entries(action: string) {
  const { reply } = await fixture.ask('listAuditEntries', { as: admin, query: { action } });
  return reply.data;
}

async function linesOf({ id }: BulkChangeReport) {
  const params = { bulkChangeId: id ?? '' };
  return (await fixture.ask('listBulkChangeLines', { as: admin, params })).reply.data;
}

const MODELS = 300;

describe('prices of many models', () => {
  let prefix = '';
  let run = 0;

  beforeEach(async () => {
    run += 1;
    prefix = `run${String(run)}-`;
    await fixture.pool.query(
      `with made as (
         insert into models (id, public_id, display_name, context_tokens_max, output_tokens_max)
         select gen_random_uuid(), $1 || lpad(n::text, 3, '0'), 'a model', 1000, 100
         from generate_series(0, $2 - 1) n returning id, public_id)
       insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd,
         cache_write_nano_usd, output_nano_usd)
       select id, now() - interval '1 day', 1010000000, 500000000, 1010000000,
         (right(public_id, 3)::bigint + 1) * 1000000000 from made`,
      [prefix, MODELS],
    );
  });

  const all = () => ({ search: prefix, count: MODELS });

  async function pricesNow() {
    const { rows } = await fixture.pool.query<{ name: string; input: number; output: number }>(
      `select public_id as name, p.input_nano_usd as input, p.output_nano_usd as output
       from models m cross join lateral (select * from prices p where p.model_id = m.id
         and p.effective_from <= clock_timestamp() order by p.effective_from desc limit 1) p
       where public_id like $1 order by public_id`,
      [`${prefix}%`],
    );
    return rows;
  }

  it('change in one call, with one audit entry and a line for each', async () => {
    const body = { matching: all(), percent: '10' };
    const { reply } = await fixture.ask('changePricesInBulk', { as: admin, body });
    expect(reply).toMatchObject({ dryRun: false, matched: MODELS, changed: MODELS });
    expect(reply.lines).toHaveLength(20);
    const prices = await pricesNow();
    expect(prices).toHaveLength(MODELS);
    expect(prices[2]).toMatchObject({ input: 1_111_000_000, output: 3_300_000_000 });
    const found = await entries('changePricesInBulk');
    expect(found.filter(({ subjectId }) => subjectId === reply.id)).toHaveLength(1);
    const [first, ...more] = await linesOf(reply);
    expect(more).toHaveLength(49);
    expect(first).toMatchObject({
      name: `${prefix}000`,
      before: { inputUsd: '1.01', outputUsd: '1', cachedInputUsd: '0.5' },
      after: { inputUsd: '1.111', outputUsd: '1.1', cachedInputUsd: '0.55' },
    });
  });

  it('change in variants too, and keep the fewest seconds', async () => {
    const extra = { second: 1_000_000, secondsMin: 10, variants: { long: 3_000_000 } };
    await fixture.pool.query(
      `update prices set extra_prices = $2, input_nano_usd = 0, cached_input_nano_usd = 0,
         cache_write_nano_usd = 0, output_nano_usd = 0
       where model_id = (select id from models where public_id = $1)`,
      [`${prefix}000`, extra],
    );
    const matching = { search: `${prefix}000`, count: 1 };
    await fixture.ask('changePricesInBulk', { as: admin, body: { matching, percent: '10' } });
    const { rows } = await fixture.pool.query<{ extra: object }>(
      `select extra_prices as extra from prices
       where model_id = (select id from models where public_id = $1) order by effective_from desc limit 1`,
      [`${prefix}000`],
    );
    expect(rows).toEqual([
      { extra: { second: 1_100_000, secondsMin: 10, variants: { long: 3_300_000 } } },
    ]);
  });

  it('are left alone by a dry run, which says what they would become', async () => {
    const body = { matching: all(), factor: '2', dryRun: true };
    const before = await pricesNow();
    const { reply } = await fixture.ask('changePricesInBulk', { as: admin, body });
    expect(reply).toMatchObject({ id: null, dryRun: true, changed: MODELS });
    expect(reply.lines[0]?.after).toMatchObject({ inputUsd: '2.02' });
    expect(await pricesNow()).toEqual(before);
  });

  it('are rounded to a step', async () => {
    const asked = async (mode: 'nearest' | 'up' | 'down') => {
      const body = { matching: all(), factor: '1.1', dryRun: true };
      const rounding = { stepUsd: '0.05', mode };
      const { reply } = await fixture.ask('changePricesInBulk', {
        as: admin,
        body: { ...body, rounding },
      });
      return reply.lines[0]?.after;
    };
    expect(await asked('nearest')).toMatchObject({ inputUsd: '1.1' });
    expect(await asked('up')).toMatchObject({ inputUsd: '1.15', cachedInputUsd: '0.55' });
    expect(await asked('down')).toMatchObject({ inputUsd: '1.1', outputUsd: '1.1' });
  });

  it('are set, and what is not sent stays', async () => {
    const body = { matching: all(), set: { inputUsd: '0.9' } };
    const { reply } = await fixture.ask('changePricesInBulk', { as: admin, body });
    expect(reply.changed).toBe(MODELS);
    const [line] = await linesOf(reply);
    expect(line?.after).toMatchObject({ inputUsd: '0.9', outputUsd: '1', cachedInputUsd: '0.5' });
  });

  it('return to what they were when the change is undone, once', async () => {
    const before = await pricesNow();
    const body = { matching: all(), percent: '-20' };
    const { reply } = await fixture.ask('changePricesInBulk', { as: admin, body });
    const params = { bulkChangeId: reply.id ?? '' };
    const undone = await fixture.ask('undoBulkChange', { as: admin, params, body: {} });
    expect(undone.reply.changed).toBe(MODELS);
    expect(await pricesNow()).toEqual(before);
    const again = await fixture.ask('undoBulkChange', { as: admin, params, body: {} });
    expect(again.problem).toMatchObject({ code: 'state_conflict' });
    // An undo is a bulk change like any other.
    const redo = { bulkChangeId: undone.reply.id ?? '' };
    await fixture.ask('undoBulkChange', { as: admin, params: redo, body: {} });
    expect((await pricesNow())[0]?.output).toBe(800_000_000);
  });

  it('are not undone where one of them has changed since', async () => {
    const body = { matching: all(), percent: '50' };
    const { reply } = await fixture.ask('changePricesInBulk', { as: admin, body });
    const [line] = reply.lines;
    await fixture.ask('createPrice', {
      as: admin,
      params: { modelId: line?.id ?? '' },
      body: { inputUsd: '7', outputUsd: '7' },
    });
    const before = await pricesNow();
    const params = { bulkChangeId: reply.id ?? '' };
    const undone = await fixture.ask('undoBulkChange', { as: admin, params, body: {} });
    expect(undone.status).toBe(409);
    expect(undone.problem.detail).toContain(`The prices of ${prefix}000 have changed since.`);
    expect(await pricesNow()).toEqual(before);
  });

  it('begin at a time that is still to come, and are withdrawn by an undo', async () => {
    const effectiveFrom = '2100-01-01T00:00:00.000Z';
    const before = await pricesNow();
    const body = { matching: all(), factor: '3', effectiveFrom };
    const { reply } = await fixture.ask('changePricesInBulk', { as: admin, body });
    expect(await pricesNow()).toEqual(before);
    const modelId = reply.lines[0]?.id ?? '';
    const listed = async () =>
      (await fixture.ask('listPrices', { as: admin, params: { modelId } })).reply.data;
    expect((await listed())[0]).toMatchObject({ effectiveFrom, inputUsd: '3.03', state: 'future' });
    const params = { bulkChangeId: reply.id ?? '' };
    await fixture.ask('undoBulkChange', { as: admin, params, body: {} });
    expect((await listed()).map(({ state }) => state)).toEqual(['in_force']);
  });

  it('change once for a request that is repeated', async () => {
    const headers = { 'idempotency-key': `bulk-${prefix}` };
    const body = { matching: all(), factor: '2' };
    const first = await fixture.ask('changePricesInBulk', { as: admin, body, headers });
    const again = await fixture.ask('changePricesInBulk', { as: admin, body, headers });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.reply).toEqual(first.reply);
    // The reply was not remembered: the process ended before.
    await fixture.pool.query(
      'update idempotency_keys set reply_status = null, reply_sealed = null',
    );
    const late = await fixture.ask('changePricesInBulk', { as: admin, body, headers });
    expect(late.headers['idempotency-replayed']).toBe('true');
    expect(late.reply).toEqual(first.reply);
    expect((await pricesNow())[0]?.output).toBe(2_000_000_000);
  });

  it('change all or none when they are for a model that refuses', async () => {
    const { rows } = await fixture.pool.query<{ id: string }>(
      'select id from models where public_id = $1',
      [`${prefix}150`],
    );
    await fixture.ask('createPrice', {
      as: admin,
      params: { modelId: rows[0]?.id ?? '' },
      body: { inputUsd: '0.001', outputUsd: '0.001', cachedInputUsd: null },
    });
    const before = await pricesNow();
    const rounding = { stepUsd: '0.01', mode: 'nearest' as const };
    const body = { matching: all(), factor: '1.5', rounding };
    const refused = await fixture.ask('changePricesInBulk', { as: admin, body });
    expect(refused.problem.detail).toContain(`${prefix}150: a price would become 0.`);
    expect(await pricesNow()).toEqual(before);
  });
});
