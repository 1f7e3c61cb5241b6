import { beforeEach, describe, expect, it } from 'vitest';
import type { BegunAttempt } from '../../../../../gateway/data-plane/routing/health/channel-health.ts';
import { refuse } from '../../../../../gateway/platform/errors/refusal.ts';
import {
  ANNA,
  BEN,
  FAILURES_MAX,
  healthRoute,
  MINUTE_MS,
  openHealth,
  type HealthFixture,
} from './support/health-fixture.ts';

const ROUTE = healthRoute();

let fixture: HealthFixture;

beforeEach(() => {
  fixture = openHealth();
});

function limit(attempt: BegunAttempt, retryAfterMs: number | null): void {
  fixture.health.limited(attempt, retryAfterMs);
  fixture.health.finished(attempt, false);
}

describe('a limit', () => {
  it('lasts as long as the 429 asked, whatever older requests come to', () => {
    const older = fixture.begin();
    limit(fixture.begin(), MINUTE_MS);
    fixture.nowMs += 50;
    fixture.succeed(older);
    const untilMs = fixture.nowMs - 50 + MINUTE_MS;
    expect(fixture.health.report('channel')).toMatchObject({
      state: 'closed',
      retryAtMs: null,
      limitedModels: [{ upstreamModel: 'model', untilMs, reason: 'limited' }],
    });
    expect(fixture.mayUse()).toBe(false);
    expect(fixture.waitMs()).toBe(MINUTE_MS - 50);
    fixture.nowMs += MINUTE_MS - 50;
    expect(fixture.health.report('channel').limitedModels).toEqual([]);
    expect(fixture.mayUse()).toBe(true);
  });

  it('is of its model alone, in all protocols', () => {
    limit(fixture.begin(), MINUTE_MS);
    expect(fixture.mayUse(healthRoute('another'))).toBe(true);
    expect(fixture.waitMs(healthRoute('another'))).toBe(0);
    expect(fixture.mayUse(healthRoute('model', { protocol: 'openai-responses' }))).toBe(false);
  });

  it('is of its account alone, until another one meets it as well', () => {
    limit(fixture.begin(), MINUTE_MS);
    expect(fixture.mayUse(ROUTE, BEN)).toBe(true);
    limit(fixture.begin(ROUTE, BEN), MINUTE_MS);
    expect(fixture.mayUse(ROUTE, 'a third')).toBe(false);
    expect(fixture.health.isLimited(ROUTE, 'a third')).toBe(true);
  });

  it('is of its account alone where others are served meanwhile', () => {
    limit(fixture.begin(), MINUTE_MS);
    fixture.succeed(fixture.begin(ROUTE, BEN));
    limit(fixture.begin(ROUTE, BEN), 1_000);
    expect(fixture.mayUse(ROUTE, 'a third')).toBe(true);
  });

  it('is forgotten when it is over, also of a model that is not asked for again', () => {
    for (let count = 0; count < 100; count += 1) {
      limit(fixture.begin(healthRoute(`model-${count}`)), 1_000);
      fixture.nowMs += 1_000;
    }
    limit(fixture.begin(), 1_000);
    expect(fixture.health.report('channel').limitedModels).toHaveLength(1);
  });

  it('is over at its time: two requests may run side by side after it', () => {
    limit(fixture.begin(), null);
    fixture.nowMs += 1_000;
    fixture.begin();
    expect(fixture.mayUse()).toBe(true);
    fixture.begin();
    expect(fixture.mayUse()).toBe(true);
  });

  it('is not made shorter by a later 429, nor longer than can be believed', () => {
    const second = fixture.begin();
    limit(fixture.begin(), 24 * 60 * MINUTE_MS);
    limit(second, 0);
    expect(fixture.waitMs()).toBe(10 * MINUTE_MS);
  });

  it('neither opens the breaker nor closes it', () => {
    for (let count = 0; count < FAILURES_MAX; count += 1) limit(fixture.begin(), 0);
    expect(fixture.mayUse()).toBe(true);
    for (let count = 0; count < FAILURES_MAX; count += 1) fixture.fail();
    expect(fixture.waitMs()).toBe(1_000);
    fixture.nowMs += 1_000;
    limit(fixture.begin(), 1_000);
    fixture.nowMs += 1_000;
    fixture.fail();
    expect(fixture.waitMs()).toBe(2_000);
  });
});

describe('a model that is missing', () => {
  const miss = (account = ANNA, to = ROUTE, hasOther = false): void => {
    const attempt = fixture.begin(to, account);
    fixture.health.finished(attempt, false);
    fixture.health.missing(attempt, { hasOther });
  };

  it('is missing in its protocol alone, and for its account alone', () => {
    miss();
    expect(fixture.mayUse()).toBe(false);
    expect(fixture.mayUse(healthRoute('model', { protocol: 'openai-responses' }))).toBe(true);
    expect(fixture.mayUse(healthRoute('another'))).toBe(true);
    expect(fixture.mayUse(ROUTE, BEN)).toBe(true);
    fixture.nowMs += MINUTE_MS;
    expect(fixture.mayUse()).toBe(true);
  });

  it('is missing for all when two accounts have found out, and no account was served since', () => {
    miss();
    miss(BEN);
    expect(fixture.mayUse(ROUTE, 'a third')).toBe(false);
    expect(fixture.health.report('channel').state).toBe('closed');
  });

  it('is remembered for longer where the channel has another way to serve it', () => {
    miss(ANNA, ROUTE, true);
    fixture.nowMs += 9 * MINUTE_MS;
    expect(fixture.mayUse()).toBe(false);
  });

  it('is refused with the words of the upstream meanwhile', () => {
    const refusal = refuse('upstream_rejected', 'This is a chat model.');
    const attempt = fixture.begin();
    fixture.health.missing(attempt, { refusal, hasOther: false });
    expect(fixture.health.missingRefusal(ROUTE, ANNA)).toBe(refusal);
    expect(fixture.health.missingRefusal(ROUTE, BEN)).toBeUndefined();
    fixture.nowMs += MINUTE_MS;
    expect(fixture.health.missingRefusal(ROUTE, ANNA)).toBeUndefined();
  });
});
