import { expect } from 'vitest';
import { independentUsage } from './independent-usage.ts';
import { Chance, mutate, packets } from './mutate.ts';
import {
  INPUT_PRICE,
  OUTPUT_PRICE,
  PATHS,
  type BilledRecord,
  type Client,
  type PathCustomer,
  type Paths,
  type Upstream,
} from './open-paths.ts';
import { replySeeds } from './reply-seeds.ts';

const CONTENT_TYPES = ['text/event-stream', 'application/json', 'text/plain', ''] as const;
const STATUSES = [200, 400, 404, 413, 429, 502, 503, 504, 529];
/** A channel rests after five failures in a row: a good reply comes between. */
const MUTATED_IN_A_ROW = 4;
/** Bills are looked at after so many requests of a lane. */
const LOOKED_AT = 100;
const PER_MILLION = 1_000_000;

export interface SentMutations {
  /** Requests that an upstream was asked for. */
  readonly reached: number;
  /** Those that were billed. */
  readonly delivered: number;
}

/**
 * Sends mutated replies through the whole path, and compares each record with what the reply
 * reports. Each way between two protocols is a lane: they run side by side. What a reply is depends
 * on `seed` and its number alone.
 */
export async function sendMutated(
  paths: Paths,
  count: number,
  seed: number,
): Promise<SentMutations> {
  const lanes = PATHS.map(([client, upstream], index) => {
    const lane = new Lane(paths, { client, upstream, name: `lane-${index}` });
    return { lane, rows: [] as number[] };
  });
  for (let first = 0; first < count; first += MUTATED_IN_A_ROW) {
    new Chance(seed + first).of(lanes).rows.push(first);
  }
  await Promise.all(
    lanes.map(async ({ lane, rows }) => {
      for (const first of rows) {
        const last = Math.min(first + MUTATED_IN_A_ROW, count);
        for (let number = first; number < last; number += 1) await lane.send(seed + number);
        await lane.sendGood();
      }
      await lane.close();
    }),
  );
  return {
    reached: lanes.reduce((sum, { lane }) => sum + lane.reached, 0),
    delivered: lanes.reduce((sum, { lane }) => sum + lane.delivered, 0),
  };
}

interface Sent {
  readonly text: string;
  readonly status: number;
  readonly stream: boolean;
  readonly about: string;
}

class Lane {
  reached = 0;
  delivered = 0;
  readonly #paths: Paths;
  readonly #client: Client;
  readonly #upstream: Upstream;
  readonly #name: string;
  readonly #seeds: readonly string[];
  readonly #sent = new Map<string, Sent>();
  #customer: PathCustomer | undefined;

  constructor(
    paths: Paths,
    way: { readonly client: Client; readonly upstream: Upstream; readonly name: string },
  ) {
    this.#paths = paths;
    this.#client = way.client;
    this.#upstream = way.upstream;
    this.#name = way.name;
    this.#seeds = replySeeds().get(way.upstream) ?? [];
  }

  async send(seed: number): Promise<void> {
    const chance = new Chance(seed);
    const text = mutate(chance.of(this.#seeds), chance);
    const stream = this.#client !== 'embeddings' && chance.below(2) === 0;
    const reply = {
      contentType: chance.of(CONTENT_TYPES),
      packets: packets(Buffer.from(text), chance),
    };
    const about = `${this.#client} over ${this.#upstream}, seed ${seed}: ${text.slice(0, 2_000)}`;
    const reached = await this.#ask(reply, { text, stream, about });
    if (reached) this.reached += 1;
    // Something of it has made the model or the channel rest.
    else await this.#retire();
    if (this.#sent.size >= LOOKED_AT) await this.#lookAtBills();
  }

  async close(): Promise<void> {
    await this.#lookAtBills();
    this.#paths.upstream.lanes.delete(this.#name);
  }

  /** Resets what the channel's failures have come to. */
  async sendGood(): Promise<void> {
    const [text = ''] = this.#seeds;
    const reply = { contentType: 'application/json', packets: [text] };
    const about = `${this.#client} over ${this.#upstream}, unchanged`;
    const reached = await this.#ask(reply, { text, stream: false, about });
    if (!reached) await this.#retire();
  }

  /** Returns whether an upstream was asked. */
  async #ask(
    reply: { readonly contentType: string; readonly packets: readonly (string | Buffer)[] },
    sent: Omit<Sent, 'status'>,
  ): Promise<boolean> {
    const { lanes, answered } = this.#paths.upstream;
    this.#customer ??= await this.#paths.newCustomer(this.#upstream, { lane: this.#name });
    lanes.set(this.#name, reply);
    const before = answered.get(this.#name) ?? 0;
    const response = await this.#customer.ask(this.#client, sent.stream);
    const body = await response.text();
    const about = `${sent.about}\n${body.slice(0, 1_000)}`;
    expect(STATUSES, about).toContain(response.status);
    const id = response.headers.get('x-request-id') ?? '';
    expect(id, about).not.toBe('');
    this.#sent.set(id, { ...sent, status: response.status, about });
    return (answered.get(this.#name) ?? 0) > before;
  }

  async #retire(): Promise<void> {
    await this.#lookAtBills();
    this.#customer = undefined;
  }

  /** Each reply that was delivered has one record, and no other has any. */
  async #lookAtBills(): Promise<void> {
    if (this.#customer === undefined) return;
    const records = new Map<string, BilledRecord>();
    for (const record of await this.#customer.records()) {
      expect(this.#sent.has(record.requestId)).toBe(true);
      expect(records.has(record.requestId)).toBe(false);
      records.set(record.requestId, record);
    }
    for (const [id, { text, status, stream, about }] of this.#sent) {
      const record = records.get(id);
      if (status !== 200) expect(record, about).toBeUndefined();
      else if (!stream) expect(record, about).toBeDefined();
      if (record === undefined) continue;
      this.delivered += 1;
      expectBilled(record, independentUsage(this.#upstream, text), about);
    }
    this.#sent.clear();
  }
}

function expectBilled(
  { input, output, cost, estimated, capped }: BilledRecord,
  reported: { readonly input: number; readonly output: number } | undefined,
  about: string,
): void {
  expect(input, about).toBeGreaterThan(0);
  expect(cost, about).toBe(Math.ceil((input * INPUT_PRICE + output * OUTPUT_PRICE) / PER_MILLION));
  if (reported === undefined || estimated || capped) return;
  expect({ input, output }, about).toEqual(reported);
}
