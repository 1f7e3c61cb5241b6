import { expect } from 'vitest';
import { independentUsage } from './independent-usage.ts';
import { Chance, mutate, packets } from './mutate.ts';
import { INPUT_PRICE, OUTPUT_PRICE, PATHS, type BilledRecord, type Paths } from './open-paths.ts';
import { replySeeds } from './reply-seeds.ts';

const CONTENT_TYPES = ['text/event-stream', 'application/json', 'text/plain', ''] as const;
/** A channel rests after five failures. */
const REQUESTS_OF_CUSTOMER = 4;
const PER_MILLION = 1_000_000;

/**
 * Sends mutated replies through the whole path, and compares each record with what the reply
 * reports.
 */
export async function sendMutated(
  paths: Paths,
  count: number,
  seed: number,
): Promise<{ readonly delivered: number }> {
  const seeds = replySeeds();
  let delivered = 0;
  for (let number = 0; number < count; number += REQUESTS_OF_CUSTOMER) {
    const [client, upstream] = new Chance(seed + number).of(PATHS);
    const customer = await paths.newCustomer(upstream);
    for (let turn = 0; turn < REQUESTS_OF_CUSTOMER; turn += 1) {
      const chance = new Chance(seed + number + turn);
      const text = mutate(chance.of(seeds.get(upstream) ?? []), chance);
      const stream = client !== 'embeddings' && chance.below(2) === 0;
      paths.upstream.reply = {
        contentType: chance.of(CONTENT_TYPES),
        packets: packets(Buffer.from(text), chance),
      };
      const response = await customer.ask(client, stream);
      const reply = await response.text();
      const about = `${client} over ${upstream}, seed ${seed + number + turn}: ${text.slice(0, 2_000)}\n${reply.slice(0, 1_000)}`;
      expect([200, 400, 404, 413, 429, 502, 503, 504, 529], about).toContain(response.status);
      const records = await customer.records();
      const isWhole = response.status === 200 && !stream;
      expect(records.length, about).toBeLessThanOrEqual(1);
      if (response.status !== 200) expect(records, about).toEqual([]);
      if (isWhole) expect(records, about).toHaveLength(1);
      for (const record of records) {
        delivered += 1;
        expectBilled(record, independentUsage(upstream, text), about);
      }
    }
  }
  return { delivered };
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
