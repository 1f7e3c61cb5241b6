import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { visitFirst } from './walks/first-visit.ts';
import {
  closeStockedConsole,
  openStockedConsole,
  stockedConsole,
} from './support/stocked-console.ts';

const MODELS = 300;
const CHANNELS = 60;
const MODELS_PER_CHANNEL = 20;
/**
 * Bounds of a first visit, the answers of the API included: to a page that anyone opens, and to
 * one of operators, with their texts.
 */
const FIRST_VISIT_BYTES_MAX = 350_000;
const OPERATOR_VISIT_BYTES_MAX = 450_000;

/** Adds the models and channels of an operator who resells several vendors. */
async function addCatalog(): Promise<void> {
  const { fixture } = stockedConsole();
  const groups = (await fixture.ask('listGroups')).data.map(({ id }) => id);
  const models = Array.from({ length: MODELS }, (_, index) => ({
    publicId: `vendor-${String(index % 12)}/model-${String(index)}-instruct-2026`,
    displayName: `Model ${String(index)} Instruct`,
    vendor: `Vendor ${String(index % 12)}`,
    contextTokensMax: 128_000 + index,
    outputTokensMax: 16_384,
    capabilities: ['tools' as const, 'vision' as const],
    groupIds: groups,
    prices: {
      inputUsd: `${String(index + 1)}.25`,
      cachedInputUsd: `${String(index)}.125`,
      outputUsd: `${String(3 * index + 1)}.75`,
    },
  }));
  await fixture.ask('importModels', { body: { models, dryRun: false } });
  const ids = await modelIds(fixture.database.url);
  for (let index = 0; index < CHANNELS; index += 1) {
    const served = Array.from(
      { length: MODELS_PER_CHANNEL },
      (_, step) => ids[(index * 5 + step * 15) % ids.length],
    );
    await fixture.ask('createChannel', {
      body: {
        name: `Vendor ${String(index % 12)}, account ${String(index)}`,
        baseUrl: `https://vendor-${String(index)}.example/v1`,
        credentials: [`sk-upstream-credential-${String(index).padStart(12, '0')}`],
        models: [...new Set(served)].map((modelId) => ({ modelId, upstreamName: `m-${modelId}` })),
      },
    });
  }
}

async function modelIds(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    "select id::text from models where public_id like 'vendor-%' order by public_id",
  );
  await client.end();
  return rows.map(({ id }) => id);
}

beforeAll(async () => {
  await openStockedConsole();
  await addCatalog();
});
afterAll(closeStockedConsole);

it.each([
  { path: '/', reader: 'nobody', bytesMax: FIRST_VISIT_BYTES_MAX },
  { path: '/models', reader: 'nobody', bytesMax: FIRST_VISIT_BYTES_MAX },
  { path: '/keys', reader: 'user', bytesMax: FIRST_VISIT_BYTES_MAX },
  {
    path: '/admin/requests?range=month&chart=1',
    reader: 'admin',
    bytesMax: OPERATOR_VISIT_BYTES_MAX,
  },
  { path: '/admin/models', reader: 'admin', bytesMax: OPERATOR_VISIT_BYTES_MAX },
] as const)(
  '$path transfers less than $bytesMax bytes on a first visit, with 300 models and 60 channels',
  async ({ path, reader, bytesMax }) => {
    const { fixture, stock } = stockedConsole();
    const visitor = await fixture.visitor(reader === 'nobody' ? {} : { as: stock[reader] });
    const { transferredBytes } = await visitFirst(visitor, path);
    process.stdout.write(`${path}: ${String(Math.round(transferredBytes / 1000))} kB\n`);
    expect(transferredBytes).toBeLessThan(bytesMax);
    await visitor.context.close();
  },
);
