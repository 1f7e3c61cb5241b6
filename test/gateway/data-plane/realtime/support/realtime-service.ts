import { expect } from 'vitest';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { createDatabase } from '../../../../support/stores/postgres.ts';
import { seed, seedAccount, seedKey, seedModel, type Seeded } from '../../../../support/seed.ts';
import {
  startRealtimeVendor,
  type RealtimeVendor,
} from '../../../../support/upstreams/realtime-vendor.ts';
import { RealtimeClient, type OpenedWith } from './realtime-client.ts';

const CREDIT = 100_000_000_000;

/** OpenAI's for gpt-realtime-mini, nanodollars per million tokens. */
export const VOICE_PRICES = {
  input: 600_000_000,
  cachedInput: 60_000_000,
  output: 2_400_000_000,
  audioInput: 10_000_000_000,
  cachedAudioInput: 300_000_000,
  imageInput: 800_000_000,
  cachedImageInput: 80_000_000,
  audioOutput: 20_000_000_000,
};
/** 100 text, 100 cached text, 250 sound, 350 cached sound, 50 + 50 images; 100 text, 400 sound. */
export const TURN_COST =
  (200 * VOICE_PRICES.input +
    100 * VOICE_PRICES.cachedInput +
    250 * VOICE_PRICES.audioInput +
    350 * VOICE_PRICES.cachedAudioInput +
    50 * VOICE_PRICES.imageInput +
    50 * VOICE_PRICES.cachedImageInput +
    100 * VOICE_PRICES.output +
    400 * VOICE_PRICES.audioOutput) /
  1_000_000;
/** OpenAI's $0.006 a minute. */
export const PER_SECOND = 100_000;

export interface BilledTurn {
  readonly model: string;
  readonly status: string;
  readonly cost: number;
  readonly input: number;
  readonly output: number;
  readonly estimated: boolean;
}

export interface RealtimeCustomer {
  readonly key: string;
  readonly keyId: string;
  readonly accountId: string;
  open(with_?: Partial<OpenedWith>): Promise<RealtimeClient>;
  /** Waits until nothing is in flight, and insists that nothing stays held. */
  spent(): Promise<number>;
  records(): Promise<readonly BilledTurn[]>;
}

/** A gateway in front of two vendors of the models `voice` and `hear`. */
export interface RealtimeService {
  readonly gateway: TestGateway;
  readonly pool: ReturnType<typeof openPool>;
  /** Goes before `second`. */
  readonly first: RealtimeVendor;
  readonly second: RealtimeVendor;
  newCustomer(creditNanoUsd?: number): Promise<RealtimeCustomer>;
  close(): Promise<void>;
  /** The same after the gateway has ended. */
  closeBehindGateway(): Promise<void>;
}

/** Enters channels, and the models `voice`, `hear` and `elsewhere` with their prices. */
export async function seedVoices(
  pool: ReturnType<typeof openPool>,
  upstreams: readonly string[],
  creditNanoUsd = 1,
): Promise<Seeded> {
  const seeded = await seed(pool, { upstreams, creditNanoUsd, models: [] });
  const { groupId, channelIds } = seeded;
  const models = [
    ['voice', 'gpt-realtime-mini'],
    ['hear', 'whisper-1'],
    ['elsewhere', 'gpt-realtime'],
  ] as const;
  for (const [publicId, upstreamName] of models) {
    await seedModel(pool, {}, { publicId, upstreamName, groupId, channelIds });
  }
  const { input, cachedInput, output, ...extra } = VOICE_PRICES;
  await pool.query(
    `update prices set input_nano_usd = $1, cached_input_nano_usd = $2, cache_write_nano_usd = $1,
       output_nano_usd = $3, extra_prices = $4
     where model_id = (select id from models where public_id = 'voice')`,
    [input, cachedInput, output, extra],
  );
  await pool.query(
    `update prices set input_nano_usd = 0, cached_input_nano_usd = 0, cache_write_nano_usd = 0,
       output_nano_usd = 0, extra_prices = $1
     where model_id = (select id from models where public_id = 'hear')`,
    [{ second: PER_SECOND }],
  );
  return seeded;
}

export async function openRealtimeService(
  env: Readonly<Record<string, string>> = {},
): Promise<RealtimeService> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const first = await startRealtimeVendor();
  const second = await startRealtimeVendor();
  const { groupId } = await seedVoices(pool, [first.url, second.url]);
  const gateway = await startGateway({ databaseUrl: database.url, redisUrl: null, env });
  const money = await openTestLedger(pool, null);
  const closeBehindGateway = async (): Promise<void> => {
    await money.close();
    await first.close();
    await second.close();
    await pool.end();
    await database.drop();
  };
  return {
    ...{ gateway, pool, first, second },
    newCustomer: async (creditNanoUsd = CREDIT) => {
      const accountId = await seedAccount(pool, creditNanoUsd);
      const { key, keyId } = await seedKey(pool, accountId, groupId);
      return {
        ...{ key, keyId, accountId },
        open: (asked = {}) => RealtimeClient.open(gateway.url, { key, ...asked }),
        spent: async () => {
          const state = await settledState(money.ledger, accountId);
          expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0, inFlight: 0 });
          return creditNanoUsd - state.availableNanoUsd;
        },
        records: async () => {
          const { rows } = await pool.query<BilledTurn>(
            `select model, status, cost_nano_usd::float8 as cost, input_tokens as input,
               output_tokens as output, estimated
             from usage_records where account_id = $1 order by created_at, request_id`,
            [accountId],
          );
          return rows;
        },
      };
    },
    closeBehindGateway,
    close: async () => {
      expect(await gateway.close()).toBe(0);
      await closeBehindGateway();
    },
  };
}
