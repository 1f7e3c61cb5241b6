/**
 * Clients of each protocol over upstreams of each: calls in parallel, images, structured
 * output, reasoning, long streams, leaving, and upstreams that break. Every turn is billed exactly.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectReconciled } from '../../ledger/support/reconcile.ts';
import { CELL_UPSTREAMS } from './support/cell-upstreams.ts';
import { openCells, type Cells } from './support/open-cells.ts';
import { TURN_CLIENTS, type Question, type Site } from './support/turn-clients.ts';
import { PROOF, USAGE, type Turn } from './support/turn-upstreams.ts';

/** In nanodollars a token. */
const PRICES = { input: 4_000, cached: 200, output: 20_000 };
const PER_MILLION = 1_000_000;

interface Counts {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

function costOf({ input, cached, output }: Counts): number {
  return (input - cached) * PRICES.input + cached * PRICES.cached + output * PRICES.output;
}

const THOUGHT = 'A short thought';
const PIECES = ['I will', ' look.'];
const CALLS = [
  { id: 'call_0000000000000001', name: 'look_up', input: { city: 'Rome' } },
  { id: 'call_0000000000000002', name: 'measure', input: {} },
];
const CALLING: Turn = { thought: THOUGHT, pieces: PIECES, calls: CALLS };
const DONE: Turn = { pieces: ['It is done.'] };
/** A PNG of one pixel. */
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
/** Every word is a token. */
const WORDS = ['one', ' two', ' three', ' four', ' five', ' six', ' seven', ' eight'];
const LONG = Array.from({ length: 3_000 }, (_, at) => WORDS[at % WORDS.length] ?? '');

const CELLS = TURN_CLIENTS.flatMap((client) =>
  CELL_UPSTREAMS.map(({ name, server, turns: upstream }) => ({
    ...{ client, upstream, server, asks: client.protocol, served: name },
  })),
);
type Cell = (typeof CELLS)[number];

let cells: Cells;

beforeAll(async () => {
  const { input, cached, output } = PRICES;
  cells = await openCells((pool) =>
    pool.query(
      'update prices set input_nano_usd = $1, cached_input_nano_usd = $2, output_nano_usd = $3',
      [input, cached, output].map((price) => price * PER_MILLION),
    ),
  );
});

afterAll(() => cells.close());

function siteOf({ served }: Cell): Site {
  return { url: cells.url, key: cells.key, model: `on-${served}` };
}

function play(cell: Cell, turn: Turn): void {
  cells.servers[cell.server].reply = { events: cell.upstream.events(turn) };
}

async function lastRecord() {
  const { rows } = await cells.pool.query<Record<string, unknown>>(
    `select status, cost_nano_usd as cost, input_tokens as input, cached_input_tokens as cached,
       output_tokens as output, estimated, protocol, upstream_protocol as upstream
     from usage_records order by created_at desc, request_id desc limit 1`,
  );
  return rows[0] as Record<string, unknown> & Counts;
}

function lastBody({ server }: Cell): Readonly<Record<string, unknown>> {
  return cells.servers[server].lastBody();
}

async function expectWholeBill(turns = 1): Promise<void> {
  expect(await cells.charged()).toBe(turns * costOf(USAGE));
  expect(await lastRecord()).toMatchObject({ status: 'completed', estimated: false });
}

describe.each(CELLS)('$asks over $served', (cell) => {
  const { client, upstream } = cell;
  const ask = (more: Partial<Question> = {}) => client.ask({ site: siteOf(cell), ...more });

  it('calls tools in parallel, and gets results in another order', async () => {
    play(cell, CALLING);
    const answer = await ask({ offersTools: true, thinks: true });
    expect(answer).toMatchObject({ text: PIECES.join(''), thought: THOUGHT, calls: CALLS });
    play(cell, DONE);
    const results = CALLS.toReversed().map((call) => ({ ...call, result: `of ${call.id}` }));
    const before = { answer, results };
    const last = await ask({ offersTools: true, thinks: true, before });
    expect(last).toMatchObject({ text: 'It is done.', calls: [] });
    expect(upstream.results(lastBody(cell))).toEqual(
      Object.fromEntries(CALLS.map(({ id }) => [id, `of ${id}`])),
    );
    const hasProof = JSON.stringify(lastBody(cell)).includes(PROOF);
    const keeps = upstream.protocol !== 'openai-chat';
    expect(hasProof).toBe(
      keeps && (client.protocol !== 'openai-chat' || upstream.protocol === 'gemini'),
    );
    await expectWholeBill(2);
  });

  it('shows an image', async () => {
    play(cell, DONE);
    expect((await ask({ image: IMAGE })).text).toBe('It is done.');
    expect(JSON.stringify(lastBody(cell))).toContain(upstream.image(IMAGE));
    await expectWholeBill();
  });

  it('asks for structured output', async () => {
    play(cell, { pieces: ['{"city":', '"Rome"}'] });
    const { text } = await ask({ schema: SCHEMA });
    expect(JSON.parse(text)).toEqual({ city: 'Rome' });
    expect(upstream.schema(lastBody(cell))).toEqual(SCHEMA);
    await expectWholeBill();
  });

  it('streams reasoning, which is billed as a part of the output', async () => {
    play(cell, { thought: THOUGHT, pieces: PIECES });
    const { thought, text } = await ask({ thinks: true });
    expect({ thought, text }).toEqual({ thought: THOUGHT, text: PIECES.join('') });
    await expectWholeBill();
  });

  it('streams thousands of pieces', async () => {
    play(cell, { pieces: LONG });
    expect((await ask()).text).toBe(LONG.join(''));
    await expectWholeBill();
  });

  it.each([
    ['the client leaves', 'client_disconnected', { stays: true }],
    ['the upstream breaks', 'upstream_disconnected', { cut: true }],
  ] as const)('is billed for what was delivered when %s', async (_name, status, end) => {
    const events = upstream.events({ pieces: WORDS });
    cells.servers[cell.server].reply = {
      events: events.slice(0, -upstream.eventsBehind),
      ...end,
    };
    const leaving = new AbortController();
    let heard = 0;
    const onText = (): void => {
      heard += 1;
      if (status === 'client_disconnected' && heard === WORDS.length) leaving.abort();
    };
    await expect(ask({ signal: leaving.signal, onText })).rejects.toThrow();
    await expect.poll(() => cells.servers[cell.server].underWay).toBe(0);
    const charged = await cells.charged();
    const record = await lastRecord();
    expect(record).toMatchObject({
      ...{ status, cost: charged, output: WORDS.length, estimated: true },
      ...{ protocol: client.protocol, upstream: upstream.protocol },
      ...(upstream.reportsPrompt ? { input: USAGE.input, cached: USAGE.cached } : {}),
    });
    expect(charged).toBe(costOf(record));
  });
});

it('the books add up', () => expectReconciled(cells.pool));
