/** Random reports of every unit, possible and impossible ones, against bills computed apart. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ledger } from '../../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { SAMPLE_SEED } from '../../../../support/sample.ts';
import { seed, seedModel, type Seeded } from '../../../../support/seed.ts';
import { createDatabase, type TestDatabase } from '../../../../support/stores/postgres.ts';
import { expectReconciled } from '../../../ledger/support/reconcile.ts';
import { wavOf } from '../../../platform/audio/support/audio-bytes.ts';

const USD = 1_000_000_000;
const CENT = USD / 100;
const CREDIT = 10_000 * USD;
const CASES = 40;
const AT_ONCE = 8;

/** Nanodollars; of an image by size and quality. */
const PER_SECOND = 100_000;
const PER_CHARACTER = 15_000;
const PER_UNIT = 2_000_000;
const PER_TOKEN = { text: 5_000, image: 8_000, textOut: 10_000, imageOut: 32_000 };
const SIZES = ['1024x1024', '1024x1536'];
const QUALITIES = ['low', 'high'];
function perImage(size: string, quality: string): number {
  if (quality === 'low') return 4 * CENT;
  return size === '1024x1536' ? 25 * CENT : 17 * CENT;
}

const EXTRA: Readonly<Record<string, object>> = {
  image: { image: 4 * CENT, variants: { high: 17 * CENT, '1024x1536 high': 25 * CENT } },
  second: { second: PER_SECOND },
  character: { character: 15 * USD },
  searchUnit: { searchUnit: 2 * USD },
};

interface Case {
  readonly path: string;
  readonly body: object | FormData;
  /** The upstream's reply. */
  readonly reply: object | Buffer;
  readonly cost: number;
}

let state = 1;
/** Returns a whole number from 0 to below `most` (mulberry32). */
function random(most: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
}
function oneOf<Item>(items: readonly Item[]): Item {
  return items[random(items.length)] as Item;
}

/** Values that no vendor means. */
const IMPOSSIBLE = [-1, -1e9, null, 'NaN', 'many', {}, [], undefined, '', true];

function imageCase(mark: string): Case {
  const size = oneOf([...SIZES, undefined, 'auto']);
  const quality = oneOf([...QUALITIES, undefined, 'auto']);
  const n = 1 + random(10);
  // Of none, the upstream has failed, and after several it would be asked no more.
  const count = 1 + random(n + 2);
  const isOpen = (asked: string | undefined): boolean => asked === undefined || asked === 'auto';
  // An upstream that misses what is asked for is billed as that at most.
  const isMissed = !isOpen(size) && !isOpen(quality);
  const made = {
    size: isMissed || isOpen(size) ? oneOf(SIZES) : String(size),
    quality: isMissed || isOpen(quality) ? oneOf(QUALITIES) : String(quality),
  };
  const held = isMissed ? perImage(String(size), String(quality)) : Infinity;
  // Usage is of no use here: images are counted.
  const usage = { output_tokens: oneOf(IMPOSSIBLE), input_tokens: oneOf(IMPOSSIBLE) };
  return {
    path: '/v1/images/generations',
    body: { model: 'image', prompt: mark, n, size, quality },
    reply: { created: 1, ...made, usage, data: Array(count).fill({ b64_json: 'eA==' }) },
    cost: Math.min(count, n) * Math.min(perImage(made.size, made.quality), held),
  };
}

function tokenCase(mark: string): Case {
  const text = 1 + random(50);
  const image = random(2) * random(900);
  const textOut = random(2) * random(200);
  const imageOut = 1 + random(9_000);
  const details = { text_tokens: textOut, image_tokens: imageOut };
  const output = textOut + imageOut;
  const isSplit = random(2) === 0;
  return {
    path: '/v1/images/generations',
    body: { model: 'token', prompt: mark.padEnd(1_000) },
    reply: {
      created: 1,
      data: [{ b64_json: 'eA==' }],
      usage: {
        ...{ input_tokens: text + image, output_tokens: output },
        input_tokens_details: { text_tokens: text, image_tokens: image },
        ...(isSplit ? { output_tokens_details: details } : {}),
      },
    },
    cost:
      text * PER_TOKEN.text +
      image * PER_TOKEN.image +
      (isSplit
        ? textOut * PER_TOKEN.textOut + imageOut * PER_TOKEN.imageOut
        : output * PER_TOKEN.imageOut),
  };
}

function secondCase(mark: string): Case {
  const ms = 1 + random(30_000);
  const form = new FormData();
  form.set('model', 'second');
  form.set('file', new File([new Uint8Array(wavOf(ms))], 'a.wav'));
  form.set('prompt', mark);
  // One second more than the whole ones of the file is possible, as vendors round.
  const most = (Math.ceil(ms / 1_000) + 1) * 1_000;
  const kind = random(4);
  if (kind === 0) {
    const usage = { type: 'duration', seconds: oneOf(IMPOSSIBLE) };
    return { ...transcript(form, usage), cost: Math.ceil((ms * PER_SECOND) / 1_000) };
  }
  const reported = kind === 1 ? 10_000 + random(1e9) : (1 + random(most)) / 1_000;
  const billed = Math.min(Math.round(reported * 1_000), most);
  const usage = { type: 'duration', seconds: reported };
  return { ...transcript(form, usage), cost: Math.ceil((billed * PER_SECOND) / 1_000) };
}

function transcript(body: FormData, usage: object): Omit<Case, 'cost'> {
  return { path: '/v1/audio/transcriptions', body, reply: { text: 'Hi', usage } };
}

function characterCase(mark: string): Case {
  const letters = 1 + random(300);
  const input = mark + oneOf(['a', 'é', '語', '🙂']).repeat(letters);
  return {
    path: '/v1/audio/speech',
    body: { model: 'character', voice: 'alloy', input },
    reply: Buffer.alloc(1 + random(5_000), 7),
    cost: (mark.length + letters) * PER_CHARACTER,
  };
}

function unitCase(mark: string): Case {
  const documents = Array.from({ length: 1 + random(250) }, () => 'text');
  const most = Math.ceil(documents.length / 100);
  const isReported = random(2) === 0;
  const units = isReported ? 1 + random(5) : oneOf([...IMPOSSIBLE, 0]);
  return {
    path: '/v1/rerank',
    body: { model: 'searchUnit', query: mark, documents },
    reply: {
      ...{ id: 'r', results: [{ index: 0, relevance_score: 0.5 }] },
      meta: { billed_units: { search_units: units } },
    },
    cost: (isReported ? Math.min(Number(units), most) : most) * PER_UNIT,
  };
}

let database: TestDatabase;
let pool: pg.Pool;
let upstream: Server;
let seeded: Seeded;
let gateway: TestGateway;
let ledger: Ledger;
let closeLedger: () => Promise<void>;
const replies = new Map<string, object | Buffer>();

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  upstream = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const [mark = ''] = /case-\d+-\w+;/.exec(Buffer.concat(pieces).toString('latin1')) ?? [];
      const reply = replies.get(mark) ?? {};
      response.setHeader(
        'content-type',
        Buffer.isBuffer(reply) ? 'audio/mpeg' : 'application/json',
      );
      response.end(Buffer.isBuffer(reply) ? reply : JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  seeded = await seed(pool, {
    upstreams: [`http://127.0.0.1:${port}`],
    creditNanoUsd: CREDIT,
    models: [{ publicId: 'token' }],
    prices: { inputNanoUsd: 5 * USD, outputNanoUsd: 10 * USD },
  });
  const { groupId, channelIds } = seeded;
  const free = { prices: { inputNanoUsd: 0, outputNanoUsd: 0 } };
  for (const publicId of Object.keys(EXTRA)) {
    await seedModel(pool, free, { publicId, groupId, channelIds });
  }
  const prices = { ...EXTRA, token: { imageInput: 8 * USD, imageOutput: 32 * USD } };
  for (const [publicId, extra] of Object.entries(prices)) {
    await pool.query(
      'update prices set extra_prices = $2 where model_id = (select id from models where public_id = $1)',
      [publicId, JSON.stringify(extra)],
    );
  }
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  ({ ledger, close: closeLedger } = await openTestLedger(pool, null));
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await closeLedger();
  upstream.close();
  upstream.closeAllConnections();
  await pool.end();
  await database.drop();
});

/** Sends a request; returns its id. */
async function send({ path, body }: Case): Promise<string> {
  const isForm = body instanceof FormData;
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${seeded.key}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
  expect(reply.status, await reply.text()).toBe(200);
  return reply.headers.get('x-request-id') ?? '';
}

async function balance(): Promise<number> {
  const settled = await settledState(ledger, seeded.accountId);
  expect(settled).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0 });
  return settled.availableNanoUsd;
}

it.each([
  ['images', imageCase],
  ['tokens of images', tokenCase],
  ['seconds', secondCase],
  ['characters', characterCase],
  ['search units', unitCase],
])('%s are billed what is possible of what is reported', async (name, makeCase) => {
  state = SAMPLE_SEED * 1_000 + name.length;
  const cases = Array.from({ length: CASES }, (_, index) => {
    const mark = `case-${index}-${name.replaceAll(' ', '_')};`;
    const made = makeCase(mark);
    replies.set(mark, made.reply);
    return made;
  });
  const before = await balance();
  const expected = new Map<string, Case>();
  for (let at = 0; at < cases.length; at += AT_ONCE) {
    const sent = cases.slice(at, at + AT_ONCE).map(async (one) => {
      expected.set(await send(one), one);
    });
    await Promise.all(sent);
  }
  const after = await balance();
  const { rows } = await pool.query<{ id: string; cost: string }>(
    'select request_id as id, cost_nano_usd as cost from usage_records where request_id = any($1)',
    [[...expected.keys()]],
  );
  const billed = new Map(rows.map(({ id, cost }) => [id, Number(cost)]));
  for (const [id, { body, reply, cost }] of expected) {
    expect(billed.get(id) ?? 0, JSON.stringify({ body, reply })).toBe(cost);
  }
  const sum = cases.reduce((total, { cost }) => total + cost, 0);
  expect(before - after).toBe(sum);
  await expectReconciled(pool);
});
