/** A gateway that sells every row of the strict upstream. */
import type pg from 'pg';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGatewayInProcess } from '../../../../support/gateway-in-process.ts';
import { createDatabase } from '../../../../support/stores/postgres.ts';
import { seed, seedModel, type Seeded } from '../../../../support/seed.ts';
import {
  startStrictUpstream,
  STRICT_ROWS,
  type StrictRow,
  type StrictUpstream,
  type TurnOf,
} from '../../../../support/upstreams/strict-upstream/strict-upstream.ts';
import { profileOfRow } from './encode.ts';

const CREDIT = 1_000_000_000_000_000;
const OUTPUT_TOKENS_MAX = 8_000;
const CONNECTIONS_MAX = 8;
/** Agents ask for an hour in the cache, which is refused without a price. */
const EXTRA_PRICES = { cacheWrite1h: 4_000_000_000 };
const KINDS = { 'anthropic-messages': 'anthropic', gemini: 'gemini' } as const;

export interface StrictGateway {
  readonly url: string;
  /** May use every row, by its public name. */
  readonly key: string;
  readonly upstream: StrictUpstream;
  close(): Promise<void>;
}

/** Converse's frames come from the fake of AWS: all other rows are served over plain HTTP. */
export function isServed({ vendor }: StrictRow): boolean {
  return vendor.protocol !== 'bedrock-converse';
}

/** Makes a channel to a row of the strict upstream and a model that it serves. */
async function openStrictChannel(
  pool: pg.Pool,
  row: StrictRow,
  { groupId, channelId }: { readonly groupId: string; readonly channelId: string },
): Promise<void> {
  const { protocol } = row.vendor;
  const kind = protocol in KINDS ? KINDS[protocol as keyof typeof KINDS] : 'openai';
  await pool.query('update channels set kind = $2, protocols = $3 where id = $1', [
    channelId,
    kind,
    kind === 'openai' ? [protocol] : null,
  ]);
  await seedModel(
    pool,
    { outputTokensMax: OUTPUT_TOKENS_MAX },
    { publicId: publicName(row), upstreamName: row.model, groupId, channelIds: [channelId] },
  );
  await pool.query('update channel_models set profile = $2 where channel_id = $1', [
    channelId,
    profileOfRow(row.vendor),
  ]);
}

/** Says nothing of the model: agents change what they send to those whose names they know. */
export function publicName(row: StrictRow): string {
  return `row-${String(STRICT_ROWS.indexOf(row))}`;
}

async function openChannels(pool: pg.Pool, urls: readonly string[]): Promise<Seeded> {
  const seeded = await seed(pool, { upstreams: urls, creditNanoUsd: CREDIT, models: [] });
  for (const [index, row] of STRICT_ROWS.entries()) {
    if (!isServed(row)) continue;
    const channelId = seeded.channelIds[index] ?? '';
    await openStrictChannel(pool, row, { groupId: seeded.groupId, channelId });
  }
  await pool.query('update prices set extra_prices = $1', [JSON.stringify(EXTRA_PRICES)]);
  return seeded;
}

/** @param turnOf what the models of all rows reply; by what the prompts ask for if absent */
export async function openStrictGateway(turnOf?: TurnOf): Promise<StrictGateway> {
  const database = await createDatabase();
  const pool = openPool(database.url, {
    connectionsMax: CONNECTIONS_MAX,
    applicationName: 'test',
  });
  const upstream = await startStrictUpstream(turnOf);
  const { key } = await openChannels(
    pool,
    STRICT_ROWS.map((row) => upstream.urlOf(row)),
  );
  const gateway = await startGatewayInProcess(
    { pool, databaseUrl: database.url },
    (context) => context,
  );
  return {
    url: gateway.url,
    key,
    upstream,
    close: async () => {
      await gateway.close();
      await upstream.close();
      await pool.end();
      await database.drop();
    },
  };
}
