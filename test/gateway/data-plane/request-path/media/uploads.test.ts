import { hash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { until } from '../../../../support/clocks/hang.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { seed, seedModel, type Seeded } from '../../../../support/seed.ts';
import { createDatabase, type TestDatabase } from '../../../../support/stores/postgres.ts';
import {
  EDITED_TOKENS,
  OUTPUT_TOKENS,
  PROMPT_TOKENS,
  startImageVendor,
  type ImageVendor,
} from '../../../../support/upstreams/image-vendor.ts';
import {
  startTranscriptionVendor,
  type TranscriptionVendor,
} from '../../../../support/upstreams/transcription-vendor.ts';
import { wavOf } from '../../../platform/audio/support/audio-bytes.ts';

const USD = 1_000_000_000;
const CREDIT = 100 * USD;
const PAINTER = 'gpt-image-2';
const SCRIBE = 'whisper-1';
const PER_SECOND = 100_000;
const KIB = 1024;

let database: TestDatabase;
let pool: pg.Pool;
let failing: ImageVendor;
let vendor: ImageVendor;
let scribe: TranscriptionVendor;
let seeded: Seeded;
let gateway: TestGateway;
let ledger: Ledger;
let closeLedger: () => Promise<void>;
let dataDir: string;
let spent = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weir-uploads-'));
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  failing = await startImageVendor();
  vendor = await startImageVendor();
  scribe = await startTranscriptionVendor();
  seeded = await seed(pool, {
    upstreams: [failing.url, vendor.url, `${scribe.url}/v1`],
    creditNanoUsd: CREDIT,
    models: [],
    outputTokensMax: 10_000,
  });
  const { groupId, channelIds } = seeded;
  const [first = '', second = '', third = ''] = channelIds;
  const prices = { inputNanoUsd: 5 * USD, outputNanoUsd: 10 * USD };
  const painter = { publicId: PAINTER, groupId, channelIds: [first, second] };
  await seedModel(pool, { prices, outputTokensMax: 10_000 }, painter);
  const free = { inputNanoUsd: 0, outputNanoUsd: 0 };
  await seedModel(pool, { prices: free }, { publicId: SCRIBE, groupId, channelIds: [third] });
  await setExtra(PAINTER, { imageInput: 8 * USD, imageOutput: 32 * USD });
  await setExtra(SCRIBE, { second: PER_SECOND });
  // The one that may fail goes first.
  await pool.query('update channels set priority = 9 where id = $1', [second]);
  gateway = await startGateway({
    databaseUrl: database.url,
    redisUrl: null,
    env: {
      DATA_DIR: dataDir,
      UPLOAD_BYTES_MAX: String(2_000 * KIB),
      UPLOAD_DISK_BYTES_MAX: String(4_000 * KIB),
      UPLOAD_TIMEOUT_MS: '3600000',
    },
  });
  ({ ledger, close: closeLedger } = await openTestLedger(pool, null));
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await closeLedger();
  await Promise.all([failing, vendor, scribe].map((one) => one.close()));
  await pool.end();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

beforeEach(() => {
  failing.status = 200;
  for (const one of [failing, vendor]) {
    one.bodies.length = 0;
    one.digests.length = 0;
  }
});

async function setExtra(publicId: string, extra: object): Promise<void> {
  await pool.query(
    'update prices set extra_prices = $2 where model_id = (select id from models where public_id = $1)',
    [publicId, extra],
  );
}

/** Returns the account’s loss since the last look; nothing stays held. */
async function charged(): Promise<number> {
  const state = await settledState(ledger, seeded.accountId);
  expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0, inFlight: 0 });
  const since = CREDIT - state.availableNanoUsd - spent;
  spent += since;
  return since;
}

/** Files without a name that this process, of which the gateway is a thread, has open. */
async function openUploads(): Promise<number> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith(join(dataDir, 'uploads'))).length;
}

/** Bodies that come in pieces need `duplex`. */
interface SendInit {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly duplex?: 'half';
}

function send(path: string, body: FormData | ReadableStream, more: SendInit = {}) {
  return fetch(`${gateway.url}/v1/${path}`, {
    method: 'POST',
    body,
    ...more,
    headers: { authorization: `Bearer ${seeded.key}`, ...more.headers },
  });
}

/** A form with its fields behind the files. */
function edit(files: readonly Buffer<ArrayBuffer>[]): FormData {
  const form = new FormData();
  for (const [index, bytes] of files.entries()) {
    form.append('image[]', new Blob([bytes], { type: 'image/png' }), `${index}.png`);
  }
  form.append('prompt', 'A cat in the rain');
  form.append('quality', 'low');
  form.append('model', PAINTER);
  return form;
}

const cost = (images: number): number =>
  PROMPT_TOKENS * 5_000 + images * EDITED_TOKENS * 8_000 + (OUTPUT_TOKENS['low'] ?? 0) * 32_000;

describe('forms with large files', () => {
  it('reach the upstream byte by byte, with the model of the form’s end, and leave no file', async () => {
    const files = [randomBytes(700 * KIB), randomBytes(5), randomBytes(131 * KIB)];
    const reply = await send('images/edits', edit(files));
    expect(await reply.json()).toMatchObject({ data: [{ b64_json: 'aW1hZ2U=' }] });
    const [body] = failing.bodies;
    expect(body).toMatchObject({ model: PAINTER, prompt: 'A cat in the rain', quality: 'low' });
    expect(failing.digests).toEqual(files.map((file) => hash('sha256', file)));
    expect(await charged()).toBe(cost(3));
    await until('the end of the file', async () => (await openUploads()) === 0);
    expect(await readdir(join(dataDir, 'uploads'))).toEqual([]);
  });

  it('are read again for the next channel when one fails', async () => {
    failing.status = 500;
    const file = randomBytes(1_500 * KIB);
    const reply = await send('images/edits', edit([file]));
    expect(reply.status).toBe(200);
    expect(failing.digests).toEqual([hash('sha256', file)]);
    expect(vendor.digests).toEqual([hash('sha256', file)]);
    expect(await charged()).toBe(cost(1));
  });

  it('of sound are measured on disk, and billed by their seconds', async () => {
    scribe.change = () => ({ text: 'Hello.' });
    const form = new FormData();
    // 30.5 s at 16 kHz.
    form.append('file', new Blob([wavOf(30_500)]), 'speech.wav');
    form.append('model', SCRIBE);
    expect(wavOf(30_500).length).toBeGreaterThan(300 * KIB);
    const reply = await send('audio/transcriptions', form);
    expect(await reply.json()).toMatchObject({ text: 'Hello.' });
    expect(await charged()).toBe(30.5 * PER_SECOND);
  });

  it('are refused beyond UPLOAD_BYTES_MAX, whether their length is declared or not', async () => {
    const large = edit([randomBytes(2_100 * KIB)]);
    const declared = await send('images/edits', large);
    const { headers, body } = new Request('http://x', { method: 'POST', body: large });
    if (body === null) throw new Error('a form has a body');
    const contentType = headers.get('content-type') ?? '';
    const chunked = await send('images/edits', body, {
      headers: { 'content-type': contentType },
      duplex: 'half',
    });
    for (const reply of [declared, chunked]) {
      expect(reply.status).toBe(413);
      expect(await reply.text()).toContain('raise UPLOAD_BYTES_MAX');
    }
    expect(failing.bodies).toEqual([]);
    expect(await charged()).toBe(0);
  });

  it('of clients that leave, or that send too many at once, give their disk back', async () => {
    const boundary = 'b';
    const leaving = new AbortController();
    const slow = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(
          Buffer.from(
            `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n`,
          ),
        );
        controller.enqueue(randomBytes(1_800 * KIB));
      },
    });
    const left = send('images/edits', slow, {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      signal: leaving.signal,
      duplex: 'half',
    });
    const gone = expect(left).rejects.toThrow();
    await until('the file on disk', async () => (await openUploads()) === 1);
    // An account gets what remains free: 4,000 - 1,800 - 1,500 is less than it has.
    const full = await until('the refusal', async () => {
      const reply = await send('images/edits', edit([randomBytes(1_500 * KIB)]));
      return reply.status === 200 ? false : reply;
    });
    expect(full.status).toBe(429);
    expect(full.headers.get('retry-after')).toBe('1');
    leaving.abort();
    await gone;
    await until('the end of the files', async () => (await openUploads()) === 0);
    const reply = await send('images/edits', edit([randomBytes(1_500 * KIB)]));
    expect(reply.status).toBe(200);
    await charged();
  });

  it('end with an upstream that breaks off, and cost nothing', async () => {
    failing.status = 500;
    vendor.status = 500;
    const reply = await send('images/edits', edit([randomBytes(1_000 * KIB)]));
    expect(reply.status).toBe(502);
    vendor.status = 200;
    expect(await charged()).toBe(0);
    await until('the end of the files', async () => (await openUploads()) === 0);
  });
});
