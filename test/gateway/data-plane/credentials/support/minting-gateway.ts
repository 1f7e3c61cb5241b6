import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { onTestFinished } from 'vitest';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import {
  startFakeGoogle,
  type FakeGoogle,
} from '../../../../support/upstreams/fake-google/fake-google.ts';
import { startGatewayInProcess } from '../../../../support/gateway-in-process.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { createDatabase } from '../../../../support/stores/postgres.ts';
import { wholeReply } from '../../../../support/upstreams/strict-upstream/replies.ts';
import { seedVertex } from '../../../../support/upstreams/vertex-channels.ts';

export interface VertexDatabase {
  readonly pool: pg.Pool;
  readonly url: string;
  close(): Promise<void>;
}

export async function openVertexDatabase(): Promise<VertexDatabase> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  return {
    pool,
    url: database.url,
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}

/** One that answers every request, until the test is over. */
export async function openGoogle(): Promise<FakeGoogle> {
  const google = await startFakeGoogle();
  google.reply = () => ({ json: wholeReply('gemini', { pieces: ['Served.'] }) });
  onTestFinished(() => google.close());
  return google;
}

export interface MintingGateway extends Awaited<ReturnType<typeof startGatewayInProcess>> {
  /** The clock of tokens. */
  readonly clock: ManualClock;
  readonly log: string[];
  readonly send: () => Promise<Response>;
}

interface Channels {
  /** The credentials of each channel; the key file when absent. */
  readonly credentials?: readonly string[];
  readonly baseUrls?: readonly string[];
}

/** A gateway with channels to Vertex, in the order of their priority, on a clock of its own. */
export async function openGateway(
  { pool, url: databaseUrl }: VertexDatabase,
  google: FakeGoogle,
  { credentials = [google.keyFile], baseUrls = [google.baseUrl()] }: Channels = {},
): Promise<MintingGateway> {
  const clock = new ManualClock(Date.now());
  google.tokens.now = () => clock.now();
  const model = `gemini-${randomUUID()}`;
  const models = [{ publicId: model, upstreamName: 'gemini-2.5-pro' }];
  const { key, channelIds } = await seedVertex(pool, { baseUrls, credentials, models });
  const log: string[] = [];
  const gateway = await startGatewayInProcess({ pool, databaseUrl, clock, log });
  onTestFinished(async () => {
    await gateway.close();
    await pool.query(`update channels set status = 'disabled' where id = any ($1)`, [channelIds]);
  });
  const send = (): Promise<Response> =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    });
  return { ...gateway, clock, log, send };
}

/** Sends requests at once. */
export async function statusesOf(
  { send }: Pick<MintingGateway, 'send'>,
  count: number,
): Promise<readonly number[]> {
  const replies = await Promise.all(Array.from({ length: count }, send));
  await Promise.all(replies.map((reply) => reply.text()));
  return replies.map(({ status }) => status);
}

export function all200(count: number): readonly number[] {
  return Array.from({ length: count }, () => 200);
}
