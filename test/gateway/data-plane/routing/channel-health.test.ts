import { beforeEach, describe, expect, it } from 'vitest';
import { ChannelHealth } from '../../../../gateway/data-plane/routing/channel-health.ts';

const CHANNEL = 'channel';
const MODEL = 'model';
const FAILURES_MAX = 5;
const MINUTE_MS = 60_000;

let nowMs: number;
let health: ChannelHealth;

beforeEach(() => {
  nowMs = 1_000_000;
  health = new ChannelHealth(() => nowMs);
});

function mayUse(): boolean {
  return health.mayUse(CHANNEL, MODEL, null);
}

function begin(): number {
  return health.started(CHANNEL, MINUTE_MS);
}

function fail(attempt = begin()): void {
  health.finished(CHANNEL, attempt, 'failed');
}

function succeed(attempt = begin()): void {
  health.finished(CHANNEL, attempt, 'succeeded');
}

function limit(attempt: number, retryAfterMs: number | null): void {
  health.limit(CHANNEL, MODEL, retryAfterMs);
  health.finished(CHANNEL, attempt, 'limited');
}

/** Fails until the breaker opens, and waits until the channel may be probed. */
function restAndWait(): void {
  for (let failures = 0; failures < FAILURES_MAX; failures += 1) fail();
  expect(health.state(CHANNEL)).toBe('open');
  nowMs += MINUTE_MS;
  expect(health.state(CHANNEL)).toBe('half_open');
}

describe('a cooldown', () => {
  it('lasts as long as the 429 asked, whatever older requests come to', () => {
    const older = begin();
    limit(begin(), MINUTE_MS);
    nowMs += 50;
    succeed(older);
    const untilMs = nowMs - 50 + MINUTE_MS;
    expect(health.report(CHANNEL)).toMatchObject({
      state: 'closed',
      retryAtMs: null,
      limitedModels: [{ upstreamModel: MODEL, untilMs, reason: 'limited' }],
    });
    expect(mayUse()).toBe(false);
    expect(health.unavailableForMs(CHANNEL, MODEL)).toBe(MINUTE_MS - 50);
    nowMs += MINUTE_MS - 50;
    expect(health.report(CHANNEL).limitedModels).toEqual([]);
    expect(mayUse()).toBe(true);
  });

  it('is of its model alone', () => {
    limit(begin(), MINUTE_MS);
    expect(health.mayUse(CHANNEL, 'another', null)).toBe(true);
    expect(health.unavailableForMs(CHANNEL, 'another')).toBe(0);
  });

  it('is forgotten when it is over, also of a model that nobody asks for again', () => {
    for (let count = 0; count < 100; count += 1) {
      health.limit(CHANNEL, `model-${count}`, 1_000);
      nowMs += 1_000;
    }
    limit(begin(), 1_000);
    expect(health.report(CHANNEL).limitedModels).toHaveLength(1);
  });

  it('is over at its time: two requests may run side by side after it', () => {
    limit(begin(), null);
    nowMs += 1_000;
    begin();
    expect(mayUse()).toBe(true);
    begin();
    expect(mayUse()).toBe(true);
  });

  it('is not made shorter by a later 429, nor longer than can be believed', () => {
    const second = begin();
    limit(begin(), 24 * 60 * MINUTE_MS);
    limit(second, 0);
    expect(health.unavailableForMs(CHANNEL, MODEL)).toBe(10 * MINUTE_MS);
  });

  it('neither opens the breaker nor closes it', () => {
    for (let count = 0; count < FAILURES_MAX; count += 1) limit(begin(), 0);
    expect(health.state(CHANNEL)).toBe('closed');
    restAndWait();
    limit(begin(), 1_000);
    nowMs += 1_000;
    expect(health.state(CHANNEL)).toBe('half_open');
  });
});

describe('the breaker', () => {
  it('opens after failures in a row, and longer after each probe that fails', () => {
    for (let failures = 1; failures < FAILURES_MAX; failures += 1) fail();
    succeed();
    restAndWait();
    fail();
    expect(health.unavailableForMs(CHANNEL, MODEL)).toBe(2_000);
    nowMs += 2_000;
    fail();
    expect(health.unavailableForMs(CHANNEL, MODEL)).toBe(4_000);
  });

  it('lets one probe through at a time, whatever else ends meanwhile', () => {
    const older = begin();
    restAndWait();
    begin();
    expect(mayUse()).toBe(false);
    health.finished(CHANNEL, older, 'unknown');
    expect(mayUse()).toBe(false);
  });

  it('is closed by a probe that ends well, and tried again after one that says nothing', () => {
    restAndWait();
    health.finished(CHANNEL, begin(), 'unknown');
    expect(health.state(CHANNEL)).toBe('half_open');
    expect(mayUse()).toBe(true);
    succeed();
    expect(health.state(CHANNEL)).toBe('closed');
  });

  it('lets others in as soon as a probe that streams has brought content', () => {
    restAndWait();
    const probe = begin();
    expect(mayUse()).toBe(false);
    health.onFirstContent(CHANNEL, probe);
    expect(mayUse()).toBe(true);
    expect(health.state(CHANNEL)).toBe('closed');
  });

  it('lets another probe go when one has not answered for long, and either closes it', () => {
    restAndWait();
    const slow = begin();
    nowMs += 9_999;
    expect(mayUse()).toBe(false);
    nowMs += 1;
    expect(mayUse()).toBe(true);
    begin();
    expect(mayUse()).toBe(false);
    health.onFirstContent(CHANNEL, slow);
    expect(health.state(CHANNEL)).toBe('closed');
    expect(mayUse()).toBe(true);
  });

  it('opens again at once when a probe that has answered breaks off', () => {
    restAndWait();
    const probe = begin();
    health.onFirstContent(CHANNEL, probe);
    fail(probe);
    expect(health.unavailableForMs(CHANNEL, MODEL)).toBe(2_000);
  });

  it('is neither closed nor kept open by requests from before the rest', () => {
    const older = [begin(), begin()] as const;
    restAndWait();
    health.onFirstContent(CHANNEL, older[0]);
    succeed(older[0]);
    expect(health.state(CHANNEL)).toBe('half_open');
    fail(older[1]);
    expect(health.state(CHANNEL)).toBe('half_open');
  });
});

describe('silence', () => {
  const silent = (): boolean => health.isUnresponsive(CHANNEL);

  it('is when enough wait all the time and none hears a word, and keeps none of them from being sent', () => {
    for (let attempts = 1; attempts < FAILURES_MAX; attempts += 1) begin();
    nowMs += MINUTE_MS;
    expect(silent()).toBe(false);
    begin();
    nowMs += MINUTE_MS - 1;
    expect(silent()).toBe(false);
    nowMs += 1;
    expect(silent()).toBe(true);
    expect(health.report(CHANNEL)).toMatchObject({ state: 'open', retryAtMs: null });
    expect(mayUse()).toBe(true);
  });

  it('is over with any word, and is not of those that waited before it', () => {
    for (let attempts = 0; attempts < FAILURES_MAX; attempts += 1) begin();
    nowMs += MINUTE_MS;
    health.onHeaders(CHANNEL);
    expect(silent()).toBe(false);
    nowMs += MINUTE_MS;
    expect(silent()).toBe(false);
    expect(health.state(CHANNEL)).toBe('closed');
  });

  it('is over when those that waited have gone: the channel is tried again', () => {
    const attempts = Array.from({ length: FAILURES_MAX }, begin);
    nowMs += MINUTE_MS;
    health.finished(CHANNEL, attempts[0] ?? 0, 'unknown');
    expect(silent()).toBe(false);
    // From now on, not from when the others began.
    begin();
    expect(silent()).toBe(false);
    nowMs += MINUTE_MS;
    expect(silent()).toBe(true);
  });

  it('does not count twice what was heard before it ended', () => {
    const attempts = Array.from({ length: FAILURES_MAX }, begin);
    health.onHeaders(CHANNEL);
    for (const attempt of attempts) health.finished(CHANNEL, attempt, 'unknown');
    for (let count = 0; count < FAILURES_MAX; count += 1) begin();
    nowMs += MINUTE_MS;
    expect(silent()).toBe(true);
  });
});

it('counts what is in flight', () => {
  const attempt = begin();
  expect(health.mayUse(CHANNEL, MODEL, 1)).toBe(false);
  expect(health.mayUse(CHANNEL, MODEL, 2)).toBe(true);
  succeed(attempt);
  expect(health.mayUse(CHANNEL, MODEL, 1)).toBe(true);
});
