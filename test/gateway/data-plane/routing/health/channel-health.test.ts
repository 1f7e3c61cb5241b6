import { beforeEach, describe, expect, it } from 'vitest';
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

function failTimes(count: number, account = ANNA, to = ROUTE): void {
  for (let failures = 0; failures < count; failures += 1) {
    fixture.fail(fixture.begin(to, account));
  }
}

/** Fails until the account is kept away, and waits until it may probe. */
function openAndWait(): void {
  failTimes(FAILURES_MAX);
  expect(fixture.mayUse()).toBe(false);
  fixture.nowMs += MINUTE_MS;
  expect(fixture.mayUse()).toBe(true);
}

describe('the breaker of an account on a route', () => {
  it('opens after failures in a row, and longer after each probe that fails', () => {
    failTimes(FAILURES_MAX - 1);
    fixture.succeed();
    failTimes(FAILURES_MAX);
    expect(fixture.waitMs()).toBe(1_000);
    fixture.nowMs += 1_000;
    fixture.fail();
    expect(fixture.waitMs()).toBe(2_000);
    fixture.nowMs += 2_000;
    fixture.fail();
    expect(fixture.waitMs()).toBe(4_000);
  });

  it('does not count the same request twice', () => {
    for (let count = 0; count < 10; count += 1) fixture.fail(fixture.begin(), 'the same');
    expect(fixture.mayUse()).toBe(true);
    failTimes(FAILURES_MAX - 1);
    expect(fixture.mayUse()).toBe(false);
  });

  it('is of the model in its protocol alone', () => {
    failTimes(FAILURES_MAX);
    expect(fixture.mayUse(healthRoute('another'))).toBe(true);
    expect(fixture.mayUse(healthRoute('model', { protocol: 'openai-responses' }))).toBe(true);
  });

  it('lets one probe through at a time, whatever else ends meanwhile', () => {
    const older = fixture.begin();
    openAndWait();
    fixture.begin();
    expect(fixture.mayUse()).toBe(false);
    fixture.health.finished(older, false);
    expect(fixture.mayUse()).toBe(false);
  });

  it('is closed by a probe that ends well, and tried again after one that says nothing', () => {
    openAndWait();
    fixture.health.finished(fixture.begin(), false);
    expect(fixture.mayUse()).toBe(true);
    fixture.succeed();
    fixture.begin();
    expect(fixture.mayUse()).toBe(true);
  });

  it('lets others in as soon as a probe that streams has brought content', () => {
    openAndWait();
    const probe = fixture.begin();
    expect(fixture.mayUse()).toBe(false);
    fixture.health.onFirstContent(probe);
    expect(fixture.mayUse()).toBe(true);
  });

  it('lets another probe go when one has not answered for long, and either closes it', () => {
    openAndWait();
    const slow = fixture.begin();
    fixture.nowMs += 9_999;
    expect(fixture.mayUse()).toBe(false);
    fixture.nowMs += 1;
    expect(fixture.mayUse()).toBe(true);
    fixture.begin();
    expect(fixture.mayUse()).toBe(false);
    fixture.health.onFirstContent(slow);
    expect(fixture.mayUse()).toBe(true);
  });

  it('opens again at once when a probe that has answered breaks off', () => {
    openAndWait();
    const probe = fixture.begin();
    fixture.health.onFirstContent(probe);
    fixture.fail(probe);
    expect(fixture.waitMs()).toBe(2_000);
  });

  it('is neither closed nor kept open by requests from before it opened', () => {
    const older = [fixture.begin(), fixture.begin()] as const;
    failTimes(FAILURES_MAX);
    fixture.succeed(older[0]);
    expect(fixture.waitMs()).toBe(1_000);
    fixture.fail(older[1]);
    expect(fixture.waitMs()).toBe(1_000);
  });
});

describe('the breaker for all accounts', () => {
  it('needs failures of several accounts, and more than one of each', () => {
    failTimes(100);
    expect(fixture.mayUse(ROUTE, 'a third')).toBe(true);
    failTimes(1, BEN);
    expect(fixture.mayUse(ROUTE, 'a third')).toBe(true);
    failTimes(1, BEN);
    expect(fixture.mayUse(ROUTE, 'a third')).toBe(false);
  });

  it('opens when many accounts fail once', () => {
    for (let count = 0; count < FAILURES_MAX; count += 1) failTimes(1, `account ${count}`);
    expect(fixture.mayUse(ROUTE, BEN)).toBe(false);
  });

  it('counts nothing from before a success of any account', () => {
    failTimes(3);
    fixture.succeed(fixture.begin(ROUTE, BEN));
    failTimes(2, BEN);
    expect(fixture.mayUse(ROUTE, 'a third')).toBe(true);
  });

  it('is not kept open by the failing probes of one account', () => {
    failTimes(3);
    failTimes(2, BEN);
    fixture.nowMs += 1_000;
    fixture.fail(fixture.begin(ROUTE, ANNA));
    expect(fixture.mayUse(ROUTE, ANNA)).toBe(false);
    expect(fixture.mayUse(ROUTE, BEN)).toBe(true);
    fixture.succeed(fixture.begin(ROUTE, BEN));
    expect(fixture.mayUse(ROUTE, 'a third')).toBe(true);
  });

  it('opens again when the probes of two accounts have failed', () => {
    failTimes(3);
    failTimes(2, BEN);
    fixture.nowMs += 1_000;
    fixture.fail(fixture.begin(ROUTE, ANNA));
    fixture.fail(fixture.begin(ROUTE, BEN));
    expect(fixture.waitMs(ROUTE, 'a third')).toBe(2_000);
  });

  it('leaves the next probe to others after one that hangs', () => {
    failTimes(3);
    failTimes(2, BEN);
    fixture.nowMs += 1_000;
    fixture.begin(ROUTE, ANNA);
    fixture.nowMs += 10_000;
    expect(fixture.mayUse(ROUTE, ANNA)).toBe(false);
    expect(fixture.mayUse(ROUTE, BEN)).toBe(true);
  });
});

describe('the breaker of a channel', () => {
  const other = healthRoute('another');
  const third = healthRoute('a third');

  it('needs failures of several models and of several accounts', () => {
    failTimes(3, ANNA, other);
    failTimes(3, ANNA, ROUTE);
    expect(fixture.mayUse(third, BEN)).toBe(true);
    failTimes(3, BEN, other);
    expect(fixture.mayUse(third, BEN)).toBe(false);
    expect(fixture.health.report('channel').state).toBe('open');
  });

  it('does not open for one broken model, however many accounts ask for it', () => {
    for (let count = 0; count < 20; count += 1) failTimes(1, `account ${count}`, other);
    expect(fixture.mayUse(other, BEN)).toBe(false);
    expect(fixture.mayUse(ROUTE, BEN)).toBe(true);
  });

  it('opens for all accounts when it cannot be reached', () => {
    for (let count = 0; count < FAILURES_MAX; count += 1) {
      const attempt = fixture.begin();
      fixture.health.unreachable(attempt);
      fixture.health.finished(attempt, false);
    }
    expect(fixture.mayUse(third, BEN)).toBe(false);
    fixture.nowMs += 1_000;
    const probe = fixture.begin(third, BEN);
    expect(fixture.mayUse(third, BEN)).toBe(false);
    fixture.health.onHeaders(probe);
    expect(fixture.mayUse(third, BEN)).toBe(true);
  });

  it('is what an operator sees once nothing is served, also to one account alone', () => {
    for (let count = 0; count < FAILURES_MAX; count += 1) {
      fixture.health.noteFailure('channel', { httpStatus: 500, message: 'no' });
      fixture.fail();
    }
    expect(fixture.health.report('channel')).toMatchObject({
      state: 'open',
      retryAtMs: fixture.nowMs + 1_000,
      limitedModels: [{ upstreamModel: 'model', reason: 'failing' }],
    });
    fixture.nowMs += 1_000;
    expect(fixture.health.report('channel').state).toBe('half_open');
    fixture.succeed();
    expect(fixture.health.report('channel').state).toBe('closed');
  });
});

describe('an unresponsive channel', () => {
  const silent = (): boolean => fixture.health.isUnresponsive('channel');

  it('is one where enough wait all the time and none gets a reply; they may still be sent', () => {
    for (let attempts = 1; attempts < FAILURES_MAX; attempts += 1) fixture.begin();
    fixture.nowMs += MINUTE_MS;
    expect(silent()).toBe(false);
    fixture.begin();
    fixture.nowMs += MINUTE_MS - 1;
    expect(silent()).toBe(false);
    fixture.nowMs += 1;
    expect(silent()).toBe(true);
    expect(fixture.health.report('channel')).toMatchObject({ state: 'open', retryAtMs: null });
    expect(fixture.mayUse()).toBe(true);
  });

  it('is none after any head of a reply, nor for those that waited before it', () => {
    const attempts = Array.from({ length: FAILURES_MAX }, () => fixture.begin());
    fixture.nowMs += MINUTE_MS;
    for (const attempt of attempts.slice(-1)) fixture.health.onHeaders(attempt);
    expect(silent()).toBe(false);
    fixture.nowMs += MINUTE_MS;
    expect(silent()).toBe(false);
    expect(fixture.health.report('channel').state).toBe('closed');
  });

  it('is none when those that waited have gone: the channel is tried again', () => {
    const [first] = Array.from({ length: FAILURES_MAX }, () => fixture.begin());
    fixture.nowMs += MINUTE_MS;
    if (first !== undefined) fixture.health.finished(first, false);
    expect(silent()).toBe(false);
    // From now on, not from when the others began.
    fixture.begin();
    expect(silent()).toBe(false);
    fixture.nowMs += MINUTE_MS;
    expect(silent()).toBe(true);
  });

  it('does not count twice what was replied to before it ended', () => {
    const attempts = Array.from({ length: FAILURES_MAX }, () => fixture.begin());
    for (const attempt of attempts.slice(-1)) fixture.health.onHeaders(attempt);
    for (const attempt of attempts) fixture.health.finished(attempt, false);
    for (let count = 0; count < FAILURES_MAX; count += 1) fixture.begin();
    fixture.nowMs += MINUTE_MS;
    expect(silent()).toBe(true);
  });
});

it('counts what is in flight', () => {
  const one = healthRoute('model', { concurrencyMax: 1 });
  const attempt = fixture.begin();
  expect(fixture.mayUse(one)).toBe(false);
  expect(fixture.mayUse(healthRoute('model', { concurrencyMax: 2 }))).toBe(true);
  fixture.succeed(attempt);
  expect(fixture.mayUse(one)).toBe(true);
});
