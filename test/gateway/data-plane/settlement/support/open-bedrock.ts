import type pg from 'pg';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { seal } from '../../../../../gateway/platform/secrets/secrets.ts';
import { startFakeAws, type FakeAws } from '../../../../support/upstreams/fake-aws/fake-aws.ts';
import { ACCESS_KEY } from '../../../../support/upstreams/fake-aws/verify-request.ts';
import { startGateway } from '../../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { createDatabase } from '../../../../support/stores/postgres.ts';
import { seed, TEST_SECRETS } from '../../../../support/seed.ts';
import type { Site } from './turn-clients.ts';

const USD = 1_000_000_000;
const CREDIT = 100 * USD;
const PER_MILLION = 1_000_000;

/** In nanodollars a token: Claude Opus 5.5 of November 2026. */
export const PRICES = { input: 4_000, cached: 200, write: 5_000, hour: 8_000, output: 20_000 };

export const UPSTREAM_MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';

/** A gateway that sells one model of a channel of kind `bedrock`, signed with an access key. */
export interface BedrockSite extends Site {
  readonly pool: pg.Pool;
  readonly aws: FakeAws;
  readonly channelIds: readonly string[];
  /** Returns the charge since the last call; waits until nothing is in flight. */
  charged(): Promise<number>;
  /** Gives a channel other credentials, the only ones that it has then. */
  setCredentials(channelId: string, credentials: readonly string[]): Promise<void>;
  republish(): Promise<void>;
  close(): Promise<void>;
}

/** @param channels each with the path behind the fake's address, the highest priority first */
export async function openBedrock(
  channels: readonly string[] = [''],
  upstreamModel = UPSTREAM_MODEL,
): Promise<BedrockSite> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const aws = await startFakeAws();
  const model = 'claude-sonnet-4-5';
  const { key, accountId, channelIds } = await seed(pool, {
    upstreams: channels.map((path) => aws.url + path),
    creditNanoUsd: CREDIT,
    models: [{ publicId: model, upstreamName: upstreamModel }],
  });
  await pool.query(`update channels set kind = 'bedrock'`);
  const setCredentials: BedrockSite['setCredentials'] = async (channelId, credentials) => {
    await pool.query('delete from channel_credentials where channel_id = $1', [channelId]);
    for (const credential of credentials) {
      await pool.query(
        'insert into channel_credentials (id, channel_id, sealed) values (gen_random_uuid(), $1, $2)',
        [channelId, seal(TEST_SECRETS, credential)],
      );
    }
  };
  for (const channelId of channelIds) await setCredentials(channelId, [ACCESS_KEY]);
  const { input, cached, write, output, hour } = PRICES;
  await pool.query(
    `update prices set input_nano_usd = $1, cached_input_nano_usd = $2, cache_write_nano_usd = $3,
       output_nano_usd = $4, extra_prices = $5`,
    [
      ...[input, cached, write, output].map((price) => price * PER_MILLION),
      { cacheWrite1h: hour * PER_MILLION },
    ],
  );
  const gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  const { ledger, close } = await openTestLedger(pool, null);
  let spent = 0;
  return {
    ...{ pool, aws, model, channelIds, url: gateway.url, key, setCredentials },
    republish: () => gateway.republish(),
    charged: async () => {
      const state = await settledState(ledger, accountId);
      const before = spent;
      spent = CREDIT - state.availableNanoUsd;
      return spent - before;
    },
    close: async () => {
      await gateway.close();
      await close();
      await aws.close();
      await pool.end();
      await database.drop();
    },
  };
}
