/** Temporary keys of AWS expire while requests are sent; none of them may fail. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { seal } from '../../../../gateway/platform/secrets/secrets.ts';
import { startFakeAws, type FakeAws } from '../../../support/upstreams/fake-aws/fake-aws.ts';
import { startGatewayInProcess } from '../../../support/gateway-in-process.ts';
import { until } from '../../../support/clocks/hang.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import { createDatabase } from '../../../support/stores/postgres.ts';
import { seed, TEST_SECRETS } from '../../../support/seed.ts';
import { wholeReply } from '../../../support/upstreams/strict-upstream/replies.ts';
import type { Message } from '../../../support/upstreams/fake-aws/message-events.ts';
import { all200, statusesOf } from './support/minting-gateway.ts';

const MINUTE_MS = 60_000;
/** A quarter of the life of a session. */
const RENEWED_WITH_LEFT_MS = 3.75 * MINUTE_MS;
const SONNET = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';

let pool: pg.Pool;
let databaseUrl = '';
let aws: FakeAws;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await createDatabase();
  databaseUrl = database.url;
  pool = openPool(databaseUrl, { connectionsMax: 4, applicationName: 'test' });
  closing.push(
    () => pool.end(),
    () => database.drop(),
  );
});

afterAll(async () => {
  for (const close of closing) await close();
});

beforeEach(async () => {
  aws = await startFakeAws();
  aws.reply = () => ({
    message: wholeReply('anthropic-messages', { pieces: ['Served.'] }) as unknown as Message,
  });
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', aws.credentialsUrl);
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) {
    vi.stubEnv(name, '/dev/null');
  }
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await aws.close();
  });
});

/** A gateway with one channel whose credential is the machine's own role. */
async function openGateway() {
  const clock = new ManualClock(Date.now());
  aws.sessions.now = () => clock.now();
  const model = `claude-${randomUUID()}`;
  const { key, channelIds } = await seed(pool, {
    upstreams: [aws.url],
    models: [{ publicId: model, upstreamName: SONNET }],
  });
  await pool.query(`update channels set kind = 'bedrock' where id = $1`, [channelIds[0]]);
  await pool.query('update channel_credentials set sealed = $2 where channel_id = $1', [
    channelIds[0],
    seal(TEST_SECRETS, 'role'),
  ]);
  const gateway = await startGatewayInProcess({ pool, databaseUrl, clock });
  onTestFinished(async () => {
    await gateway.close();
    await pool.query(`update channels set status = 'disabled' where id = any ($1)`, [channelIds]);
  });
  const send = (): Promise<Response> =>
    fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        max_tokens: 10,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    });
  return { ...gateway, clock, send };
}

it('are renewed before they expire, under load', async () => {
  const gateway = await openGateway();
  const { clock, minter } = gateway;
  const isFresh = (): boolean => aws.sessions.latestExpiryMs - clock.now() > RENEWED_WITH_LEFT_MS;
  for (let step = 0; step < 20; step += 1) {
    expect(await statusesOf(gateway, 5)).toEqual(all200(5));
    clock.advance(3 * MINUTE_MS);
    await until(
      'the keys are new',
      () => isFresh() && minter.status().minted === aws.sessions.issued,
    );
  }
  expect(aws.requests).toHaveLength(100);
  expect(aws.sessions.issued).toBe(6);
});

it.each(['expireAll', 'forgetAll'] as const)(
  'are replaced once when AWS refuses them before their time: %s',
  async (refusing) => {
    const gateway = await openGateway();
    expect(await statusesOf(gateway, 1)).toEqual([200]);
    aws.sessions[refusing]();
    expect(await statusesOf(gateway, 20)).toEqual(all200(20));
    expect(aws.sessions.issued).toBe(2);
  },
);
