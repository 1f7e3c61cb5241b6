import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuse } from '../../../../gateway/platform/errors/refusal.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import type { ThreadContext } from '../../../../gateway/data-plane/thread-context.ts';
import { estimateTokens } from '../../../../gateway/tokens/estimate-tokens.ts';
import { estimatePromptTokens } from '../../../../gateway/tokens/prompt-estimate.ts';
import { UpstreamPools } from '../../../../gateway/data-plane/upstream/upstream-pools.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { HANG_MS } from '../../../support/clocks/hang.ts';
import { startGateway } from '../../../support/gateway.ts';
import { startGatewayInProcess } from '../../../support/gateway-in-process.ts';
import { openTestLedger, settledState } from '../../../support/ledger/money.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { startRedis } from '../../../support/stores/redis.ts';
import { seed, type Seeded } from '../../../support/seed.ts';

const CREDIT = 100_000_000_000;

function bodyOf(content: string, stream = false): string {
  return JSON.stringify({ model: 'test-model', stream, messages: [{ role: 'user', content }] });
}

/** A room with a fault that nobody has thought of. */
class FaultyPools extends UpstreamPools {
  override send(): never {
    throw new Error('a fault that nobody has thought of');
  }
}

describe('a request that cannot be served as it should', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let upstream: FakeUpstream;
  let seeded: Seeded;

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
    upstream = await startFakeUpstream();
    seeded = await seed(pool, { upstreams: [upstream.url], creditNanoUsd: CREDIT });
  });

  afterAll(async () => {
    await Promise.all([upstream.close(), pool.end()]);
    await database.drop();
  });

  const send = (
    url: string,
    {
      stream = false,
      signal,
      body = bodyOf('Hello', stream),
    }: { stream?: boolean; signal?: AbortSignal; body?: string } = {},
  ): Promise<Response> =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
      body,
      ...(signal === undefined ? {} : { signal }),
    });

  const openGateway = (change: (context: ThreadContext) => ThreadContext) =>
    startGatewayInProcess({ pool, databaseUrl: database.url }, change);

  it('gives its hold back when something throws on its way', async () => {
    const faulty = new FaultyPools({ connectionsMax: 1, allowPrivate: true });
    let health: ThreadContext['health'] | undefined;
    const gateway = await openGateway((context) => {
      ({ health } = context);
      return { ...context, upstreams: faulty };
    });
    expect((await send(gateway.url)).status).toBe(500);
    // And its place at the channel.
    const timeouts = { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 };
    const channel = {
      id: String(seeded.channelIds[0]),
      concurrencyMax: 1,
      credentials: [],
      timeouts,
    };
    const place = { channel, upstreamModel: 'test-model', healthKey: 'place' };
    expect(health?.mayUse(place, seeded.accountId)).toBe(true);
    const { ledger, close } = await openTestLedger(pool, null);
    expect(await settledState(ledger, seeded.accountId)).toMatchObject({
      availableNanoUsd: CREDIT,
      heldNanoUsd: 0,
      inFlight: 0,
    });
    await close();
    await gateway.close();
    await faulty.close();
    expect(upstream.requests).toHaveLength(0);
  });

  it('is billed by an estimate of its prompt, not by what was held for it, when nobody can count it', async () => {
    const gateway = await openGateway((context) => {
      context.workers.countPrompt = () => Promise.resolve(refuse('overloaded'));
      return context;
    });
    const usage = { prompt_tokens: 0, completion_tokens: 5, total_tokens: 5 };
    upstream.behave('*', { kind: 'reply', usage });
    const body = bodyOf('word '.repeat(4_000));
    await (await send(gateway.url, { body })).text();
    const { ledger, close } = await openTestLedger(pool, null);
    await settledState(ledger, seeded.accountId);
    await close();
    await gateway.close();
    const { rows } = await pool.query(
      'select input_tokens as input, output_tokens as output, estimated from usage_records where account_id = $1',
      [seeded.accountId],
    );
    const content = { bodyBytes: Buffer.byteLength(body), mediaParts: 0, mediaBytes: 0 };
    expect(rows).toEqual([{ input: estimatePromptTokens(content), output: 5, estimated: true }]);
    upstream.reset();
  });

  it('is billed by an estimate of its output, streamed or whole, when nobody can count it', async () => {
    const gateway = await openGateway((context) => {
      context.workers.countText = () => Promise.resolve(refuse('overloaded'));
      return context;
    });
    // Told from the other records by its prompt.
    const usage = { prompt_tokens: 77, completion_tokens: 0, total_tokens: 77 };
    upstream.behave('*', { kind: 'reply', pieces: ['Guten ', 'Tag, ', '堰'], usage });
    await (await send(gateway.url, { stream: true })).text();
    await (await send(gateway.url)).text();
    const { ledger, close } = await openTestLedger(pool, null);
    await settledState(ledger, seeded.accountId);
    await close();
    await gateway.close();
    const { rows } = await pool.query(
      'select stream, output_tokens as output, estimated from usage_records where input_tokens = 77 order by stream',
    );
    const output = estimateTokens(11, 1);
    expect(rows).toEqual([
      { stream: false, output, estimated: true },
      { stream: true, output, estimated: true },
    ]);
    upstream.reset();
  });

  it('is billed when the gateway ends before its reply has been counted, although the ledger is away for a moment', async () => {
    const asked = Promise.withResolvers<undefined>();
    const gateway = await openGateway((context) => {
      const { ledger, workers } = context;
      const over = Promise.withResolvers<ReturnType<typeof refuse>>();
      const close = workers.close.bind(workers);
      const settle = ledger.settle.bind(ledger);
      ledger.settle = () => {
        ledger.settle = settle;
        return Promise.resolve({ code: 'ledger_unavailable', cause: 'away' });
      };
      workers.countText = () => {
        asked.resolve(undefined);
        return over.promise;
      };
      workers.close = () => {
        over.resolve(refuse('overloaded'));
        return close();
      };
      return context;
    });
    // Told from the other records by its prompt.
    const usage = { prompt_tokens: 78, completion_tokens: 0, total_tokens: 78 };
    upstream.behave('*', { kind: 'reply', pieces: ['Guten ', 'Tag, ', '堰'], usage });
    const reply = send(gateway.url).catch(() => undefined);
    await asked.promise;
    await gateway.close();
    await reply;
    const { rows } = await pool.query(
      'select output_tokens as output, estimated from usage_records where input_tokens = 78',
    );
    expect(rows).toEqual([{ output: estimateTokens(11, 1), estimated: true }]);
    upstream.reset();
  });

  it('is refused and sent nowhere while the ledger is away: nothing is served on trust', async () => {
    const redis = await startRedis();
    const gateway = await startGateway({ databaseUrl: database.url, redisUrl: redis.url });
    expect((await send(gateway.url)).status).toBe(200);
    await redis.kill();
    const served = upstream.requests.length;
    const refused = await send(gateway.url);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { code: 'ledger_unavailable' } });
    expect(upstream.requests).toHaveLength(served);
    await redis.restart();
    await expect.poll(async () => (await send(gateway.url)).status).toBe(200);
    expect(await gateway.close()).toBe(0);
    await redis.stop();
  });

  it.each([
    { what: 'its client has left', leaves: true, graceMs: HANG_MS, unfinished: 0 },
    { what: 'it is cut off', leaves: false, graceMs: 100, unfinished: 1 },
  ])('is billed before the gateway ends, although $what and the ledger is slow', async (end) => {
    const redis = await startRedis();
    const gateway = await startGateway({
      databaseUrl: database.url,
      redisUrl: redis.url,
      env: { SETTLE_WAIT_MS: '10000', LEDGER_TIMEOUT_MS: '49000' },
    });
    upstream.behave('*', { kind: 'reply', pieces: 1_000, pieceDelayMs: 20 });
    const { ledger, close } = await openTestLedger(pool, redis.url);
    const { availableNanoUsd: before } = await settledState(ledger, seeded.accountId);
    const leaving = new AbortController();
    const reply = await send(gateway.url, { stream: true, signal: leaving.signal });
    await reply.body?.getReader().read();
    redis.pause();
    if (end.leaves) leaving.abort();
    const drained = gateway.next('drained');
    const ended = gateway.close(end.graceMs);
    // Nothing is lost by a longer or shorter pause; a gateway that does not wait ends within it.
    setTimeout(() => redis.resume(), 1_000);
    expect(await drained).toMatchObject({ unfinished: end.unfinished });
    expect(await ended).toBe(0);
    const state = await settledState(ledger, seeded.accountId);
    expect(state).toMatchObject({ heldNanoUsd: 0, inFlight: 0 });
    expect(state.availableNanoUsd).toBeLessThan(before);
    await close();
    await redis.stop();
  });
});
