import { hash, randomBytes } from 'node:crypto';
import { GoogleGenAI } from '@google/genai';
import OpenAI, { BadRequestError, toFile } from 'openai';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { seed, seedModel, type Seeded } from '../../../../support/seed.ts';
import { createDatabase, type TestDatabase } from '../../../../support/stores/postgres.ts';
import {
  GOOGLE_TOKENS,
  startGoogleImages,
  type GoogleImageVendor,
} from '../../../../support/upstreams/google-image-vendor.ts';

const USD = 1_000_000_000;
const CENT = USD / 100;
const CREDIT = 100 * USD;
/** $0.30 for text, $0.50 for images in the prompt, $2.50 for text, $30 for images in the reply. */
const NANO_BANANA = 'gemini-2.5-flash-image';
const PER_TOKEN = { text: 300, image: 500, textOut: 2_500, imageOut: 30_000 };
/** 4 cents an image, 6 of the size 2048x2048. */
const IMAGEN = 'imagen-4.0-generate-001';
const PROMPT = 'A cat in the rain';
const IMAGE = Buffer.from('image').toString('base64');

let database: TestDatabase;
let pool: pg.Pool;
let vendor: GoogleImageVendor;
let seeded: Seeded;
let gateway: TestGateway;
let ledger: Ledger;
let closeLedger: () => Promise<void>;
let client: OpenAI;
let spent = 0;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  vendor = await startGoogleImages();
  seeded = await seed(pool, {
    upstreams: [vendor.url],
    creditNanoUsd: CREDIT,
    models: [{ publicId: NANO_BANANA }],
    prices: {
      inputNanoUsd: 1_000_000 * PER_TOKEN.text,
      outputNanoUsd: 1_000_000 * PER_TOKEN.textOut,
    },
    outputTokensMax: 10_000,
  });
  const { groupId, channelIds } = seeded;
  const free = { prices: { inputNanoUsd: 0, outputNanoUsd: 0 } };
  await seedModel(pool, free, { publicId: IMAGEN, groupId, channelIds });
  await pool.query(`update channels set kind = 'gemini'`);
  const setExtra = (publicId: string, extra: object) =>
    pool.query(
      'update prices set extra_prices = $2 where model_id = (select id from models where public_id = $1)',
      [publicId, extra],
    );
  await setExtra(NANO_BANANA, {
    imageInput: 1_000_000 * PER_TOKEN.image,
    imageOutput: 1_000_000 * PER_TOKEN.imageOut,
  });
  await setExtra(IMAGEN, { image: 4 * CENT, variants: { '2048x2048': 6 * CENT, high: 90 * CENT } });
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  ({ ledger, close: closeLedger } = await openTestLedger(pool, null));
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: seeded.key, maxRetries: 0 });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await closeLedger();
  vendor.close();
  await pool.end();
  await database.drop();
});

beforeEach(() => {
  vendor.requests.length = 0;
  vendor.digests.length = 0;
  vendor.change = undefined;
});

/** Returns the account’s loss since the last look; nothing stays held. */
async function charged(): Promise<number> {
  const state = await settledState(ledger, seeded.accountId);
  expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0, inFlight: 0 });
  const since = CREDIT - state.availableNanoUsd - spent;
  spent += since;
  return since;
}

const cost = (edited: number): number =>
  GOOGLE_TOKENS.prompt * PER_TOKEN.text +
  edited * GOOGLE_TOKENS.edited * PER_TOKEN.image +
  GOOGLE_TOKENS.image * PER_TOKEN.imageOut;

describe('a Gemini model that makes images', () => {
  it('is asked in its own form, and billed the tokens of images at their price', async () => {
    const reply = await client.images.generate({
      ...{ model: NANO_BANANA, prompt: PROMPT, size: '1536x1024', quality: 'high' },
    });
    expect(reply.data).toEqual([{ b64_json: IMAGE }]);
    expect(reply.usage).toEqual({
      input_tokens: GOOGLE_TOKENS.prompt,
      output_tokens: GOOGLE_TOKENS.image,
      total_tokens: GOOGLE_TOKENS.prompt + GOOGLE_TOKENS.image,
      input_tokens_details: { text_tokens: GOOGLE_TOKENS.prompt, image_tokens: 0 },
      output_tokens_details: { text_tokens: 0, image_tokens: GOOGLE_TOKENS.image },
    });
    expect(vendor.requests).toEqual([
      {
        path: `/v1beta/models/${NANO_BANANA}:generateContent`,
        body: {
          contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
          generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '3:2' } },
        },
      },
    ]);
    expect(await charged()).toBe(cost(0));
  });

  it('edits images of a form, from memory and from disk, each billed', async () => {
    const files = [randomBytes(400_001), randomBytes(7)];
    const [large = Buffer.alloc(0), small = Buffer.alloc(0)] = files;
    const reply = await client.images.edit({
      model: NANO_BANANA,
      prompt: PROMPT,
      image: [
        await toFile(large, 'a.png', { type: 'image/png' }),
        await toFile(small, 'b.webp', { type: 'image/webp' }),
      ],
    });
    expect(reply.data).toEqual([{ b64_json: IMAGE }]);
    expect(vendor.digests).toEqual(files.map((file) => hash('sha256', file)));
    expect(await charged()).toBe(cost(2));
  });

  it('streams as one event, since its upstream is asked for a whole reply', async () => {
    const stream = await client.images.generate({
      ...{ model: NANO_BANANA, prompt: PROMPT, stream: true },
    });
    const events: unknown[] = [];
    for await (const event of stream) events.push(event);
    expect(events).toMatchObject([{ type: 'image_generation.completed', b64_json: IMAGE }]);
    expect(await charged()).toBe(cost(0));
  });

  it('is billed text and thoughts as text, and no draft reaches the client', async () => {
    vendor.change = (reply) => {
      const usage = reply['usageMetadata'] as Record<string, unknown>;
      const [candidate] = reply['candidates'] as { content: { parts: object[] } }[];
      const draft = { thought: true, inlineData: { mimeType: 'image/png', data: 'ZHJhZnQ=' } };
      candidate?.content.parts.unshift(draft, { text: 'Here it is.' });
      const candidatesTokenCount = GOOGLE_TOKENS.image + 5;
      const details = [
        { modality: 'IMAGE', tokenCount: GOOGLE_TOKENS.image },
        { modality: 'TEXT', tokenCount: 5 },
      ];
      return {
        ...reply,
        usageMetadata: {
          ...usage,
          ...{ candidatesTokenCount, candidatesTokensDetails: details, thoughtsTokenCount: 20 },
          totalTokenCount: GOOGLE_TOKENS.prompt + candidatesTokenCount + 20,
        },
      };
    };
    const reply = await client.images.generate({ model: NANO_BANANA, prompt: PROMPT });
    expect(reply.data).toEqual([{ b64_json: IMAGE }]);
    expect(await charged()).toBe(cost(0) + 25 * PER_TOKEN.textOut);
  });

  it('is billed all output as images where the upstream reports no kinds', async () => {
    vendor.change = ({ usageMetadata, ...reply }) => {
      const { candidatesTokensDetails: _kinds, ...usage } = usageMetadata as Record<
        string,
        unknown
      >;
      return { ...reply, usageMetadata: usage };
    };
    await client.images.generate({ model: NANO_BANANA, prompt: PROMPT });
    expect(await charged()).toBe(cost(0));
  });

  it.each([
    ['n', { n: 2 }, 'one image at a time'],
    ['size', { size: '1024x200' }, 'of these shapes: 1:1'],
    ['response_format', { response_format: 'url' }, 'Send "b64_json"'],
    ['seed', { seed: 3 }, 'has no "seed"'],
  ])('is not asked for what it cannot do, by %s, for nothing', async (param, more, words) => {
    const reply = await fetch(`${gateway.url}/v1/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: NANO_BANANA, prompt: PROMPT, ...more }),
    });
    const { error } = (await reply.json()) as { error: { param: string; message: string } };
    expect({ status: reply.status, param: error.param }).toEqual({ status: 400, param });
    expect(error.message).toContain(words);
    expect(vendor.requests).toEqual([]);
    expect(await charged()).toBe(0);
  });

  describe('that makes none', () => {
    const WORDS = 'I cannot draw a person who is alive.';
    /** A candidate without an image, and 9 tokens of text in place of one. */
    const without = (candidate: object, text: number) => {
      vendor.change = () => ({
        candidates: [{ index: 0, ...candidate }],
        usageMetadata: {
          promptTokenCount: GOOGLE_TOKENS.prompt,
          candidatesTokenCount: text,
          totalTokenCount: GOOGLE_TOKENS.prompt + text,
        },
      });
    };
    const said = { content: { role: 'model', parts: [{ text: WORDS }] }, finishReason: 'STOP' };
    const asked = { model: NANO_BANANA, prompt: PROMPT };
    const thrown = (): Promise<unknown> =>
      client.images.generate(asked).then(
        () => undefined,
        (error: unknown) => error,
      );

    it('says to the client what the model says, and is billed its text', async () => {
      without(said, 9);
      const error = await thrown();
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error).toMatchObject({ status: 400, code: 'upstream_rejected' });
      expect(String(error)).toContain(WORDS);
      expect(await charged()).toBe(GOOGLE_TOKENS.prompt * PER_TOKEN.text + 9 * PER_TOKEN.textOut);
      expect(vendor.requests).toHaveLength(1);
      const { rows } = await pool.query<{ record: object; log: string | null }>(
        `select (select row_to_json(u) from (select status, http_status, estimated from usage_records
                 order by created_at desc limit 1) u) as record,
                (select string_agg(r::text, '') from usage_records r) as log`,
      );
      expect(rows[0]?.record).toMatchObject({ status: 'completed', http_status: 400 });
      expect(rows[0]?.log).not.toContain(WORDS);
    });

    it('says the same to a client that streams', async () => {
      without(said, 9);
      const sent = client.images.generate({ ...asked, stream: true });
      const error: unknown = await sent.catch((one: unknown) => one);
      expect(error).toMatchObject({ status: 400 });
      expect(String(error)).toContain(WORDS);
      expect(await charged()).toBe(GOOGLE_TOKENS.prompt * PER_TOKEN.text + 9 * PER_TOKEN.textOut);
    });

    it('is billed its words, counted, where nothing is reported', async () => {
      vendor.change = () => ({ candidates: [said] });
      expect(String(await thrown())).toContain(WORDS);
      const cost = await charged();
      expect(cost).toBeGreaterThan(3 * PER_TOKEN.textOut);
      expect(cost).toBeLessThan(30 * PER_TOKEN.textOut);
    });

    it.each(['IMAGE_SAFETY', 'NO_IMAGE', 'IMAGE_PROHIBITED_CONTENT', 'SAFETY'])(
      'is billed the prompt where an image is held back by %s',
      async (finishReason) => {
        without({ finishReason }, 0);
        expect(await thrown()).toMatchObject({ status: 400, code: 'content_policy_violation' });
        expect(await charged()).toBe(GOOGLE_TOKENS.prompt * PER_TOKEN.text);
      },
    );

    it.each([
      ['nothing', { finishReason: 'STOP' }],
      [
        'thoughts alone',
        { content: { parts: [{ thought: true, text: 'A cat …' }] }, finishReason: 'STOP' },
      ],
      ['a failure of the model', { finishReason: 'MALFORMED_FUNCTION_CALL' }],
    ])('is no reply, and free, where it says %s', async (_name, candidate) => {
      without(candidate, 0);
      expect(await thrown()).toMatchObject({ status: 502 });
      expect(await charged()).toBe(0);
    });
  });

  it('answers Google’s own client, which asks for images natively', async () => {
    const google = new GoogleGenAI({
      apiKey: seeded.key,
      httpOptions: { baseUrl: gateway.url },
    });
    const reply = await google.models.generateContent({
      model: NANO_BANANA,
      contents: PROMPT,
      config: { responseModalities: ['IMAGE'] },
    });
    expect(reply.candidates?.[0]?.content?.parts?.[0]?.inlineData?.data).toBe(IMAGE);
    expect(await charged()).toBe(cost(0));
  });
});

describe('Imagen', () => {
  it('is asked by predict, and billed by the image', async () => {
    const reply = await client.images.generate({
      ...{ model: IMAGEN, prompt: PROMPT, n: 3, size: '1024x1024', quality: 'high' },
    });
    expect(reply.data).toEqual(Array.from({ length: 3 }, () => ({ b64_json: IMAGE })));
    expect(vendor.requests).toEqual([
      {
        path: `/v1beta/models/${IMAGEN}:predict`,
        body: {
          instances: [{ prompt: PROMPT }],
          parameters: { sampleCount: 3, includeRaiReason: true, aspectRatio: '1:1' },
        },
      },
    ]);
    // It has no qualities, so that of the request costs nothing.
    expect(await charged()).toBe(3 * 4 * CENT);
  });

  it.each([
    [
      'a reason',
      { predictions: [{ raiFilteredReason: 'Unable to show this.' }] },
      'Unable to show',
    ],
    ['an empty reply', {}, 'held all of them back'],
  ])(
    'that holds all images back with %s says so, and costs nothing',
    async (_name, reply, words) => {
      vendor.change = () => reply;
      const asked = client.images.generate({ model: IMAGEN, prompt: PROMPT });
      const error: unknown = await asked.catch((one: unknown) => one);
      expect(error).toMatchObject({ status: 400, code: 'content_policy_violation' });
      expect(String(error)).toContain(words);
      expect(await charged()).toBe(0);
    },
  );

  it('is refused to Google’s own client, with the way to ask', async () => {
    const google = new GoogleGenAI({
      ...{ vertexai: true, apiKey: seeded.key },
      httpOptions: { baseUrl: gateway.url },
    });
    const asked = google.models.generateImages({ model: IMAGEN, prompt: PROMPT });
    const error: unknown = await asked.catch((one: unknown) => one);
    expect(error).toMatchObject({ status: 404 });
    expect(String(error)).toContain('/v1/images/generations');
    // Older ones send it to the Gemini API as well.
    const reply = await fetch(`${gateway.url}/v1beta/models/${IMAGEN}:predict`, {
      method: 'POST',
      headers: { 'x-goog-api-key': seeded.key, 'content-type': 'application/json' },
      body: JSON.stringify({ instances: [{ prompt: PROMPT }], parameters: { sampleCount: 1 } }),
    });
    expect(reply.status).toBe(404);
    expect(await reply.text()).toContain('/v1/images/generations');
    expect(vendor.requests).toEqual([]);
    expect(await charged()).toBe(0);
  });

  it('is billed the images that its filter leaves, in the variant that was asked for', async () => {
    vendor.change = ({ predictions }) => {
      const [first] = predictions as object[];
      return { predictions: [first, { raiFilteredReason: 'Filtered.' }] };
    };
    const reply = await client.images.generate({
      ...{ model: IMAGEN, prompt: PROMPT, n: 2, size: '2048x2048' },
    });
    expect(reply.data).toHaveLength(1);
    expect(vendor.requests[0]?.body['parameters']).toMatchObject({ sampleImageSize: '2K' });
    expect(await charged()).toBe(6 * CENT);
  });
});
