import { request as httpRequest } from 'node:http';
import OpenAI from 'openai';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { until } from '../../../../support/clocks/hang.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { createDatabase, type TestDatabase } from '../../../../support/stores/postgres.ts';
import { seed, seedModel, type Seeded } from '../../../../support/seed.ts';
import {
  SPEECH_USAGE,
  startSpeechVendor,
  type SpeechVendor,
} from '../../../../support/upstreams/speech-vendor.ts';

const USD = 1_000_000_000;
const CREDIT = 100 * USD;
/** By tokens: text in 0.60, audio out 12 USD per million. */
const BY_TOKENS = 'gpt-4o-mini-tts';
/** By characters: 15 USD per million, as tts-1. */
const BY_CHARACTERS = 'tts-by-characters';
const LIMITED = 'limited-tts';
const PER_CHARACTER = 15_000;
const PER_TEXT_TOKEN = 600;
const PER_SOUND_TOKEN = 12_000;
const TEXT = 'Good evening, everyone. 👋 Ζήνων speaks now.';
/** Code points, of which the hand is one. */
const CHARACTERS = 43;

let database: TestDatabase;
let pool: pg.Pool;
let vendor: SpeechVendor;
let seeded: Seeded;
/** An account whose budget of a day is one speech. */
let limited: Seeded;
let gateway: TestGateway;
let ledger: Ledger;
let closeLedger: () => Promise<void>;
let client: OpenAI;
let spent = 0;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  vendor = await startSpeechVendor();
  seeded = await seed(pool, {
    upstreams: [vendor.url],
    creditNanoUsd: CREDIT,
    models: [{ publicId: BY_TOKENS }],
    prices: { inputNanoUsd: 0.6 * USD, outputNanoUsd: 0 },
  });
  const { groupId, channelIds } = seeded;
  await seedModel(
    pool,
    { prices: { inputNanoUsd: 0, outputNanoUsd: 0 } },
    { publicId: BY_CHARACTERS, upstreamName: 'tts-1', groupId, channelIds },
  );
  await priceExtra(BY_TOKENS, { audioOutput: 12 * USD });
  await priceExtra(BY_CHARACTERS, { character: 15 * USD });
  limited = await seed(pool, {
    upstreams: [vendor.url],
    models: [{ publicId: LIMITED, upstreamName: 'tts-1' }],
    prices: { inputNanoUsd: 0, outputNanoUsd: 0 },
  });
  await priceExtra(LIMITED, { character: 15 * USD });
  await pool.query(
    `insert into spend_budgets (account_id, scope, day_nano_usd) values ($1, 'account', $2)`,
    [limited.accountId, CHARACTERS * PER_CHARACTER],
  );
  await pool.query('update accounts set budgeted = true where id = $1', [limited.accountId]);
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  ({ ledger, close: closeLedger } = await openTestLedger(pool, null));
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: seeded.key, maxRetries: 0 });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await closeLedger();
  await vendor.close();
  await pool.end();
  await database.drop();
});

beforeEach(() => {
  vendor.bodies.length = 0;
  vendor.sound = noise(96_000);
  vendor.packetBytes = 10_000;
  vendor.breaksAfter = Infinity;
  vendor.sendsBytesAlone = false;
  vendor.holds = false;
  vendor.left = 0;
});

async function priceExtra(publicId: string, extra: object): Promise<void> {
  await pool.query(
    'update prices set extra_prices = $2 where model_id = (select id from models where public_id = $1)',
    [publicId, JSON.stringify(extra)],
  );
}

/** Bytes of every value, among them line ends and those that begin JSON. */
function noise(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 167 + (at >> 8)) % 256));
}

/** Returns the account’s loss since the last look; nothing stays held. */
async function charged(): Promise<number> {
  const state = await settledState(ledger, seeded.accountId);
  expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0, inFlight: 0 });
  const total = CREDIT - state.availableNanoUsd;
  const since = total - spent;
  spent = total;
  return since;
}

interface BilledRow {
  readonly extra: Record<string, number | string> | null;
  readonly estimated: boolean;
  readonly status: string;
  readonly cost: string;
}

async function lastRecord(cost: number): Promise<BilledRow> {
  return until('the record is there', async () => {
    const { rows } = await pool.query<BilledRow>(
      `select extra_meters as extra, estimated, status, cost_nano_usd as cost
       from usage_records order by created_at desc, request_id desc limit 1`,
    );
    const [row] = rows;
    return row !== undefined && Number(row.cost) === cost && row;
  });
}

const asked = { input: TEXT, voice: 'alloy' } as const;

async function speak(extra: object): Promise<Response> {
  return client.audio.speech.create({ ...asked, model: BY_TOKENS, ...extra });
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

/** Sends the request without an SDK. */
function post(body: object, key = seeded.key): Promise<Response> {
  return fetch(`${gateway.url}/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...asked, ...body }),
  });
}

function eventsOf(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>);
}

function soundOf(events: readonly Record<string, unknown>[]): Buffer {
  const deltas = events.filter(({ type }) => type === 'speech.audio.delta');
  return Buffer.concat(deltas.map(({ audio }) => Buffer.from(String(audio), 'base64')));
}

const REPORTED =
  SPEECH_USAGE.input_tokens * PER_TEXT_TOKEN + SPEECH_USAGE.output_tokens * PER_SOUND_TOKEN;

describe('a model that is priced by tokens', () => {
  it('is asked for events, which report usage, and its client gets bytes', async () => {
    const reply = await speak({ response_format: 'wav' });
    expect(reply.headers.get('content-type')).toBe('audio/wav');
    expect(await bytesOf(reply)).toEqual(vendor.sound);
    expect(vendor.bodies).toEqual([
      { ...asked, model: BY_TOKENS, response_format: 'wav', stream_format: 'sse' },
    ]);
    expect(await charged()).toBe(REPORTED);
    expect(await lastRecord(REPORTED)).toMatchObject({
      extra: { audioOutput: SPEECH_USAGE.output_tokens },
      estimated: false,
    });
  });

  it('gives a client that asks for events the same with its usage', async () => {
    const reply = await post({ model: BY_TOKENS, stream_format: 'sse' });
    expect(reply.headers.get('content-type')).toContain('text/event-stream');
    const events = eventsOf(await reply.text());
    expect(soundOf(events)).toEqual(vendor.sound);
    expect(events.at(-1)).toEqual({ type: 'speech.audio.done', usage: SPEECH_USAGE });
    expect(await charged()).toBe(REPORTED);
  });

  it('says in the last event what it costs, where the client asks', async () => {
    const asked = { model: BY_TOKENS, stream_format: 'sse', usage: { include: true } };
    const events = eventsOf(await (await post(asked)).text());
    expect(events.at(-1)).toMatchObject({ usage: { cost: REPORTED / USD } });
    expect(await charged()).toBe(REPORTED);
  });

  it('is billed by the duration where nothing is reported, which is marked', async () => {
    vendor.sendsBytesAlone = true;
    expect(await bytesOf(await speak({ response_format: 'pcm' }))).toEqual(vendor.sound);
    // 2 s of 24,000 samples of 2 bytes; 1,250 tokens a minute.
    const output = 42;
    const cost = await charged();
    expect(cost - output * PER_SOUND_TOKEN).toBeGreaterThan(0);
    expect((cost - output * PER_SOUND_TOKEN) % PER_TEXT_TOKEN).toBe(0);
    expect(await lastRecord(cost)).toMatchObject({
      extra: { audioOutput: output },
      estimated: true,
    });
  });

  it('is billed by what was delivered when the upstream breaks off; the file is not ended', async () => {
    vendor.breaksAfter = 20_000;
    const reply = await speak({ response_format: 'pcm' });
    await expect(reply.arrayBuffer()).rejects.toThrow();
    const cost = await charged();
    // 20,000 of 48,000 bytes a second.
    const output = 9;
    expect((cost - output * PER_SOUND_TOKEN) % PER_TEXT_TOKEN).toBe(0);
    expect(await lastRecord(cost)).toMatchObject({
      extra: { audioOutput: output },
      estimated: true,
      status: 'upstream_disconnected',
    });
  });
});

describe('a model that is priced by characters', () => {
  it('is billed its code points to the nanodollar', async () => {
    expect(Array.from(TEXT)).toHaveLength(CHARACTERS);
    const reply = await speak({ model: BY_CHARACTERS });
    expect(reply.headers.get('content-type')).toBe('audio/mpeg');
    expect(await bytesOf(reply)).toEqual(vendor.sound);
    expect(vendor.bodies).toEqual([{ ...asked, model: 'tts-1' }]);
    expect(await charged()).toBe(CHARACTERS * PER_CHARACTER);
    expect(await lastRecord(CHARACTERS * PER_CHARACTER)).toMatchObject({
      extra: { character: CHARACTERS },
      estimated: false,
      status: 'completed',
    });
  });

  it('moves the budget of its account, which refuses the next', async () => {
    const asked = { model: LIMITED };
    const first = await post(asked, limited.key);
    await first.arrayBuffer();
    const second = await post(asked, limited.key);
    expect([first.status, second.status]).toEqual([200, 402]);
  });

  it('gives events although its upstream refuses them', async () => {
    const reply = await post({ model: BY_CHARACTERS, stream_format: 'sse' });
    const events = eventsOf(await reply.text());
    expect(soundOf(events)).toEqual(vendor.sound);
    expect(events.at(-1)).toEqual({ type: 'speech.audio.done' });
    expect(vendor.bodies).toEqual([{ ...asked, model: 'tts-1' }]);
    expect(await charged()).toBe(CHARACTERS * PER_CHARACTER);
  });

  it('is billed what was spoken when the upstream breaks off', async () => {
    vendor.breaksAfter = 20_000;
    const reply = await speak({ model: BY_CHARACTERS, response_format: 'pcm' });
    await expect(reply.arrayBuffer()).rejects.toThrow();
    // 20,000 of 48,000 bytes a second, 15 characters a second.
    const spoken = 7;
    expect(await charged()).toBe(spoken * PER_CHARACTER);
    expect(await lastRecord(spoken * PER_CHARACTER)).toMatchObject({ estimated: true });
  });

  it('is billed in full when the client leaves, and the upstream is let go', async () => {
    vendor.holds = true;
    const call = new AbortController();
    const reply = await client.audio.speech.create(
      { ...asked, model: BY_CHARACTERS },
      { signal: call.signal },
    );
    await reply.body?.getReader().read();
    call.abort();
    await until('the upstream has been left', () => vendor.left === 1);
    expect(await charged()).toBe(CHARACTERS * PER_CHARACTER);
    expect(await lastRecord(CHARACTERS * PER_CHARACTER)).toMatchObject({
      status: 'client_disconnected',
    });
  });

  it('costs nothing when the upstream refuses it, in the words of the upstream', async () => {
    const refused = speak({ model: BY_CHARACTERS, voice: 'nobody' });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("Input should be 'alloy'") as string,
    });
    expect(await charged()).toBe(0);
  });
});

describe('the bytes of sound', () => {
  it.each([
    ['begin as JSON does', Buffer.from('{"not json, but samples')],
    ['begin as a page does', Buffer.from('<\0\0\0sound')],
    ['are JSON behind silence', Buffer.concat([Buffer.alloc(20_000), Buffer.from('{'), noise(9)])],
    ['are a single byte', Buffer.from('a')],
  ])('pass unchanged where they %s', async (_name, sound) => {
    vendor.sound = sound;
    const reply = await speak({ model: BY_CHARACTERS, response_format: 'pcm' });
    expect(await bytesOf(reply)).toEqual(sound);
    await charged();
  });

  it.each([1, 3, 7])('pass unchanged in packets of %d', async (packetBytes) => {
    vendor.sound = noise(200);
    vendor.packetBytes = packetBytes;
    expect(await bytesOf(await speak({ model: BY_CHARACTERS }))).toEqual(vendor.sound);
    expect(await bytesOf(await speak({ model: BY_TOKENS }))).toEqual(vendor.sound);
    await charged();
  });

  it('wait for a slow client, with nothing between them', async () => {
    vendor.sound = noise(12_000_000);
    vendor.packetBytes = 100_000;
    const received: Buffer[] = [];
    await new Promise<void>((resolve, reject) => {
      const call = httpRequest(`${gateway.url}/v1/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
      });
      call.on('response', (reply) => {
        reply.on('data', (chunk: Buffer) => {
          received.push(chunk);
          reply.pause();
          setImmediate(() => reply.resume());
        });
        reply.on('end', resolve).on('error', reject);
      });
      call.on('error', reject);
      call.end(JSON.stringify({ ...asked, model: BY_CHARACTERS }));
    });
    expect(Buffer.concat(received).equals(vendor.sound)).toBe(true);
    await charged();
  });
});

describe('a request for speech', () => {
  it.each([
    ['without a text', { input: undefined }, 'input'],
    ['of a list', { input: ['a'] }, 'input'],
    ['in an unknown format', { response_format: 'midi' }, 'response_format'],
    ['in another stream', { stream_format: 'ndjson' }, 'stream_format'],
  ])('%s is refused', async (_name, change, param) => {
    const reply = await post({ model: BY_TOKENS, ...change });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: { param } });
    expect(vendor.bodies).toEqual([]);
  });
});
