import type pg from 'pg';
import { randomUsage } from '../../gateway/data-plane/realtime/support/random-usage.ts';
import { PER_SECOND } from '../../gateway/data-plane/realtime/support/realtime-service.ts';
import type { Random } from '../../simulator/random.ts';
import {
  DEFAULT_REPLY,
  REALTIME_USAGE,
  type VendorReply,
} from '../../support/upstreams/realtime-reply.ts';

type Usage = Readonly<Record<string, unknown>>;

interface SpokenRow {
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cost: number;
}

/** Seconds of one transcript, as the vendor of sessions reports them. */
const TRANSCRIPT_SECONDS = 2;

/**
 * The replies of realtime sessions: those that the vendor has made, and those whose end reached a
 * client. Sessions do not name requests, so that a reply is found in the book by its tokens, which
 * no other one has.
 */
export class SpokenReplies {
  readonly #random: Random;
  /** Cost by name. */
  readonly #made = new Map<string, number>();
  readonly #heard = new Set<string>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Makes up a reply of the vendor: some break off, and some report nothing or nonsense. */
  make(): VendorReply {
    const random = this.#random;
    return {
      ...DEFAULT_REPLY,
      usage: random.chance(0.85) ? this.#unique() : random.pick([null, ABSURD]),
      soundMs: random.between(0, 3_000),
      pauseMs: random.pick([0, 5, 30, 120]),
      cutsAt: random.chance(0.15) ? random.pick(['asked', 'created', 'delta', 'done']) : null,
      reports: random.chance(0.1) ? 2 : 1,
    };
  }

  /** A client has got the end of a reply. */
  heard(usage: Usage | null | undefined): void {
    const name = usage && nameOf(usage['input_tokens'], usage['output_tokens']);
    if (typeof name === 'string' && this.#made.has(name)) this.#heard.add(name);
  }

  get heardCount(): number {
    return this.#heard.size;
  }

  /** Compares replies with the book. Returns what differs, as sentences. */
  async compare(pool: pg.Pool, accountId: string): Promise<string[]> {
    const { rows } = await pool.query<SpokenRow>(
      `select model, input_tokens as input, output_tokens as output, cost_nano_usd as cost
       from usage_records where account_id = $1 and not estimated and not capped
         and cost_nano_usd > 0`,
      [accountId],
    );
    const found: string[] = [];
    const missing = new Set(this.#heard);
    const booked = new Set<string>();
    for (const { model, input, output, cost } of rows) {
      const name = nameOf(input, output);
      const isTranscript = model === 'hear';
      const expected = isTranscript ? TRANSCRIPT_SECONDS * PER_SECOND : this.#made.get(name);
      if (expected !== cost) found.push(`spoken ${name}: expected ${expected}, billed ${cost}`);
      if (!isTranscript && booked.has(name)) found.push(`spoken ${name}: billed twice`);
      booked.add(name);
      missing.delete(name);
    }
    return [...found, ...[...missing].map((name) => `spoken ${name}: heard, and not billed`)];
  }

  #unique(): Record<string, unknown> {
    for (;;) {
      const { usage, cost } = randomUsage((limit) => this.#random.between(0, limit - 1));
      const name = nameOf(usage['input_tokens'], usage['output_tokens']);
      if (this.#made.has(name) || usage['input_tokens'] === 0) continue;
      this.#made.set(name, cost);
      return usage;
    }
  }
}

const ABSURD = { ...REALTIME_USAGE, input_tokens: 1e12, output_tokens: 1e12 };

function nameOf(input: unknown, output: unknown): string {
  return `${String(input)} in, ${String(output)} out`;
}
