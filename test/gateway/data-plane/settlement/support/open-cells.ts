import type pg from 'pg';
import { expect } from 'vitest';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { seal } from '../../../../../gateway/platform/secrets/secrets.ts';
import { startFakeGemini, type FakeGemini } from '../../../../support/upstreams/fake-gemini.ts';
import { startGateway } from '../../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { createDatabase } from '../../../../support/stores/postgres.ts';
import { seed, TEST_SECRETS } from '../../../../support/seed.ts';
import { startCellServers, type CellServers } from './cell-servers.ts';
import { CELL_UPSTREAMS } from './cell-upstreams.ts';

const USD = 1_000_000_000;
const CREDIT = 100 * USD;

/** A gateway that sells one model for each upstream of the matrix: `on-gemini`. */
export interface Cells {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly key: string;
  readonly servers: CellServers;
  /** The server of the models at the vendors' own interfaces. */
  readonly upstream: FakeGemini;
  /** Returns the charge since the last call; waits until nothing is in flight. */
  charged(): Promise<number>;
  /** The total cost. */
  readonly spent: number;
  close(): Promise<void>;
}

/** @param enterPrices changes the prices before the gateway reads them */
export async function openCells(enterPrices: (pool: pg.Pool) => Promise<unknown>): Promise<Cells> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const upstream = await startFakeGemini();
  const servers = await startCellServers(upstream);
  const { key, accountId, channelIds } = await seed(pool, {
    upstreams: CELL_UPSTREAMS.map(({ server }) => servers[server].url),
    creditNanoUsd: CREDIT,
    models: CELL_UPSTREAMS.map(({ name }) => ({ publicId: `on-${name}` })),
  });
  for (const [index, cell] of CELL_UPSTREAMS.entries()) {
    const channelId = channelIds[index];
    const { credential } = servers[cell.server];
    await pool.query('update channels set kind = $2, protocols = $3 where id = $1', [
      channelId,
      cell.kind,
      cell.protocols,
    ]);
    await pool.query('delete from channel_models where channel_id = $1 and upstream_name <> $2', [
      channelId,
      `on-${cell.name}`,
    ]);
    await pool.query('update channel_models set upstream_name = $2 where channel_id = $1', [
      channelId,
      cell.upstreamModel,
    ]);
    if (credential === undefined) continue;
    await pool.query('update channel_credentials set sealed = $2 where channel_id = $1', [
      channelId,
      seal(TEST_SECRETS, credential),
    ]);
  }
  await enterPrices(pool);
  const gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  const { ledger, close } = await openTestLedger(pool, null);
  let spent = 0;
  return {
    ...{ pool, url: gateway.url, key, servers, upstream },
    get spent() {
      return spent;
    },
    charged: async () => {
      const state = await settledState(ledger, accountId);
      expect(state.heldNanoUsd).toBe(0);
      const before = spent;
      spent = CREDIT - state.availableNanoUsd;
      return spent - before;
    },
    close: async () => {
      expect(await gateway.close()).toBe(0);
      await close();
      for (const server of Object.values(servers)) await server.close();
      await pool.end();
      await database.drop();
    },
  };
}
