import { beforeEach, describe, expect, it } from 'vitest';
import {
  ASK_AGAIN_MS_MAX,
  HoldMeter,
  STANDSTILL_MS_MAX,
} from '../../../../gateway/data-plane/admission/hold-meter.ts';
import type { ExtendOutcome, ExtendRequest } from '../../../../gateway/ledger/ledger.ts';
import { compilePrices } from '../../../../gateway/pricing/compile-prices.ts';
import { payerOf } from '../../../support/ledger/payer.ts';

const SLICE = 100;
const HELD = 100;
/** One nanodollar per output token, so that amounts are tokens. */
const PRICES = compilePrices(
  {
    inputNanoUsd: 0,
    cachedInputNanoUsd: 0,
    cacheWriteNanoUsd: 0,
    outputNanoUsd: 1_000_000,
    perCallNanoUsd: 0,
  },
  1_000_000,
);
const AWAY: ExtendOutcome = { code: 'ledger_unavailable', cause: 'the test says so' };
const SHORT: ExtendOutcome = { code: 'insufficient_balance', affordableNanoUsd: 0 };

/** A ledger that gives the prepared answers in turn, then grants whatever is asked for. */
class ScriptedLedger {
  readonly asked: ExtendRequest[] = [];
  answers: ExtendOutcome[] = [];
  held = HELD;

  extend(request: ExtendRequest): Promise<ExtendOutcome> {
    this.asked.push(request);
    const answer = this.answers.shift();
    if (answer !== undefined) return Promise.resolve(answer);
    this.held += request.amountNanoUsd;
    return Promise.resolve({ code: 'extended', heldNanoUsd: this.held });
  }
}

describe('a hold’s meter', () => {
  let ledger: ScriptedLedger;
  let meter: HoldMeter;
  let nowMs: number;
  let told: number;

  beforeEach(() => {
    ledger = new ScriptedLedger();
    nowMs = 1_000_000;
    told = 0;
    meter = open(true);
  });

  function open(
    openEnded: boolean,
    outputTokensMaxTotal = 100_000,
    { prices = PRICES, promptTokens = 0 } = {},
  ): HoldMeter {
    const opened = new HoldMeter({
      ledger,
      requestId: 'request',
      payer: payerOf(),
      prices,
      admitted: {
        heldNanoUsd: HELD,
        outputTokensHeldTotal: HELD,
        outputTokensCap: null,
        openEnded,
        promptTokens,
      },
      holdTtlMs: 120_000,
      sliceTokensTotal: SLICE,
      outputTokensMaxTotal,
      nowMs,
    });
    opened.onAnswer(() => (told += 1));
    return opened;
  }

  const state = () => ({ mustWait: meter.mustWait, stopCode: meter.stopCode });

  /** The ledger has answered and all that follows from it has happened. */
  const answered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** Lets time pass as the ticker does, second by second. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1_000) {
      nowMs += 1_000;
      meter.tick(nowMs);
      await answered();
    }
  }

  it('asks a ledger that was away again, for the same extension, and goes on', async () => {
    ledger.answers = [AWAY, AWAY];
    meter.delivered(HELD / 2);
    await answered();
    expect(state()).toEqual({ mustWait: false, stopCode: null });
    await pass(5_000);
    expect(ledger.asked.map(({ extension }) => extension)).toEqual([1, 1, 1]);
    meter.delivered(HELD);
    expect(state()).toEqual({ mustWait: false, stopCode: null });
  });

  it('asks with growing pauses', async () => {
    ledger.answers = Array.from({ length: 100 }, () => AWAY);
    meter.delivered(HELD / 2);
    await answered();
    const times: number[] = [];
    for (let second = 1; second <= 40; second += 1) {
      const before = ledger.asked.length;
      await pass(1_000);
      if (ledger.asked.length > before) times.push(second);
    }
    expect(times).toEqual([2, 5, 10, 19, 28, 37]);
  });

  it('stands still at the hold’s end while the ledger is away, and goes on when it is back', async () => {
    ledger.answers = [AWAY, AWAY];
    meter.delivered(HELD);
    expect(meter.mustWait).toBe(true);
    await answered();
    expect(state()).toEqual({ mustWait: true, stopCode: null });
    await pass(5_000);
    expect(state()).toEqual({ mustWait: false, stopCode: null });
    expect(told).toBeGreaterThan(0);
  });

  it('ends a reply that has stood still so long for the ledger, not for the balance', async () => {
    ledger.answers = Array.from({ length: 100 }, () => AWAY);
    meter.delivered(HELD / 2);
    await answered();
    // While the hold covers what is delivered, the ledger may stay away for as long as it likes.
    await pass(2 * STANDSTILL_MS_MAX);
    expect(state()).toEqual({ mustWait: false, stopCode: null });
    meter.delivered(HELD + 1);
    await pass(STANDSTILL_MS_MAX);
    expect(state()).toEqual({ mustWait: true, stopCode: null });
    const toldBefore = told;
    await pass(1_000 + ASK_AGAIN_MS_MAX);
    expect(state()).toEqual({ mustWait: false, stopCode: 'ledger_unavailable' });
    expect(told).toBeGreaterThan(toldBefore);
  });

  it('counts each standstill by itself', async () => {
    ledger.answers = [AWAY];
    meter.delivered(HELD);
    await pass(3_000);
    expect(meter.mustWait).toBe(false);
    ledger.answers = [AWAY, AWAY, AWAY];
    meter.delivered(ledger.held);
    nowMs += STANDSTILL_MS_MAX;
    await pass(2_000);
    expect(state()).toEqual({ mustWait: true, stopCode: null });
  });

  it.each(['insufficient_balance', 'key_budget_exceeded'] as const)(
    'ends the reply at the hold’s end when the ledger says %s',
    async (code) => {
      ledger.answers = [{ code, affordableNanoUsd: 0 }];
      meter.delivered(HELD / 2);
      await answered();
      expect(meter.stopCode).toBeNull();
      meter.delivered(HELD);
      expect(state()).toEqual({ mustWait: false, stopCode: code });
      await pass(10_000);
      expect(ledger.asked).toHaveLength(1);
    },
  );

  it.each(['hold_not_found', 'request_closed'] as const)(
    'ends the reply at once when the ledger says %s: nothing covers it any more',
    async (code) => {
      ledger.answers = [{ code }];
      meter.delivered(HELD / 2);
      await answered();
      expect(state()).toEqual({ mustWait: false, stopCode: 'ledger_unavailable' });
      expect(told).toBe(1);
    },
  );

  it('lets nothing pass that a part of what was asked for does not cover', async () => {
    ledger.answers = [{ code: 'extended', heldNanoUsd: HELD + 5 }, SHORT];
    meter.delivered(HELD + 10);
    expect(meter.mustWait).toBe(true);
    await answered();
    expect(ledger.asked).toHaveLength(2);
    expect(state()).toEqual({ mustWait: false, stopCode: 'insufficient_balance' });
  });

  it.each([
    ['all that the client asked for', () => open(false)],
    ['all that the model can say', () => open(true, HELD)],
  ])(
    'ends a reply whose hold covers %s when it goes on for far longer',
    async (_what, openFull) => {
      meter = openFull();
      // As estimates go, that may be a row of dashes or a sentence in Hindi.
      meter.delivered(5 * HELD + 512);
      expect(state()).toEqual({ mustWait: false, stopCode: null });
      meter.delivered(5 * HELD + 513);
      expect(state()).toEqual({ mustWait: false, stopCode: 'output_limit' });
      await answered();
      expect(ledger.asked).toHaveLength(0);
    },
  );

  it('asks for what output costs after a long prompt where the hold is for one', async () => {
    const { listed } = PRICES;
    const prices = compilePrices(listed, 1_000_000, {
      aboveTokens: 10,
      prices: { ...listed, outputNanoUsd: 2_000_000 },
    });
    meter = open(true, undefined, { prices, promptTokens: 11 });
    meter.delivered(HELD / 2);
    expect(ledger.asked).toMatchObject([{ amountNanoUsd: 2 * SLICE, minimumNanoUsd: 2 }]);
    await answered();
    // What was held is worth half as many tokens as it was held for.
    meter.delivered((HELD + 2 * SLICE) / 2);
    expect(meter.mustWait).toBe(true);
    await answered();
  });

  it('renews the hold’s time at half of it', async () => {
    await pass(59_000);
    expect(ledger.asked).toHaveLength(0);
    await pass(2_000);
    expect(ledger.asked).toMatchObject([{ extension: 1, amountNanoUsd: 0, ttlMs: 120_000 }]);
  });
});
