/** The cost of a turn depends neither on the client's protocol nor on the upstream's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectReconciled } from '../../ledger/support/reconcile.ts';
import { CELL_UPSTREAMS, type CellUpstream } from './support/cell-upstreams.ts';
import { CLIENTS, type Counts, type Spoken } from './support/one-turn.ts';
import { openCells, type Cells } from './support/open-cells.ts';

const USD = 1_000_000_000;

/** Claude Opus 5.5 of November 2026, in nanodollars per million tokens. */
const PRICES = [4 * USD, 0.2 * USD, 5 * USD, 20 * USD, { cacheWrite1h: 8 * USD }];

/** In parts per million. */
const TIERS = { priority: 2_000_000, fast: 2_000_000, flex: 500_000 };

let cells: Cells;

beforeAll(async () => {
  cells = await openCells((pool) =>
    pool.query(
      `update prices set input_nano_usd = $1, cached_input_nano_usd = $2, cache_write_nano_usd = $3,
         output_nano_usd = $4, extra_prices = $5, tiers = $6`,
      [...PRICES, TIERS],
    ),
  );
});

afterAll(() => cells.close());

interface Turn {
  readonly counts: Counts;
  readonly stream: boolean;
  /** That the client asks for; the upstream serves what it is asked for. */
  readonly tier?: string;
}

/** Sends one turn, and returns what the ledger and the record say that it has cost. */
async function costOf({ client, upstream }: Cell, turn: Turn) {
  const { counts, stream, tier } = turn;
  const { name, counted, server } = upstream;
  const asks = CLIENTS.find(({ protocol }) => protocol === client);
  if (asks === undefined) throw new Error('no such cell');
  cells.servers[server].reply = ({ body }) => {
    const served = tierIn(body);
    const told = served === undefined ? counts : { ...counts, tier: served };
    return stream ? { events: counted.events(told) } : { json: counted.reply(told) };
  };
  const { path, body } = asks.request(`on-${name}`, stream, tier);
  const reply = await fetch(cells.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${cells.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  expect([reply.status, text]).toEqual([200, expect.stringContaining('It is done.')]);
  const charged = await cells.charged();
  const { rows } = await cells.pool.query<Record<string, unknown>>(
    `select cost_nano_usd as cost, protocol, upstream_protocol as upstream, estimated, capped, stream
     from usage_records order by created_at desc, request_id desc limit 1`,
  );
  const plain = { estimated: false, capped: false, stream };
  expect(rows[0]).toEqual({
    cost: charged,
    protocol: client,
    upstream: counted.protocol,
    ...plain,
  });
  return charged;
}

interface Cell {
  readonly client: Spoken;
  readonly upstream: CellUpstream;
}

function tierIn(body: Readonly<Record<string, unknown>>): string | undefined {
  const asked = body['service_tier'] ?? body['speed'] ?? body['serviceTier'];
  const { type } = (typeof asked === 'object' && asked !== null ? asked : {}) as { type?: string };
  return typeof asked === 'string' ? asked : type;
}

const CELLS = CLIENTS.flatMap(({ protocol: client }) =>
  CELL_UPSTREAMS.flatMap((upstream) =>
    [false, true].map((stream) => ({ client, upstream, served: upstream.name, stream })),
  ),
);

const PLAIN: Counts = {
  input: 1_000,
  cached: 200,
  write: 0,
  write1h: 0,
  output: 50,
  reasoning: 20,
};
const PLAIN_COST = 800 * 4_000 + 200 * 200 + 50 * 20_000;
/** A turn of Claude Code: 30 tokens written for five minutes, 40 for an hour. */
const WRITING: Counts = { ...PLAIN, write: 30, write1h: 40 };

describe('the same turn', () => {
  it.each(CELLS)('costs the same for $client over $served, streamed: $stream', async (cell) => {
    const { stream } = cell;
    expect(await costOf(cell, { counts: PLAIN, stream })).toBe(PLAIN_COST);
  });

  it.each(CELLS.filter(({ upstream }) => upstream.counted.protocol !== 'gemini'))(
    'costs the cache writes that its upstream tells apart: $client over $served, streamed: $stream',
    async (cell) => {
      const { upstream, stream } = cell;
      // OpenAI's protocols have one count of writes, which is that of the ordinary price.
      const hour = upstream.kind === 'openai' ? 5_000 : 8_000;
      expect(await costOf(cell, { counts: WRITING, stream })).toBe(
        730 * 4_000 + 200 * 200 + 30 * 5_000 + 40 * hour + 50 * 20_000,
      );
    },
  );

  it.each(CELLS)(
    'costs twice as much in a tier of that price, if the upstream has it: $client over $served, streamed: $stream',
    async (cell) => {
      const { client, upstream, stream } = cell;
      const tier = client === 'anthropic-messages' ? 'fast' : 'priority';
      const factor = upstream.takesTierOf.includes(client) ? 2 : 1;
      expect(await costOf(cell, { counts: PLAIN, stream, tier })).toBe(factor * PLAIN_COST);
    },
  );

  it.each(CELLS)(
    'is served in the ordinary tier where the asked one has no price: $client over $served, streamed: $stream',
    async (cell) => {
      const turn = { counts: PLAIN, stream: cell.stream, tier: 'ultrafast' };
      expect(await costOf(cell, turn)).toBe(PLAIN_COST);
    },
  );

  it('costs in the records, the ledger and the book what it cost each time', async () => {
    const { rows } = await cells.pool.query<{ cost: string }>(
      'select sum(cost_nano_usd)::text as cost from usage_records',
    );
    expect(Number(rows[0]?.cost)).toBe(cells.spent);
    await expectReconciled(cells.pool);
  });
});
