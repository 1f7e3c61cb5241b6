import OpenAI, { toFile } from 'openai';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { until } from '../../../../support/clocks/hang.ts';
import {
  EDITED_TOKENS,
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
const PROMPT = 'A cat in the rain';

let database: TestDatabase;
let pool: pg.Pool;
let vendor: ImageVendor;
let seeded: Seeded;
let gateway: TestGateway;
let ledger: Ledger;
let closeLedger: () => Promise<void>;
let client: OpenAI;
let spent = 0;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  vendor = await startImageVendor();
  seeded = await seed(pool, {
    upstreams: [vendor.url],
    creditNanoUsd: CREDIT,
    models: [{ publicId: BY_TOKENS }],
    prices: { inputNanoUsd: 5 * USD, outputNanoUsd: 10 * USD },
    outputTokensMax: 10_000,
  });
  const { groupId, channelIds } = seeded;
  const free = { prices: { inputNanoUsd: 0, outputNanoUsd: 0 } };
  await seedModel(pool, free, { publicId: BY_IMAGE, groupId, channelIds });
  const setExtra = (publicId: string, extra: object) =>
    pool.query(
      'update prices set extra_prices = $2 where model_id = (select id from models where public_id = $1)',
      [publicId, extra],
    );
  await setExtra(BY_TOKENS, { imageInput: 8 * USD, imageOutput: 32 * USD });
  const variants = { high: 17 * CENT, '1024x1536 high': 25 * CENT };
  await setExtra(BY_IMAGE, { image: 4 * CENT, variants });
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

describe('edits of images', () => {
  const picture = (bytes: number, name = 'a.png') =>
    toFile(Buffer.alloc(bytes, 1), name, { type: 'image/png' });
  const cost = (images: number, quality: string): number =>
    TEXT_IN + images * EDITED_TOKENS * 8_000 + (OUTPUT_TOKENS[quality] ?? 0) * 32_000;

  it('as a form are sent on with their files, and billed text, images and output apart', async () => {
    const reply = await client.images.edit({
      model: BY_TOKENS,
      prompt: PROMPT,
      image: [await picture(70_000), await picture(9, 'b.png')],
      mask: await picture(5, 'mask.png'),
      quality: 'high',
      size: '1024x1536',
    });
    expect(reply.data).toEqual([{ b64_json: 'aW1hZ2U=' }]);
    expect(vendor.bodies).toEqual([
      {
        model: BY_TOKENS,
        prompt: PROMPT,
        'image[]': ['a.png image/png 70000', 'b.png image/png 9'],
        mask: 'mask.png image/png 5',
        quality: 'high',
        size: '1024x1536',
      },
    ]);
    expect(await charged()).toBe(cost(2, 'high'));
    const extra = { imageInput: 2 * EDITED_TOKENS, imageOutput: OUTPUT_TOKENS['high'] };
    expect(await lastRecord(cost(2, 'high'))).toMatchObject({ extra, estimated: false });
  });

  it('have their model wherever it is, behind the file as well', async () => {
    const form = new FormData();
    form.append('image', new Blob([Buffer.alloc(100_000)], { type: 'image/png' }), 'a.png');
    form.append('n', '2');
    form.append('prompt', PROMPT);
    form.append('model', BY_IMAGE);
    const reply = await fetch(`${gateway.url}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seeded.key}` },
      body: form,
    });
    expect(reply.status).toBe(200);
    expect(vendor.bodies[0]).toMatchObject({ model: BY_IMAGE, n: '2' });
    // Medium has no price of its own.
    expect(await charged()).toBe(2 * 4 * CENT);
  });

  it('as JSON are sent on as they came', async () => {
    const images = [{ image_url: `data:image/png;base64,${'A'.repeat(4_000)}` }];
    const reply = await fetch(`${gateway.url}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: BY_TOKENS, prompt: PROMPT, quality: 'low', images }),
    });
    expect(reply.status).toBe(200);
    expect(vendor.bodies[0]).toMatchObject({ images });
    expect(await charged()).toBe(cost(1, 'low'));
  });

  it('stream, with events of their own names', async () => {
    const stream = await client.images.edit({
      model: BY_TOKENS,
      prompt: PROMPT,
      image: await picture(9),
      quality: 'low',
      partial_images: 1,
      stream: true,
    });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types).toEqual(['image_edit.partial_image', 'image_edit.completed']);
    expect(await charged()).toBe(cost(1, 'low') + 100 * 32_000);
  });

  it.each([
    ['without an image', { prompt: PROMPT }, 'image'],
    ['of a text for an image', { prompt: PROMPT, image: 'a' }, 'image'],
    ['without a prompt', {}, 'prompt'],
    ['as SVG', { prompt: PROMPT, image: null, output_format: 'svg' }, 'output_format'],
    ['of eleven', { prompt: PROMPT, image: null, n: '11' }, 'n'],
  ])('%s are refused', async (_name, fields, param) => {
    const form = new FormData();
    form.append('model', BY_TOKENS);
    for (const [name, value] of Object.entries(fields)) {
      if (value === null) form.append(name, new Blob(['a']), 'a.png');
      else form.append(name, value);
    }
    const reply = await fetch(`${gateway.url}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seeded.key}` },
      body: form,
    });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: { param } });
    expect(vendor.bodies).toEqual([]);
  });

  it('of a file that is kept elsewhere are refused', async () => {
    const images = [{ file_id: 'file-1' }];
    const reply = await fetch(`${gateway.url}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: BY_TOKENS, prompt: PROMPT, images }),
    });
    expect(await reply.json()).toMatchObject({ error: { param: 'images' } });
    expect(reply.status).toBe(400);
  });
});
