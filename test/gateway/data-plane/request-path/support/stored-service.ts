import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import type pg from 'pg';
import { expect } from 'vitest';
import { seal } from '../../../../../gateway/platform/secrets/secrets.ts';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { createDatabase } from '../../../../support/stores/postgres.ts';
import {
  startResponsesUpstream,
  type ResponsesUpstream,
} from '../../../../support/upstreams/responses-upstream.ts';
import { seed, seedAccount, seedKey, seedModel, TEST_SECRETS } from '../../../../support/seed.ts';
import { stores } from './storing-upstream.ts';

const CREDENTIALS = ['stored-key-2', 'stored-key-3', 'stored-key-4'];

export interface StoredCustomer {
  readonly accountId: string;
  readonly key: string;
  readonly client: OpenAI;
  spent(): Promise<number>;
}

/** A gateway with a channel that stores replies, and one that does not. */
export interface StoredService {
  readonly pool: pg.Pool;
  readonly gateway: TestGateway;
  readonly upstream: ResponsesUpstream;
  readonly plain: ResponsesUpstream;
  readonly channelId: string;
  newCustomer(creditNanoUsd?: number, at?: TestGateway): Promise<StoredCustomer>;
  clientOf(key: string, at?: TestGateway): OpenAI;
  /** Another process on the same database. */
  startOther(): Promise<TestGateway>;
  setCredential(credential: string, status: 'active' | 'disabled'): Promise<void>;
  close(): Promise<void>;
}

export async function openStoredService(): Promise<StoredService> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const upstream = await startResponsesUpstream();
  const plain = await startResponsesUpstream();
  stores(upstream, 'kept');
  stores(plain, 'plain');
  const upstreams = [upstream.url, plain.url];
  const seeded = await seed(pool, { upstreams, creditNanoUsd: 1, models: [] });
  const [channelId = '', plainId = ''] = seeded.channelIds;
  await pool.query(`update channels set protocols = '{openai-responses}', priority = 0`);
  await pool.query('update channels set stores_responses = true, priority = 1 where id = $1', [
    channelId,
  ]);
  for (const credential of CREDENTIALS) {
    await pool.query(
      'insert into channel_credentials (id, channel_id, sealed, hint) values ($1, $2, $3, $4)',
      [randomUUID(), channelId, seal(TEST_SECRETS, credential), credential],
    );
  }
  const { groupId } = seeded;
  const upstreamName = 'upstream-model';
  for (const [publicId, channelIds] of [
    ['stored', [channelId, plainId]],
    ['plain', [plainId]],
  ] as const) {
    await seedModel(pool, {}, { publicId, upstreamName, groupId, channelIds });
  }
  const start = () => startGateway({ databaseUrl: database.url, redisUrl: null });
  const gateway = await start();
  const others: TestGateway[] = [];
  const money = await openTestLedger(pool, null);
  const clientOf = (apiKey: string, at = gateway): OpenAI =>
    new OpenAI({ baseURL: `${at.url}/v1`, apiKey, maxRetries: 0 });
  return {
    ...{ pool, gateway, upstream, plain, channelId, clientOf },
    startOther: async () => {
      const other = await start();
      others.push(other);
      return other;
    },
    newCustomer: async (creditNanoUsd = 100_000_000_000, at = gateway) => {
      const accountId = await seedAccount(pool, creditNanoUsd);
      const { key } = await seedKey(pool, accountId, groupId);
      const spent = async (): Promise<number> => {
        const state = await settledState(money.ledger, accountId);
        expect(state.heldNanoUsd).toBe(0);
        return creditNanoUsd - state.availableNanoUsd;
      };
      return { accountId, key, client: clientOf(key, at), spent };
    },
    setCredential: async (credential, status) => {
      await pool.query('update channel_credentials set status = $2 where hint = $1', [
        credential,
        status,
      ]);
      await gateway.republish();
    },
    close: async () => {
      for (const one of [gateway, ...others]) expect(await one.close()).toBe(0);
      await money.close();
      await upstream.close();
      await plain.close();
      await pool.end();
      await database.drop();
    },
  };
}
