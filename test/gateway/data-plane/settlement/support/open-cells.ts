import type pg from 'pg';
import { expect } from 'vitest';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startFakeGemini, type FakeGemini } from '../../../../support/fake-gemini.ts';
import { startGateway } from '../../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../../support/money.ts';
import { createDatabase } from '../../../../support/postgres.ts';
import { seed } from '../../../../support/seed.ts';
import { UPSTREAMS } from './one-turn.ts';

const USD = 1_000_000_000;
const CREDIT = 100 * USD;

/** A gateway that sells one model for each protocol that an upstream may speak: `on-gemini`. */
export interface Cells {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly key: string;
  /** Of all models. */
  readonly upstream: FakeGemini;
  /** What was charged since it was last asked; waits until nothing is in flight. */
  charged(): Promise<number>;
  /** What all of it has cost. */
  readonly spent: number;
  close(): Promise<void>;
}

/** @param enterPrices changes the prices before the gateway reads them */
export async function openCells(enterPrices: (pool: pg.Pool) => Promise<unknown>): Promise<Cells> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const upstream = await startFakeGemini();
  const { key, accountId, channelIds } = await seed(pool, {
    upstreams: UPSTREAMS.map(() => upstream.url),
    creditNanoUsd: CREDIT,
    models: UPSTREAMS.map(({ protocol }) => ({ publicId: `on-${protocol}` })),
  });
  for (const [index, { kind, protocol }] of UPSTREAMS.entries()) {
    const channelId = channelIds[index];
    await pool.query('update channels set kind = $2, protocols = $3 where id = $1', [
      channelId,
      kind,
      kind === 'openai' ? [protocol] : null,
    ]);
    await pool.query('delete from channel_models where channel_id = $1 and upstream_name <> $2', [
      channelId,
      `on-${protocol}`,
    ]);
    // An unknown model gets JSON schemas as a tool; this one has a format of its own for them.
    if (kind === 'anthropic') {
      await pool.query(
        `update channel_models set upstream_name = 'claude-sonnet-4-5' where channel_id = $1`,
        [channelId],
      );
    }
  }
  await enterPrices(pool);
  const gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  const { ledger, close } = await openTestLedger(pool, null);
  let spent = 0;
  return {
    ...{ pool, url: gateway.url, key, upstream },
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
      await upstream.close();
      await pool.end();
      await database.drop();
    },
  };
}
