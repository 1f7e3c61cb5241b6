import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect } from 'vitest';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import type { ThreadCounters } from '../../../../../gateway/data-plane/threads/messages.ts';
import { startGate, type Gate } from '../../support/gate.ts';
import {
  startFakeUpstream,
  type FakeUpstream,
} from '../../../../support/upstreams/fake-upstream.ts';
import { startGateway } from '../../../../support/gateway.ts';
import { until } from '../../../../support/clocks/hang.ts';
import { openTestLedger } from '../../../../support/ledger/money.ts';
import { createDatabase } from '../../../../support/stores/postgres.ts';
import { seed, TEST_PRICES, type Seeded } from '../../../../support/seed.ts';

export const CREDIT = 100_000_000_000;
export const OUTPUT_TOKENS_MAX = 16_000;
const PER_MILLION = 1_000_000;

/** The cost of a customer's requests by the balance and by PostgreSQL. */
export interface Bill {
  readonly charged: number;
  readonly records: readonly BilledRecord[];
}

interface BilledRecord {
  readonly cost: number;
  readonly status: string;
  readonly capped: boolean;
  readonly estimated: boolean;
  readonly attempts: number;
}

/** A customer with a model and two channels of their own: none of them has failed yet. */
export interface Customer {
  readonly seeded: Seeded;
  readonly model: string;
  /**
   * @param options the address of another gateway on the same database, and a signal to leave by
   */
  send(
    body?: object,
    options?: { readonly signal?: AbortSignal; readonly url?: string },
  ): Promise<Response>;
  /** Gives the first channel another upstream. */
  moveTo(baseUrl: string): Promise<void>;
  /** Puts a gate before the first channel's upstream. */
  gate(): Promise<Gate>;
  get(path: string): Promise<Response>;
  /** Waits until nothing is in flight, and insists that nothing stays held. */
  bill(): Promise<Bill>;
  held(): Promise<number>;
  /**
   * Sends a request, looks at what is held while the upstream has not got it yet, and reads the
   * reply.
   */
  sendAndLook(body: object): Promise<{ readonly held: number }>;
  /** Makes the gateway see what has changed in the catalog. */
  republish(): Promise<void>;
}

/**
 * Two fake upstreams and a ledger in PostgreSQL, where a record is there together with its settle.
 */
export interface BillingFixture {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  readonly first: FakeUpstream;
  readonly second: FakeUpstream;
  newCustomer(creditNanoUsd?: number): Promise<Customer>;
  /** Sends the gateway's thread what it gets from the change feed after a change of the account. */
  accountChanged(accountId: string): void;
  /** Returns the counters of the gateway's thread. */
  counted(): Promise<ThreadCounters>;
  close(): Promise<void>;
}

export function costOf(input: number, output: number): number {
  return (input * TEST_PRICES.inputNanoUsd + output * TEST_PRICES.outputNanoUsd) / PER_MILLION;
}

export async function openBillingFixture(
  env: Readonly<Record<string, string>> = {},
): Promise<BillingFixture> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const first = await startFakeUpstream();
  const second = await startFakeUpstream();
  const { ledger, close } = await openTestLedger(pool, null);
  const gateway = await startGateway({ databaseUrl: database.url, redisUrl: null, env });

  const gates: Gate[] = [];

  const newCustomer = async (creditNanoUsd = CREDIT): Promise<Customer> => {
    first.reset();
    second.reset();
    const model = `model-${randomUUID()}`;
    const seeded = await seed(pool, {
      upstreams: [first.url, second.url],
      creditNanoUsd,
      outputTokensMax: OUTPUT_TOKENS_MAX,
      models: [{ publicId: model }],
    });
    const republish = (): Promise<void> => gateway.republish();
    const send: Customer['send'] = (body = {}, { signal, url = gateway.url } = {}) =>
      fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], ...body }),
        ...(signal === undefined ? {} : { signal }),
      });
    const moveTo = async (baseUrl: string): Promise<void> => {
      await pool.query('update channels set base_url = $2 where id = $1', [
        seeded.channelIds[0],
        baseUrl,
      ]);
      await republish();
    };
    const placeGate = async (): Promise<Gate> => {
      const gate = await startGate(first.url);
      gates.push(gate);
      await moveTo(gate.url);
      return gate;
    };
    const held = async (): Promise<number> =>
      (await ledger.accountState(seeded.accountId))?.heldNanoUsd ?? 0;
    await republish();
    return {
      seeded,
      model,
      republish,
      send,
      get: (path) =>
        fetch(gateway.url + path, { headers: { authorization: `Bearer ${seeded.key}` } }),
      moveTo,
      gate: placeGate,
      held,
      sendAndLook: async (body) => {
        const gate = await placeGate();
        const reply = send(body);
        await until('the upstream is asked', () => gate.waiting() === 1);
        const before = await held();
        gate.open();
        await (await reply).text();
        return { held: before };
      },
      bill: async () => {
        const state = await until('nothing is in flight', async () => {
          const found = await ledger.accountState(seeded.accountId);
          return found?.inFlight === 0 && found;
        });
        expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0, inFlight: 0 });
        const { rows } = await pool.query<BilledRecord>(
          `select cost_nano_usd as cost, status, capped, estimated, attempts
           from usage_records where account_id = $1`,
          [seeded.accountId],
        );
        return { charged: creditNanoUsd - state.availableNanoUsd, records: rows };
      },
    };
  };

  return {
    url: gateway.url,
    pool,
    databaseUrl: database.url,
    first,
    second,
    newCustomer,
    accountChanged: (id) => gateway.send({ kind: 'changed', keyIds: [], accountIds: [id] }),
    counted: async () => {
      const answer = gateway.next('counters');
      gateway.send({ kind: 'count' });
      return (await answer).counters;
    },
    close: async () => {
      expect(await gateway.close()).toBe(0);
      await close();
      for (const gate of gates) gate.close();
      await Promise.all([first.close(), second.close(), pool.end()]);
      await database.drop();
    },
  };
}

/** Creates a customer of a model with prices of its own for cache reads and writes. */
export async function customerWithCachePrices(billing: BillingFixture): Promise<Customer> {
  const customer = await billing.newCustomer();
  await billing.pool.query(
    `insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd, output_nano_usd)
     select id, '2021-01-01', 2e9, 2e8, 25e8, 1e10 from models where public_id = $1`,
    [customer.model],
  );
  await customer.republish();
  return customer;
}
