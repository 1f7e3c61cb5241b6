import type { LearnedRefusal } from '../../catalog/learned-refusals.ts';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { ServedRoute } from './served-routes.ts';

/** The catalog has what was learned within a second or two; until then this thread remembers it. */
const RECENT_MS = 10_000;
/** The oldest are forgotten first. */
const RECENT_MAX = 1_000;

const NOTHING: readonly never[] = [];

interface Recent {
  readonly fields: readonly string[];
  readonly untilMs: number;
}

/** The fields that targets refuse by name, as one thread knows them. */
export class LearnedFields {
  readonly #report: (refusal: LearnedRefusal) => void;
  readonly #now: () => number;
  readonly #recent = new Map<string, Recent>();

  /** @param report keeps a refusal for all threads and gateways */
  constructor(report: (refusal: LearnedRefusal) => void, now: () => number = steadyNowMs) {
    this.#report = report;
    this.#now = now;
  }

  /** Returns the fields that an account's requests are sent without. */
  of(route: ServedRoute, accountId: string): readonly string[] {
    const { learned } = route;
    if (learned.length === 0 && this.#recent.size === 0) return NOTHING;
    const nowMs = this.#now();
    const kept = learned.filter(
      ({ untilMs, accountId: only }) =>
        (untilMs === null || nowMs < untilMs) && (only === null || only === accountId),
    );
    const recent = this.#recent.get(keyOf(route, accountId));
    const isOver = recent === undefined || recent.untilMs <= nowMs;
    return [...new Set([...kept.map(({ field }) => field), ...(isOver ? NOTHING : recent.fields)])];
  }

  /** Notes what a target has refused, and has taken a request without. */
  learn(
    route: ServedRoute,
    refusals: readonly Pick<LearnedRefusal, 'accountId' | 'field' | 'message'>[],
  ): void {
    const { channel, upstreamModel, codec } = route;
    for (const refusal of refusals) {
      const { accountId, field } = refusal;
      const key = keyOf(route, accountId);
      const fields = new Set([...(this.#recent.get(key)?.fields ?? NOTHING), field]);
      this.#recent.delete(key);
      this.#recent.set(key, { fields: [...fields], untilMs: this.#now() + RECENT_MS });
      const protocol = codec.upstreamProtocol;
      this.#report({ ...refusal, channelId: channel.id, upstreamModel, protocol });
    }
    for (const [key, { untilMs }] of this.#recent) {
      if (this.#recent.size <= RECENT_MAX && this.#now() < untilMs) break;
      this.#recent.delete(key);
    }
  }
}

function keyOf({ healthKey }: ServedRoute, accountId: string): string {
  return `${healthKey} ${accountId}`;
}
