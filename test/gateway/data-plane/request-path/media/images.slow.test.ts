import OpenAI, { BadRequestError } from 'openai';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { until } from '../../../../support/clocks/hang.ts';
import {
  OUTPUT_TOKENS,
  PROMPT_TOKENS,
  startImageVendor,
  type ImageVendor,
} from '../../../../support/upstreams/image-vendor.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { createDatabase, type TestDatabase } from '../../../../support/stores/postgres.ts';
import { seed, seedModel, type Seeded } from '../../../../support/seed.ts';

const USD = 1_000_000_000;
const CENT = USD / 100;
const CREDIT = 100 * USD;
/** By tokens: text in 5, image in 8, text out 10, image out 32 USD per million. */
const BY_TOKENS = 'gpt-image-2';
/** By the image: 4 cents, high 17, 1024x1536 high 25. */
const BY_IMAGE = 'painter-image';
const POOR = 'poor-image';
const PROMPT = 'A cat in the rain';

let database: TestDatabase;
let pool: pg.Pool;
let vendor: ImageVendor;
let other: ImageVendor;
let seeded: Seeded;
/** An account with 24 cents. */
let poor: Seeded;
let gateway: TestGateway;
let ledger: Ledger;
let closeLedger: () => Promise<void>;
let client: OpenAI;
let spent = 0;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  [vendor, other] = await Promise.all([startImageVendor(), startImageVendor()]);
  seeded = await seed(pool, {
    upstreams: [vendor.url, other.url],
    creditNanoUsd: CREDIT,
    models: [{ publicId: BY_TOKENS }],
    prices: { inputNanoUsd: 5 * USD, outputNanoUsd: 10 * USD },
    outputTokensMax: 10_000,
  });
  const { groupId, channelIds } = seeded;
  // Fewer tokens than an image has: who sells images sets no such limit.
  const free = { prices: { inputNanoUsd: 0, outputNanoUsd: 0 }, outputTokensMax: 100 };
  for (const publicId of [BY_IMAGE, 'omni-moderation-latest']) {
    await seedModel(pool, free, { publicId, groupId, channelIds });
  }
  const setExtra = (publicId: string, extra: object) =>
    pool.query(
      'update prices set extra_prices = $2 where model_id = (select id from models where public_id = $1)',
      [publicId, extra],
    );
  await setExtra(BY_TOKENS, { imageInput: 8 * USD, imageOutput: 32 * USD });
  poor = await seed(pool, {
    upstreams: [vendor.url],
    creditNanoUsd: 24 * CENT,
    models: [{ publicId: POOR }],
    ...free,
  });
  await setExtra(POOR, { image: 4 * CENT, variants: { '1024x1536 high': 25 * CENT } });
  const variants = { high: 17 * CENT, '1024x1536 high': 25 * CENT };
  await setExtra(BY_IMAGE, { image: 4 * CENT, variants });
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  ({ ledger, close: closeLedger } = await openTestLedger(pool, null));
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: seeded.key, maxRetries: 0 });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await closeLedger();
  await Promise.all([vendor.close(), other.close()]);
  await pool.end();
  await database.drop();
});

beforeEach(() => {
  for (const one of [vendor, other]) {
    one.bodies.length = 0;
    one.change = undefined;
    one.image = 'aW1hZ2U=';
    one.status = 200;
    one.breaksAfter = Infinity;
    one.halves = false;
    one.completedEvents = 1;
  }
});

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
  readonly capped: boolean;
  readonly cost: string;
}

async function lastRecord(cost: number): Promise<BilledRow> {
  return until('the record is there', async () => {
    const { rows } = await pool.query<BilledRow>(
      `select extra_meters as extra, estimated, capped, cost_nano_usd as cost
       from usage_records order by created_at desc, request_id desc limit 1`,
    );
    const [row] = rows;
    return row !== undefined && Number(row.cost) === cost && row;
  });
}

const TEXT_IN = PROMPT_TOKENS * 5_000;

describe('images that are priced by tokens', () => {
  it('cost what their kinds of tokens cost; without details all output is images', async () => {
    const reply = await client.images.generate({
      model: BY_TOKENS,
      prompt: PROMPT,
      n: 2,
      size: '1024x1536',
      quality: 'high',
    });
    expect(reply.data).toEqual([{ b64_json: 'aW1hZ2U=' }, { b64_json: 'aW1hZ2U=' }]);
    expect(reply.usage?.output_tokens).toBe(2 * 6_240);
    const cost = TEXT_IN + 2 * 6_240 * 32_000;
    expect(await charged()).toBe(cost);
    const extra = { imageOutput: 2 * 6_240 };
    expect(await lastRecord(cost)).toMatchObject({ extra, estimated: false, capped: false });
  });

  it.each([
    [
      'text and image output apart',
      { output_tokens_details: { text_tokens: 84, image_tokens: 1_500 } },
      84 * 10_000 + 1_500 * 32_000,
    ],
    [
      'details of zeros as images',
      { output_tokens_details: { text_tokens: 0, image_tokens: 0 } },
      1_584 * 32_000,
    ],
  ])('bill %s', async (_name, details, output) => {
    vendor.change = (reply) => ({ ...reply, usage: { ...(reply['usage'] as object), ...details } });
    await client.images.generate({ model: BY_TOKENS, prompt: PROMPT });
    expect(await charged()).toBe(TEXT_IN + output);
  });

  it('bill images in the prompt as images, and text as text', async () => {
    const usage = {
      input_tokens: 600,
      input_tokens_details: { text_tokens: 100, image_tokens: 500 },
      output_tokens: 408,
      total_tokens: 1_008,
    };
    vendor.change = (reply) => ({ ...reply, usage });
    await client.images.generate({ model: BY_TOKENS, prompt: PROMPT });
    expect(await charged()).toBe(100 * 5_000 + 500 * 8_000 + 408 * 32_000);
  });

  it.each([
    ['nothing', undefined],
    ['no output', { input_tokens: 12, output_tokens: 0, total_tokens: 12 }],
  ])('are never free: %s is reported, and they are counted by the table', async (_name, usage) => {
    vendor.change = ({ usage: _usage, ...reply }) =>
      usage === undefined ? reply : { ...reply, usage };
    const reply = await client.images.generate({
      model: BY_TOKENS,
      prompt: PROMPT,
      quality: 'low',
    });
    const { input_tokens: input = 0, output_tokens: output } = reply.usage ?? {};
    expect(output).toBe(408);
    const cost = input * 5_000 + 408 * 32_000;
    expect(input).toBeGreaterThan(2);
    expect(await charged()).toBe(cost);
    expect(await lastRecord(cost)).toMatchObject({ estimated: true });
  });

  it('stream with partial images, and cost what the last event reports', async () => {
    const events = await client.images.generate({
      model: BY_TOKENS,
      prompt: PROMPT,
      stream: true,
      partial_images: 2,
      quality: 'low',
    });
    const types: string[] = [];
    for await (const event of events) types.push(event.type);
    expect(types).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
    expect(vendor.bodies[0]).not.toHaveProperty('stream_options');
    expect(await charged()).toBe(TEXT_IN + (408 + 200) * 32_000);
  });

  it('cost their usage once where the upstream reports it twice', async () => {
    vendor.completedEvents = 2;
    const asked = { model: BY_TOKENS, prompt: PROMPT, stream: true, quality: 'low' } as const;
    const events = await client.images.generate(asked);
    const types: string[] = [];
    for await (const { type } of events) types.push(type);
    expect(types).toEqual(['image_generation.completed']);
    expect(await charged()).toBe(TEXT_IN + 408 * 32_000);
  });

  it('pass events of many megabytes', async () => {
    vendor.image = 'QUJD'.repeat(2_500_000);
    const body = { model: BY_TOKENS, prompt: PROMPT, stream: true, partial_images: 1 };
    // Not by the SDK: it searches all of a line again at each packet.
    const reply = await fetch(`${gateway.url}/v1/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, quality: 'low' }),
    });
    const events = (await reply.text()).split('\n').filter((line) => line.startsWith('data: '));
    const images = events.map((line) => JSON.parse(line.slice(6)) as { b64_json: string });
    expect(images.map(({ b64_json: image }) => image === vendor.image)).toEqual([true, true]);
    expect(await charged()).toBe(TEXT_IN + (408 + 100) * 32_000);
  });

  it('pass as whole replies of many megabytes, with the usage that is billed', async () => {
    vendor.image = 'QUJD'.repeat(500_000);
    const asked = { model: BY_TOKENS, prompt: PROMPT, n: 2, quality: 'low' } as const;
    const { data, usage } = await client.images.generate(asked);
    expect(data?.map(({ b64_json: image }) => image === vendor.image)).toEqual([true, true]);
    expect(usage?.output_tokens).toBe(2 * 408);
    expect(await charged()).toBe(TEXT_IN + 2 * 408 * 32_000);
    vendor.change = ({ usage: _usage, ...reply }) => reply;
    const counted = await client.images.generate(asked);
    const { input_tokens: input = 0, output_tokens: output = 0 } = counted.usage ?? {};
    expect(output).toBe(2 * 408);
    const cost = input * 5_000 + output * 32_000;
    expect(await charged()).toBe(cost);
    expect(await lastRecord(cost)).toMatchObject({ estimated: true });
  });

  it('cost nothing that a client cannot read: a whole reply breaks off', async () => {
    vendor.image = 'QUJD'.repeat(500_000);
    vendor.halves = true;
    const asked = { model: BY_IMAGE, prompt: PROMPT, quality: 'low' } as const;
    await expect(client.images.generate(asked)).rejects.toThrow();
    expect(await charged()).toBe(0);
  });

  it('are billed as whole images when a stream breaks behind a part of one', async () => {
    vendor.breaksAfter = 1;
    const events = await client.images.generate({
      model: BY_TOKENS,
      prompt: PROMPT,
      stream: true,
      partial_images: 2,
      quality: 'low',
      size: '1024x1536',
    });
    const read = async () => {
      for await (const _event of events);
    };
    await expect(read()).rejects.toThrow();
    const cost = await charged();
    expect(cost).toBeGreaterThan((OUTPUT_TOKENS['low'] ?? Infinity) * 32_000);
    expect(await lastRecord(cost)).toMatchObject({ estimated: true });
  });
});

describe('images that are priced by the image', () => {
  it.each([
    ['low', '1024x1024', 4],
    ['high', '1024x1024', 17],
    ['high', '1024x1536', 25],
    // Not listed: no other size’s price is taken for it.
    ['low', '1536x1024', 4],
    ['high', '1536x1024', 17],
  ] as const)('cost what a %s one of %s costs, each', async (quality, size, cents) => {
    await client.images.generate({ model: BY_IMAGE, prompt: PROMPT, n: 3, quality, size });
    const cost = 3 * cents * CENT;
    expect(await charged()).toBe(cost);
    const extra = { image: 3, variant: `${size} ${quality}` };
    expect(await lastRecord(cost)).toMatchObject({ extra, estimated: false, capped: false });
  });

  it('are counted in the reply where the upstream reports nothing', async () => {
    vendor.change = ({ usage: _usage, ...reply }) => ({
      ...reply,
      data: [{ url: 'https://x.test/1' }, { error: {} }],
    });
    await client.images.generate({ model: BY_IMAGE, prompt: PROMPT, n: 2, quality: 'low' });
    expect(await charged()).toBe(4 * CENT);
    expect(await lastRecord(4 * CENT)).toMatchObject({ estimated: false, capped: false });
  });

  it('are no more than were asked for', async () => {
    vendor.change = (reply) => ({ ...reply, data: Array(5).fill({ b64_json: 'eA==' }) });
    await client.images.generate({ model: BY_IMAGE, prompt: PROMPT, quality: 'low' });
    expect(await charged()).toBe(4 * CENT);
    expect(await lastRecord(4 * CENT)).toMatchObject({ capped: true });
  });

  it('say in the usage what they cost, where the client asks', async () => {
    const asked = { model: BY_IMAGE, prompt: PROMPT, quality: 'low', usage: { include: true } };
    const reply = await client.images.generate(asked as OpenAI.ImageGenerateParamsNonStreaming);
    expect(reply.usage).toMatchObject({ cost: 0.04 });
    expect(vendor.bodies[0]).not.toHaveProperty('usage');
    expect(await charged()).toBe(4 * CENT);
  });

  it('are refused as chat: it would be free', async () => {
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    await expect(client.chat.completions.create({ model: BY_IMAGE, messages })).rejects.toThrow(
      /images that it makes/,
    );
    expect(vendor.bodies).toEqual([]);
    expect(await charged()).toBe(0);
  });
});

describe('requests for images', () => {
  it.each([
    [{ output_format: 'svg' }, 'output_format'],
    [{ n: 11 }, 'n'],
    [{ n: 0 }, 'n'],
    [{ batch_size: 4 }, 'batch_size'],
    [{ sequential_image_generation: 'auto' }, 'sequential_image_generation'],
    [{ prompt: null }, 'prompt'],
  ])('with %j are refused before anything is held', async (body, param) => {
    const asked = { model: BY_IMAGE, prompt: PROMPT, ...body } as OpenAI.ImageGenerateParams;
    const error: unknown = await client.images.generate(asked).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ param });
    expect(vendor.bodies).toEqual([]);
  });

  it('that the upstream refuses cost nothing, and say why', async () => {
    const error: unknown = await client.images
      .generate({ model: BY_TOKENS, prompt: PROMPT, size: '17x17' })
      .catch((one: unknown) => one);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(String(error)).toContain('Supported values are');
    expect(await charged()).toBe(0);
  });

  it('go to another channel where the first fails', async () => {
    vendor.status = 503;
    await client.images.generate({ model: BY_IMAGE, prompt: PROMPT, quality: 'low' });
    expect(other.bodies).toHaveLength(1);
    expect(await charged()).toBe(4 * CENT);
  });

  it('are held for the most expensive variant', async () => {
    const own = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: poor.key, maxRetries: 0 });
    const ask = (more: object) => own.images.generate({ model: POOR, prompt: PROMPT, ...more });
    await expect(ask({ quality: 'auto' })).rejects.toMatchObject({ status: 402 });
    await expect(ask({ quality: 'low', size: '1024x1536' })).resolves.toBeDefined();
  });

  it('that come at once cost no more than there is', async () => {
    const { accountId, key } = poor;
    const own = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 });
    const { availableNanoUsd } = await settledState(ledger, accountId);
    const possible = Math.floor(availableNanoUsd / (4 * CENT));
    expect(possible).toBeLessThan(10);
    const asked = { model: POOR, prompt: PROMPT, quality: 'low', size: '1024x1024' } as const;
    const sent = Array.from({ length: 10 }, () => own.images.generate(asked));
    const ends = await Promise.allSettled(sent);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(possible);
    const state = await settledState(ledger, accountId);
    expect(state.availableNanoUsd).toBe(availableNanoUsd - possible * 4 * CENT);
  });
});

describe('moderations', () => {
  it('are free, and passed', async () => {
    const { id, model, results } = await client.moderations.create({ input: ['a', 'b'] });
    expect({ id, model }).toEqual({ id: 'modr-1', model: 'omni-moderation-latest' });
    expect(results[0]?.flagged).toBe(false);
    expect(await charged()).toBe(0);
    expect(await lastRecord(0)).toMatchObject({ estimated: false });
  });
});
