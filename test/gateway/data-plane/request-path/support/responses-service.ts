import OpenAI from 'openai';
import { expect } from 'vitest';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import {
  startFakeUpstream,
  type FakeUpstream,
} from '../../../../support/upstreams/fake-upstream.ts';
import { startGateway } from '../../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { createDatabase } from '../../../../support/stores/postgres.ts';
import {
  startResponsesUpstream,
  type ResponsesUpstream,
} from '../../../../support/upstreams/responses-upstream.ts';
import { seed, seedAccount, seedKey, seedModel } from '../../../../support/seed.ts';

const CREDIT = 100_000_000_000;

export interface ResponsesCustomer {
  readonly key: string;
  readonly client: OpenAI;
  /** Waits until nothing is in flight, and insists that nothing stays held. */
  spent(): Promise<number>;
}

/** A gateway before two upstreams that speak Responses alone, and one that speaks chat alone. */
export interface ResponsesService {
  readonly url: string;
  /** Goes before `second` where a model is at both. */
  readonly first: ResponsesUpstream;
  readonly second: ResponsesUpstream;
  readonly chat: FakeUpstream;
  newCustomer(creditNanoUsd?: number): Promise<ResponsesCustomer>;
  close(): Promise<void>;
}

/** Its models are `native`, `either`, which is at both upstreams of Responses, and `over-chat`. */
export async function openResponsesService(): Promise<ResponsesService> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const first = await startResponsesUpstream();
  const second = await startResponsesUpstream();
  const chat = await startFakeUpstream();
  const upstreams = [first.url, second.url, chat.url];
  const seeded = await seed(pool, { upstreams, creditNanoUsd: 1, models: [] });
  const [one = '', two = '', three = ''] = seeded.channelIds;
  await pool.query(
    `update channels set protocols = '{openai-responses}', priority = case when id = $1 then 1 else 0 end
     where id in ($1, $2)`,
    [one, two],
  );
  const { groupId } = seeded;
  const upstreamName = 'upstream-model';
  for (const [publicId, channelIds] of [
    ['native', [one]],
    ['either', [one, two]],
    ['over-chat', [three]],
  ] as const) {
    await seedModel(pool, {}, { publicId, upstreamName, groupId, channelIds });
  }
  const gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  const money = await openTestLedger(pool, null);
  return {
    ...{ url: gateway.url, first, second, chat },
    newCustomer: async (creditNanoUsd = CREDIT) => {
      const accountId = await seedAccount(pool, creditNanoUsd);
      const { key } = await seedKey(pool, accountId, groupId);
      const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 });
      const spent = async (): Promise<number> => {
        const state = await settledState(money.ledger, accountId);
        expect(state.heldNanoUsd).toBe(0);
        return creditNanoUsd - state.availableNanoUsd;
      };
      return { key, client, spent };
    },
    close: async () => {
      expect(await gateway.close()).toBe(0);
      await money.close();
      for (const upstream of [first, second, chat]) await upstream.close();
      await pool.end();
      await database.drop();
    },
  };
}
