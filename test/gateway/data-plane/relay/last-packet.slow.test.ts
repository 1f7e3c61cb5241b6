import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { askStream } from '../../../support/clients/ask-stream.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { seed, type Seeded } from '../../../support/seed.ts';

const SLICE_TOKENS = 2_048;
/**
 * More than one read takes from a socket, and than the kernel keeps for a reader that is paused.
 */
const ENDLESS_BYTES = 32 * 1_048_576;
/** More than is read of an error. */
const ERROR_BYTES = 128 * 1024;

function chunk(delta: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  const object = 'chat.completion.chunk';
  return `data: ${JSON.stringify({ id: 'c', object, created: 1, model: 'm', choices })}\n\n`;
}

const ROLE = chunk({ role: 'assistant', content: '' }, null);
/** All that the stream's first hold covers, and the end, in one packet. */
const LAST_PACKET =
  chunk({ content: 'word '.repeat(SLICE_TOKENS) }, null) + chunk({}, 'stop') + 'data: [DONE]\n\n';

describe('the connection to an upstream', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let upstream: FakeUpstream;
  let seeded: Seeded;
  let gateway: TestGateway;

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
    upstream = await startFakeUpstream();
    seeded = await seed(pool, { upstreams: [upstream.url] });
    gateway = await startGateway({
      databaseUrl: database.url,
      redisUrl: null,
      env: { UPSTREAM_CONNECTIONS_MAX: '1', STREAM_SLICE_TOKENS: String(SLICE_TOKENS) },
    });
  });

  afterAll(async () => {
    expect(await gateway.close()).toBe(0);
    await Promise.all([upstream.close(), pool.end()]);
    await database.drop();
  });

  beforeEach(() => {
    upstream.reset();
  });

  async function ask(): Promise<string> {
    const reply = await askStream(gateway, seeded);
    return reply.text();
  }

  it.each([
    ['ends', 'eof', []],
    ['is never ended', 'hang', []],
    ['goes on', 'hang', ['x'.repeat(ENDLESS_BYTES)]],
  ] as const)(
    'is free after a stream whose last packet uses up its hold and that %s',
    async (...row) => {
      const [, end, more] = row;
      const pieces = [ROLE, LAST_PACKET, ...more];
      upstream.behave('*', [
        { kind: 'raw', pieces, pieceDelayMs: 20, end },
        { kind: 'reply', pieces: ['next'] },
      ]);
      expect(await ask()).toMatch(/data: \[DONE\]\n\n$/);
      expect(await ask()).toContain('next');
    },
  );

  it('is free after an error of which no more is read and that goes on', async () => {
    upstream.behave('*', [
      { kind: 'raw', status: 500, pieces: ['x'.repeat(ERROR_BYTES)], end: 'hang' },
      { kind: 'reply', pieces: ['next'] },
    ]);
    expect(await ask()).toContain('"code":"upstream_error"');
    expect(await ask()).toContain('next');
  });
});
