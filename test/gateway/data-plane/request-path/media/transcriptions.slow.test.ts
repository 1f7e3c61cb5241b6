import OpenAI, { BadRequestError, NotFoundError, toFile } from 'openai';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { createDatabase, type TestDatabase } from '../../../../support/stores/postgres.ts';
import { seed, seedModel, TEST_PRICES, type Seeded } from '../../../../support/seed.ts';
import {
  startTranscriptionVendor,
  TEXT,
  TOKEN_USAGE,
  type TranscriptionVendor,
} from '../../../../support/upstreams/transcription-vendor.ts';
import { mp4Of, wavOf } from '../../../platform/audio/support/audio-bytes.ts';

const CREDIT = 100_000_000_000;
/** OpenAI's $0.006 a minute. */
const PER_SECOND = 100_000;
const BY_SECONDS = 'whisper-by-seconds';
const BY_TOKENS = 'transcriber-by-tokens';
/** By the second, at an upstream that reports tokens. */
const STREAMED = 'streamer-by-seconds';
/** Four times the price of text. */
const PER_AUDIO_TOKEN = (4 * TEST_PRICES.inputNanoUsd) / 1_000_000;

let database: TestDatabase;
let pool: pg.Pool;
let vendor: TranscriptionVendor;
let seeded: Seeded;
let gateway: TestGateway;
let ledger: Ledger;
let closeLedger: () => Promise<void>;
let spent = 0;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  vendor = await startTranscriptionVendor();
  const upstreamName = 'gpt-4o-transcribe';
  const models = [BY_TOKENS, STREAMED].map((publicId) => ({ publicId, upstreamName }));
  seeded = await seed(pool, { upstreams: [`${vendor.url}/v1`], creditNanoUsd: CREDIT, models });
  await priceExtra(BY_TOKENS, { audioInput: 4 * TEST_PRICES.inputNanoUsd });
  const free = { inputNanoUsd: 0, outputNanoUsd: 0 };
  const { groupId, channelIds } = seeded;
  await seedModel(
    pool,
    { prices: free },
    { publicId: BY_SECONDS, upstreamName: 'whisper-1', groupId, channelIds },
  );
  await priceExtra(BY_SECONDS, { second: PER_SECOND });
  await pool.query(
    `update prices set input_nano_usd = 0, cached_input_nano_usd = 0, cache_write_nano_usd = 0, output_nano_usd = 0
     where model_id = (select id from models where public_id = $1)`,
    [STREAMED],
  );
  await priceExtra(STREAMED, { second: PER_SECOND });
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  ({ ledger, close: closeLedger } = await openTestLedger(pool, null));
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await closeLedger();
  await vendor.close();
  await pool.end();
  await database.drop();
});

beforeEach(() => {
  vendor.forms.length = 0;
  vendor.change = undefined;
  vendor.breaksStreams = false;
});

async function priceExtra(publicId: string, extra: object): Promise<void> {
  await pool.query(
    'update prices set extra_prices = $2 where model_id = (select id from models where public_id = $1)',
    [publicId, JSON.stringify(extra)],
  );
}

/** Returns the cost since the last call; nothing stays held. */
async function charged(): Promise<number> {
  const state = await settledState(ledger, seeded.accountId);
  expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0, inFlight: 0 });
  const total = CREDIT - state.availableNanoUsd;
  const since = total - spent;
  spent = total;
  return since;
}

function client(): OpenAI {
  return new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: seeded.key, maxRetries: 0 });
}

const AUDIO_MS = 3_210;

function speech(bytes = wavOf(AUDIO_MS)) {
  return toFile(bytes, 'speech.wav', { type: 'audio/wav' });
}

/** Returns the cost of so many tokens of sound, text and output. */
function tokensCost({ audio, text, output }: Record<'audio' | 'text' | 'output', number>): number {
  const { inputNanoUsd, outputNanoUsd } = TEST_PRICES;
  return audio * PER_AUDIO_TOKEN + (text * inputNanoUsd + output * outputNanoUsd) / 1_000_000;
}
const REPORTED = tokensCost({ audio: 32, text: 8, output: TOKEN_USAGE.output_tokens });

describe('a model that is priced by tokens', () => {
  it('is billed what is reported, sound at its own price', async () => {
    const { audio } = client();
    const made = await audio.transcriptions.create({
      file: await speech(),
      model: BY_TOKENS,
      language: 'el',
    });
    expect(made).toEqual({ text: TEXT, usage: TOKEN_USAGE });
    expect(vendor.forms).toEqual([
      {
        path: '/v1/audio/transcriptions',
        form: {
          model: 'gpt-4o-transcribe',
          language: 'el',
          file: `speech.wav audio/wav ${wavOf(AUDIO_MS).length}`,
        },
      },
    ]);
    expect(await charged()).toBe(REPORTED);
  });

  it('is billed the same of text, which carries no usage', async () => {
    const asked = { file: await speech(), model: BY_TOKENS, response_format: 'text' } as const;
    expect(await client().audio.transcriptions.create(asked)).toBe(`${TEXT}\n`);
    expect(vendor.forms[0]?.form['response_format']).toBe('json');
    expect(await charged()).toBe(REPORTED);
  });

  it('streams, and is billed what the last event reports', async () => {
    const events = await client().audio.transcriptions.create({
      file: await speech(),
      model: BY_TOKENS,
      stream: true,
    });
    let text = '';
    const ends: unknown[] = [];
    for await (const event of events) {
      if (event.type === 'transcript.text.delta') text += event.delta;
      else ends.push(event);
    }
    expect(text).toBe(TEXT);
    expect(ends).toEqual([{ type: 'transcript.text.done', text: TEXT, usage: TOKEN_USAGE }]);
    expect(await charged()).toBe(REPORTED);
  });

  it('is billed ten tokens a second where nothing is reported', async () => {
    vendor.change = ({ text }) => ({ text });
    await client().audio.transcriptions.create({ file: await speech(), model: BY_TOKENS });
    const cost = await charged();
    const heard = (Math.ceil((AUDIO_MS * 10) / 1_000) * TEST_PRICES.inputNanoUsd) / 1_000_000;
    expect(cost).toBeGreaterThan(heard);
    expect(cost).toBeLessThan(2 * REPORTED);
  });

  it('passes the vendor’s refusal on, for nothing', async () => {
    const asked = client().audio.transcriptions.create({
      file: await speech(),
      model: BY_TOKENS,
      response_format: 'srt',
    });
    await expect(asked).rejects.toThrow(BadRequestError);
    expect(await charged()).toBe(0);
  });
});

describe('a model that is priced by the second', () => {
  it('is billed ten seconds at least where its price says so, as its upstream bills', async () => {
    await priceExtra(BY_SECONDS, { second: PER_SECOND, secondsMin: 10 });
    await gateway.republish();
    try {
      const short = { file: await speech(), model: BY_SECONDS };
      await client().audio.transcriptions.create(short);
      expect(await charged()).toBe(10 * PER_SECOND);
      const { rows } = await pool.query<{ meters: object; prices: object }>(
        'select extra_meters as meters, extra_prices as prices from usage_records order by created_at desc limit 1',
      );
      expect(rows).toEqual([
        { meters: { second: 10_000 }, prices: { second: PER_SECOND, secondsMin: 10 } },
      ]);
      const long = { file: await speech(wavOf(12_000)), model: BY_SECONDS };
      vendor.change = (reply) => ({ ...reply, usage: { type: 'duration', seconds: 12 } });
      await client().audio.transcriptions.create(long);
      expect(await charged()).toBe(12 * PER_SECOND);
    } finally {
      await priceExtra(BY_SECONDS, { second: PER_SECOND });
      await gateway.republish();
    }
  });

  it('is billed the seconds that are reported, rounded up as they are', async () => {
    const asked = { file: await speech(), model: BY_SECONDS };
    const { usage } = await client().audio.transcriptions.create(asked);
    expect(usage).toEqual({ type: 'duration', seconds: 4 });
    expect(await charged()).toBe(4 * PER_SECOND);
  });

  it.each([
    ['text', `${TEXT}\n`, 'json'],
    [
      'srt',
      '1\n00:00:00,000 --> 00:00:01,500\nGood evening.\n\n2\n00:00:01,500 --> 00:00:03,210\nΖήνων speaks.\n\n',
      'verbose_json',
    ],
    [
      'vtt',
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nGood evening.\n\n00:00:01.500 --> 00:00:03.210\nΖήνων speaks.\n\n',
      'verbose_json',
    ],
  ] as const)('is billed the same of %s', async (response_format, text, sent) => {
    const asked = { file: await speech(), model: BY_SECONDS, response_format };
    expect(await client().audio.transcriptions.create(asked)).toBe(text);
    expect(vendor.forms[0]?.form['response_format']).toBe(sent);
    expect(await charged()).toBe(4 * PER_SECOND);
  });

  it('is billed the duration of the reply, or of the file, where there is no usage', async () => {
    const verbose = { model: BY_SECONDS, response_format: 'verbose_json' } as const;
    vendor.change = ({ usage: _usage, ...reply }) => ({ ...reply, duration: '2.5' });
    await client().audio.transcriptions.create({ ...verbose, file: await speech() });
    expect(await charged()).toBe(2.5 * PER_SECOND);
    vendor.change = ({ text }) => ({ text });
    await client().audio.transcriptions.create({ model: BY_SECONDS, file: await speech() });
    expect(await charged()).toBe(3.21 * PER_SECOND);
  });

  it('never costs more than the file can last, nor nothing for a file of unknown length', async () => {
    vendor.change = ({ text }) => ({ text, usage: { type: 'duration', seconds: 999_999 } });
    await client().audio.transcriptions.create({ model: BY_SECONDS, file: await speech() });
    expect(await charged()).toBe(5 * PER_SECOND);
    vendor.change = ({ text }) => ({ text });
    const unknown = Buffer.alloc(1_234, 'x');
    await client().audio.transcriptions.create({ model: BY_SECONDS, file: await speech(unknown) });
    expect(await charged()).toBe(1.234 * PER_SECOND);
    // A header that claims less than the bytes can be believed by nobody but the vendor.
    const padded = Buffer.concat([mp4Of(10), Buffer.alloc(20_000)]);
    vendor.change = ({ text }) => ({ text, usage: { type: 'duration', seconds: 20 } });
    await client().audio.transcriptions.create({ model: BY_SECONDS, file: await speech(padded) });
    expect(await charged()).toBe(20 * PER_SECOND);
  });

  it('translates', async () => {
    const asked = { file: await speech(), model: BY_SECONDS };
    // oxlint-disable-next-line typescript/no-deprecated -- clients of whisper-1 call it
    expect(await client().audio.translations.create(asked)).toMatchObject({ text: TEXT });
    expect(vendor.forms[0]?.path).toBe('/v1/audio/translations');
    expect(await charged()).toBe(4 * PER_SECOND);
  });

  it('sends the whole transcript as a stream, as Whisper ignores "stream"', async () => {
    const asked = { file: await speech(), model: BY_SECONDS, stream: true } as const;
    const events = await client().audio.transcriptions.create(asked);
    const types: string[] = [];
    for await (const event of events) types.push(event.type);
    expect(types).toEqual(['transcript.text.delta', 'transcript.text.done']);
    expect(await charged()).toBe(4 * PER_SECOND);
  });

  it('is billed the whole file where its upstream reports tokens, and where a stream breaks off', async () => {
    const asked = { model: STREAMED, stream: true } as const;
    const whole = await client().audio.transcriptions.create({ ...asked, file: await speech() });
    for await (const { type } of whole) expect(type).toMatch(/^transcript\./);
    expect(await charged()).toBe(3.21 * PER_SECOND);
    vendor.breaksStreams = true;
    const broken = await client().audio.transcriptions.create({ ...asked, file: await speech() });
    await expect(
      (async () => {
        for await (const { type } of broken) expect(type).toBe('transcript.text.delta');
      })(),
    ).rejects.toThrow(/broke off/);
    expect(await charged()).toBe(3.21 * PER_SECOND);
  });

  it('is not served where it would be free', async () => {
    const asked = client().chat.completions.create({
      model: BY_SECONDS,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    await expect(asked).rejects.toThrow(/by seconds of sound/);
    expect(await charged()).toBe(0);
  });
});

function post(body: string | FormData, contentType?: string): Promise<Response> {
  const headers = { authorization: `Bearer ${seeded.key}` };
  return fetch(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: contentType === undefined ? headers : { ...headers, 'content-type': contentType },
    body,
  });
}

function formOf(fields: readonly (readonly [string, string])[], file = wavOf(100)): FormData {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(file)], 'a.wav'));
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

describe('a form', () => {
  it('has its model behind the file, and fields that nobody knows stay here', async () => {
    const fields = [
      ['x_fallbacks', 'a'],
      ['model', BY_SECONDS],
    ] as const;
    const reply = await post(formOf(fields));
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-weir-dropped-fields')).toContain('x_fallbacks');
    expect(Object.keys(vendor.forms[0]?.form ?? {})).toEqual(['model', 'file']);
    await charged();
  });

  it.each([
    [
      'two models',
      [
        ['model', BY_SECONDS],
        ['model', BY_TOKENS],
      ],
      /more than one field "model"/,
    ],
    ['no model', [], /"model" is missing/],
    [
      'an unknown format',
      [
        ['model', BY_SECONDS],
        ['response_format', 'xml'],
      ],
      /response_format/,
    ],
    [
      'a stream that is neither',
      [
        ['model', BY_SECONDS],
        ['stream', 'yes'],
      ],
      /"stream"/,
    ],
  ] as const)('with %s is refused, for nothing', async (_name, fields, message) => {
    const reply = await post(formOf(fields));
    expect(reply.status).toBe(400);
    const { error } = (await reply.json()) as { error: { message: string } };
    expect(error.message).toMatch(message);
    expect(vendor.forms).toEqual([]);
    expect(await charged()).toBe(0);
  });

  it.each([
    ['JSON', '{}', 'application/json', 415],
    ['no boundary', 'x', 'multipart/form-data', 400],
    ['a body that is no form', 'x', 'multipart/form-data; boundary=b', 400],
    [
      'an empty file',
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n\r\n--b\r\nContent-Disposition: form-data; name="model"\r\n\r\n${BY_SECONDS}\r\n--b--`,
      'multipart/form-data; boundary=b',
      400,
    ],
  ])('of %s is refused', async (_name, body, contentType, status) => {
    expect((await post(body, contentType)).status).toBe(status);
    expect(await charged()).toBe(0);
  });

  it('for a model that does not exist is refused as the client knows it', async () => {
    const asked = client().audio.transcriptions.create({ file: await speech(), model: 'no-such' });
    await expect(asked).rejects.toThrow(NotFoundError);
  });
});
