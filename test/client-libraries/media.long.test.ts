import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { HANG_MS } from '../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import {
  RANK_TOKENS,
  SEARCH_UNITS,
  startRerankVendor,
  type RerankVendor,
} from '../support/upstreams/rerank-vendor.ts';
import { seed, seedModel, type Seeded } from '../support/seed.ts';
import { startSpeechVendor, type SpeechVendor } from '../support/upstreams/speech-vendor.ts';
import { fetchPython } from './support/fetch-python.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS });

const PACKAGES = ['cohere==7.3.1', 'voyageai==0.5.0', 'openai==3.57.0'];
const FLOWS = fileURLToPath(new URL('support/media_flows.py', import.meta.url));
const MODELS = ['rerank-v3.5', 'jina-reranker-v3', 'rerank-2.5'];
const SPEAKER = 'gpt-4o-mini-tts';

const python = await fetchPython(PACKAGES);
let database: TestDatabase;
let pool: pg.Pool;
let vendors: readonly RerankVendor[];
let speaker: SpeechVendor;
let seeded: Seeded;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  vendors = await Promise.all((['cohere', 'jina', 'voyage'] as const).map(startRerankVendor));
  speaker = await startSpeechVendor();
  speaker.sound = Buffer.alloc(50_000, 7);
  const upstreams = [...vendors, speaker].map(({ url }) => url);
  seeded = await seed(pool, { upstreams, models: [] });
  const { groupId, channelIds } = seeded;
  for (const [index, publicId] of [...MODELS, SPEAKER].entries()) {
    const own = channelIds.slice(index, index + 1);
    await seedModel(pool, {}, { publicId, groupId, channelIds: own });
  }
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await Promise.all([...vendors, speaker].map((one) => one.close()));
  await pool.end();
  await database.drop();
  await python?.remove();
});

describe.runIf(python !== undefined)('Python’s clients of rankings and speech', () => {
  it('read the replies of every upstream, and throw their own errors', async () => {
    const settings = JSON.stringify({ key: seeded.key, models: MODELS, speaker: SPEAKER });
    const came: unknown = JSON.parse(
      (await python?.run('python', [FLOWS, gateway.url, settings])) ?? '',
    );
    const indexes = [2, 1];
    const documents = ['Pindar', 'Sappho'];
    const rankings = [SEARCH_UNITS, null, null].map((units) => ({ indexes, units }));
    const ofVoyage = (tokens: unknown) => ({ indexes, documents, tokens });
    expect(came).toEqual({
      v1: rankings,
      v2: rankings,
      voyage: [expect.anything(), RANK_TOKENS, RANK_TOKENS].map(ofVoyage),
      thrown: ['NotFoundError', 'APIError', 'NotFoundError'],
      speech: { bytes: speaker.sound.length, type: 'audio/mpeg' },
    });
  });
});
