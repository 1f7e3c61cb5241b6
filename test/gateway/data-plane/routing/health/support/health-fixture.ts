import {
  ChannelHealth,
  type BegunAttempt,
} from '../../../../../../gateway/data-plane/routing/health/channel-health.ts';
import type { HealthRoute } from '../../../../../../gateway/data-plane/routing/health/channel-state.ts';

export const MINUTE_MS = 60_000;
/** Failures in a row that open a breaker. */
export const FAILURES_MAX = 5;

export interface HealthFixture {
  readonly health: ChannelHealth;
  nowMs: number;
  begin(to?: HealthRoute, account?: string): BegunAttempt;
  /** A request of its own, unless a digest is given. */
  fail(attempt?: BegunAttempt, digest?: string): void;
  succeed(attempt?: BegunAttempt): void;
  mayUse(to?: HealthRoute, account?: string): boolean;
  waitMs(to?: HealthRoute, account?: string): number;
}

export const ANNA = 'anna';
export const BEN = 'ben';

export function healthRoute(
  upstreamModel = 'model',
  { id = 'channel', protocol = 'openai-chat', concurrencyMax = null as number | null } = {},
): HealthRoute {
  const timeouts = { connectMs: 1, firstByteMs: MINUTE_MS, idleMs: 1, totalMs: 1 };
  const channel = { id, concurrencyMax, credentials: [], timeouts };
  return { channel, upstreamModel, healthKey: `${id} ${protocol} ${upstreamModel}` };
}

export function openHealth(): HealthFixture {
  let requests = 0;
  const fixture: HealthFixture = {
    nowMs: 1_000_000,
    health: new ChannelHealth(() => fixture.nowMs),
    begin: (to = healthRoute(), accountId = ANNA) =>
      fixture.health.started(to, { credential: null, accountId }),
    fail: (attempt = fixture.begin(), digest) => {
      fixture.health.finished(attempt, false);
      requests += 1;
      fixture.health.failed(attempt, digest ?? `request ${requests}`);
    },
    succeed: (attempt = fixture.begin()) => {
      fixture.health.onFirstContent(attempt);
      fixture.health.finished(attempt, true);
    },
    mayUse: (to = healthRoute(), account = ANNA) => fixture.health.mayUse(to, account),
    waitMs: (to = healthRoute(), account = ANNA) => fixture.health.unavailableForMs(to, account),
  };
  return fixture;
}
