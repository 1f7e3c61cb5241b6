import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  admit,
  type AdmissionOptions,
  type AdmissionRequest,
} from '../../../../gateway/data-plane/admission/admit.ts';
import {
  TokenCountThrottle,
  UNRATIONED_BYTES_MAX,
} from '../../../../gateway/data-plane/admission/token-count-throttle.ts';
import { refuseCount } from '../../../../gateway/data-plane/admission/refuse-hold.ts';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { LedgerHealth } from '../../../../gateway/ledger/ledger-health.ts';
import { SILENT_LOG } from '../../../../gateway/ledger/ledger-log.ts';
import type { HoldOutcome, HoldRequest, Ledger } from '../../../../gateway/ledger/ledger.ts';
import { compilePrices } from '../../../../gateway/pricing/compile-prices.ts';
import { payerOf, type PayerOverrides } from '../../../support/ledger/payer.ts';
import { requestId } from '../../ledger/support/fixtures.ts';

const SLICE_TOKENS = 2_048;
const REASONING_SLICE_TOKENS = 16_384;
const OUTPUT_TOKENS_MAX = 64_000;
const PROMPT_TOKENS = 900;

const prices = {
  inputNanoUsd: 1,
  cachedInputNanoUsd: 1,
  cacheWriteNanoUsd: 1,
  outputNanoUsd: 1,
  perCallNanoUsd: 0,
};
const model = {
  id: 'model',
  publicId: 'test-model',
  vendor: '',
  createdAtSeconds: 0,
  contextTokensMax: 128_000,
  outputTokensMax: OUTPUT_TOKENS_MAX,
  reasoning: false,
  prices,
  longContext: null,
};
const group = {
  id: 'group',
  name: 'group',
  ...{ active: true, isPublic: true },
  multiplierPpm: 1_000_000,
  ...{ rpm: null, tpm: null },
  modelIds: [model.id],
  protocols: null,
};
const offer = { model, group, prices: compilePrices(prices, group.multiplierPpm), routes: [] };

function requestOf(payer: PayerOverrides, asked: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    requestId: requestId(),
    payer: payerOf(payer),
    offer,
    promptTokensBound: 4_000,
    promptTokensEstimate: PROMPT_TOKENS,
    maxOutputTokens: null,
    outputLimitName: 'max_tokens',
    ...{ choices: 1, stream: false },
    countPrompt: () => Promise.resolve(PROMPT_TOKENS),
    bodyBytes: UNRATIONED_BYTES_MAX + 1,
    ...asked,
  };
}

/** Holds all that is asked, or answers what it is told to. */
function ledgerOf(told?: HoldOutcome): { ledger: Ledger; holds: HoldRequest[] } {
  const holds: HoldRequest[] = [];
  const hold = (request: HoldRequest): Promise<HoldOutcome> => {
    holds.push(request);
    return Promise.resolve(told ?? { code: 'held', heldNanoUsd: request.amountNanoUsd });
  };
  return { ledger: { hold } as Partial<Ledger> as Ledger, holds };
}

function optionsOf(ledger: Ledger): AdmissionOptions {
  return {
    ledger,
    holdTtlMs: 1_000,
    sliceTokens: SLICE_TOKENS,
    reasoningSliceTokens: REASONING_SLICE_TOKENS,
    tokenCountThrottle: new TokenCountThrottle(),
    ledgerHealth: new LedgerHealth(SILENT_LOG),
  };
}

async function tokensOf(payer: PayerOverrides, asked?: Partial<AdmissionRequest>): Promise<number> {
  const { ledger, holds } = ledgerOf();
  const options = optionsOf(ledger);
  expect(isRefusal(await admit(requestOf(payer, asked), options))).toBe(false);
  expect(holds).toHaveLength(1);
  return holds[0]?.tokens ?? -1;
}

describe('what a TPM limit is asked for', () => {
  it.each([
    ['an ordinary answer when the client names no maximum', {}, PROMPT_TOKENS + SLICE_TOKENS],
    ['the same for a stream', { stream: true }, PROMPT_TOKENS + SLICE_TOKENS],
    ['what the client names', { maxOutputTokens: 9_000 }, PROMPT_TOKENS + 9_000],
    ['all choices', { maxOutputTokens: 10, choices: 3 }, PROMPT_TOKENS + 30],
    [
      'no more than the model can say',
      { maxOutputTokens: 9_999_999 },
      PROMPT_TOKENS + OUTPUT_TOKENS_MAX,
    ],
  ])('is %s', async (_what, asked, tokens) => {
    expect(await tokensOf({}, asked)).toBe(tokens);
  });

  it.each([
    ['a key', { key: { tpm: 1_500 } }],
    ['a group', { key: { tpm: 1_000_000 }, group: { tpm: 1_500 } }],
  ])('fits into a minute of %s, however long the answer may be', async (_whose, payer) => {
    expect(await tokensOf(payer)).toBe(1_500);
    expect(await tokensOf(payer, { maxOutputTokens: 32_000 })).toBe(1_500);
  });

  it('is never less than the prompt: one that fits no minute is refused with what to do', async () => {
    const { ledger, holds } = ledgerOf({
      code: 'key_tpm_exceeded',
      retryAfterMs: null,
      affordableNanoUsd: 0,
    });
    const options = optionsOf(ledger);
    const refused = await admit(requestOf({ key: { tpm: 800 } }), options);
    expect(holds[0]?.tokens).toBe(PROMPT_TOKENS);
    expect(refused).toMatchObject({ refused: 'token_rate_limit_exceeded', retryAfterMs: null });
    expect(isRefusal(refused) && refused.message).toMatch(/prompt alone.*800 tokens a minute/);
  });
});

describe('what is held', () => {
  // A nanodollar for each token.
  const each = { ...prices, inputNanoUsd: 1_000_000, outputNanoUsd: 1_000_000 };
  const priced = { ...offer, prices: compilePrices(each, group.multiplierPpm) };
  const BOUND = 4_000;
  const LEAST = 16;

  it.each<[string, Partial<AdmissionRequest>, number, number]>([
    ['of a whole reply all that it may be', {}, OUTPUT_TOKENS_MAX, LEAST],
    ['of each of its choices', { choices: 3 }, 3 * OUTPUT_TOKENS_MAX, 3 * LEAST],
    ['of a stream a slice', { stream: true }, SLICE_TOKENS, LEAST],
    ['of each choice of it', { stream: true, choices: 3 }, 3 * SLICE_TOKENS, 3 * LEAST],
    ['all that the client names', { maxOutputTokens: 100 }, 100, 100],
    ['and for each choice', { maxOutputTokens: 100, choices: 3 }, 300, 300],
    [
      'but no more than the model can say',
      { maxOutputTokens: 9_999_999 },
      OUTPUT_TOKENS_MAX,
      OUTPUT_TOKENS_MAX,
    ],
  ])('is %s', async (_what, asked, most, least) => {
    const { ledger, holds } = ledgerOf();
    const held = await admit(requestOf({}, { offer: priced, ...asked }), optionsOf(ledger));
    expect(isRefusal(held)).toBe(false);
    expect(holds[0]).toMatchObject({ amountNanoUsd: BOUND + most, minimumNanoUsd: BOUND + least });
  });

  it('grows only with a stream that names no maximum', async () => {
    const openEnded = async (asked: Partial<AdmissionRequest>) => {
      const { ledger } = ledgerOf();
      const held = await admit(requestOf({}, { offer: priced, ...asked }), optionsOf(ledger));
      return 'openEnded' in held && held.openEnded;
    };
    expect(await openEnded({ stream: true })).toBe(true);
    expect(await openEnded({ stream: true, maxOutputTokens: 100 })).toBe(false);
    expect(await openEnded({})).toBe(false);
  });

  it('where it does not suffice, names the maximum that fits for each choice', async () => {
    const { ledger } = ledgerOf({
      code: 'insufficient_balance',
      retryAfterMs: null,
      affordableNanoUsd: PROMPT_TOKENS + 250,
    });
    const asked = { offer: priced, maxOutputTokens: 100, choices: 3 };
    const refused = await admit(requestOf({}, asked), optionsOf(ledger));
    expect(isRefusal(refused) && refused.message).toContain('It covers max_tokens = 83.');
  });
});

describe('a stream that names no maximum', () => {
  // The prompt is free, and a nanodollar pays for one token of the answer.
  const terms = { ...prices, inputNanoUsd: 0, cachedInputNanoUsd: 0, cacheWriteNanoUsd: 0 };
  const dear = { ...terms, outputNanoUsd: 1_000_000 };
  const askedOf = (changes: Partial<typeof model>): Partial<AdmissionRequest> => ({
    offer: {
      ...offer,
      model: { ...model, prices: dear, ...changes },
      prices: compilePrices(dear, group.multiplierPpm),
    },
    stream: true,
  });
  const admitStream = async (
    asked: Partial<AdmissionRequest>,
    told?: HoldOutcome,
  ): Promise<{ admitted: unknown; amounts: number[] }> => {
    const { ledger, holds } = ledgerOf(told);
    const admitted = await admit(requestOf({}, asked), optionsOf(ledger));
    return { admitted, amounts: holds.map(({ amountNanoUsd }) => amountNanoUsd) };
  };

  it('holds a slice, and its upstream hears of no limit', async () => {
    const { admitted, amounts } = await admitStream(askedOf({}));
    expect(amounts).toEqual([SLICE_TOKENS]);
    expect(admitted).toMatchObject({ outputTokensCap: null, openEnded: true });
  });

  it('holds more of a model that thinks before it answers', async () => {
    const { admitted, amounts } = await admitStream(askedOf({ reasoning: true }));
    expect(amounts).toEqual([REASONING_SLICE_TOKENS]);
    expect(admitted).toMatchObject({ outputTokensCap: null, openEnded: true });
  });

  it('never holds more than the model can say', async () => {
    const { amounts } = await admitStream(askedOf({ reasoning: true, outputTokensMax: 1_000 }));
    expect(amounts).toEqual([1_000]);
  });

  it.each([false, true])(
    'is capped by its upstream to what the last of the money affords (reasoning: %s)',
    async (reasoning) => {
      const asked = { ...askedOf({ reasoning }), choices: 3 };
      const { admitted } = await admitStream(asked, { code: 'held', heldNanoUsd: 1_000 });
      expect(admitted).toMatchObject({ outputTokensCap: 333, outputTokensHeldTotal: 1_000 });
    },
  );
});

describe.each(['insufficient_balance', 'key_budget_exceeded'] as const)(
  'when %s says that the bound does not fit',
  (code) => {
    const dear = { inputNanoUsd: 1_000_000, outputNanoUsd: 1_000_000 };
    const each = { ...prices, ...dear };
    const asked = {
      offer: {
        ...offer,
        model: { ...model, prices: each },
        prices: compilePrices(each, group.multiplierPpm),
      },
      maxOutputTokens: 100,
    };

    /** Has so much left, and says so until less is asked for. */
    function ledgerWithBalance(affordableNanoUsd: number): { ledger: Ledger; amounts: number[] } {
      const amounts: number[] = [];
      const hold = ({ amountNanoUsd, minimumNanoUsd }: HoldRequest): Promise<HoldOutcome> => {
        amounts.push(amountNanoUsd);
        if (minimumNanoUsd > affordableNanoUsd) {
          return Promise.resolve({ code, retryAfterMs: null, affordableNanoUsd });
        }
        return Promise.resolve({
          code: 'held',
          heldNanoUsd: Math.min(amountNanoUsd, affordableNanoUsd),
        });
      };
      return { ledger: { hold } as Partial<Ledger> as Ledger, amounts };
    }

    const admitWith = (ledger: Ledger) => admit(requestOf({}, asked), optionsOf(ledger));

    it('the prompt is counted, and admitted when it fits as it is', async () => {
      const { ledger, amounts } = ledgerWithBalance(PROMPT_TOKENS + 100);
      expect(await admitWith(ledger)).toMatchObject({ promptTokens: PROMPT_TOKENS });
      expect(amounts).toEqual([4_100, PROMPT_TOKENS + 100]);
    });

    it('the account’s next prompt is not counted meanwhile, and is told when it may be', async () => {
      const { ledger } = ledgerWithBalance(PROMPT_TOKENS + 100);
      const payer = { account: { id: randomUUID() } };
      const { promise, resolve } = Promise.withResolvers<number>();
      const options = optionsOf(ledger);
      const first = admit(requestOf(payer, { ...asked, countPrompt: () => promise }), options);
      const second = await admit(requestOf(payer, asked), options);
      expect(second).toMatchObject({ refused: 'rate_limit_exceeded', retryAfterMs: 1_000 });
      expect(isRefusal(second) && second.message).toContain('0.000001 USD');
      resolve(PROMPT_TOKENS);
      expect(await first).toMatchObject({ promptTokens: PROMPT_TOKENS });
      expect(await admit(requestOf(payer, asked), options)).not.toHaveProperty('refused');
    });

    it('small prompts are counted all at once, and each is told what the balance is', async () => {
      const { ledger } = ledgerWithBalance(PROMPT_TOKENS + 99);
      const payer = { account: { id: randomUUID() } };
      const options = optionsOf(ledger);
      const small = { ...asked, bodyBytes: UNRATIONED_BYTES_MAX };
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => admit(requestOf(payer, small), options)),
      );
      for (const outcome of outcomes) expect(outcome).toMatchObject({ refused: code });
    });

    it('a long count that was for nothing makes the account wait, but not a long wait for a worker', async () => {
      vi.useFakeTimers({ toFake: ['performance'] });
      onTestFinished(() => void vi.useRealTimers());
      const options = optionsOf(ledgerWithBalance(PROMPT_TOKENS + 99).ledger);
      const payer = { account: { id: randomUUID() } };
      const taking = (waitMs: number, countMs: number): Promise<unknown> => {
        const countPrompt = (onBegun?: () => void): Promise<number> => {
          vi.advanceTimersByTime(waitMs);
          onBegun?.();
          vi.advanceTimersByTime(countMs);
          return Promise.resolve(PROMPT_TOKENS);
        };
        return admit(requestOf(payer, { ...asked, countPrompt }), options);
      };
      expect(await taking(9_000, 1_000)).toMatchObject({ refused: code });
      expect(await taking(9_000, 6_000)).toMatchObject({ refused: code });
      // Ten times six seconds, half a minute of it free; what the first cost has been rested
      // meanwhile.
      const refusal = { refused: 'rate_limit_exceeded', retryAfterMs: 30_000 };
      expect(await taking(0, 0)).toMatchObject(refusal);
    });

    it.each([
      ['as one where other vendors may count it as such', PROMPT_TOKENS, PROMPT_TOKENS + 1],
      ['as one where it is one', PROMPT_TOKENS - 1, PROMPT_TOKENS],
      ['as it is where it is far from that', PROMPT_TOKENS * 1.5, PROMPT_TOKENS],
      ['as it is where its bytes cannot be so many', 4_000, PROMPT_TOKENS],
    ])('a nearly long prompt is held for %s', async (_what, aboveTokens, promptTokens) => {
      const long = { aboveTokens, prices: { ...each, inputNanoUsd: 2_000_000 } };
      const tiers = compilePrices(each, group.multiplierPpm, long);
      const request = { ...asked, offer: { ...asked.offer, prices: tiers } };
      const { ledger } = ledgerWithBalance(2_000);
      const held = await admit(requestOf({}, request), optionsOf(ledger));
      expect(held).toMatchObject({ promptTokens });
    });

    it('it is refused for that when it does not fit either', async () => {
      const { ledger, amounts } = ledgerWithBalance(PROMPT_TOKENS + 99);
      expect(await admitWith(ledger)).toMatchObject({ refused: code });
      expect(amounts).toHaveLength(1);
    });
  },
);

describe('who has a plan and too little money', () => {
  const planned = {
    subscriptions: [
      { id: 'plan', startedAtMs: 0, endsAtMs: Infinity, allowances: [] },
    ] satisfies PayerOverrides['subscriptions'],
  };
  const messageFor = async (
    payer: PayerOverrides,
    { retryAfterMs, ...asked }: Partial<AdmissionRequest> & { retryAfterMs: number | null },
  ): Promise<string> => {
    const told = {
      code: 'insufficient_balance',
      retryAfterMs,
      affordableNanoUsd: 2_000_000,
    } as const;
    const dear = { ...prices, inputNanoUsd: 1_000_000_000, outputNanoUsd: 1_000_000_000 };
    const dearOffer = { ...offer, prices: compilePrices(dear, group.multiplierPpm) };
    const options = optionsOf(ledgerOf(told).ledger);
    const refused = await admit(requestOf(payer, { offer: dearOffer, ...asked }), options);
    return isRefusal(refused) ? refused.message : '';
  };

  it('is told what is left of both, and to wait where that helps', async () => {
    const asked = { maxOutputTokens: 2_000, retryAfterMs: 60_000 };
    expect(await messageFor(planned, asked)).toBe(
      'What is left of your balance and plans (0.002 USD) does not cover max_tokens = 2000 of test-model. It covers max_tokens = 1100. Lower max_tokens or top up in the console, or wait until your plan’s allowance starts again.',
    );
    const large = { countPrompt: () => Promise.resolve(3_000) };
    expect(await messageFor(planned, { ...large, retryAfterMs: null })).toBe(
      'What is left of your balance and plans (0.002 USD) does not cover this request to test-model. Top up or activate a plan in the console.',
    );
  });

  it('is told of a balance only where there is nothing else', async () => {
    expect(await messageFor({}, { maxOutputTokens: 2_000, retryAfterMs: null })).toBe(
      'The balance (0.002 USD available) does not cover max_tokens = 2000 of test-model. It covers max_tokens = 1100. Lower max_tokens or top up in the console.',
    );
  });

  it('is told the same where the prompt may not be counted now', () => {
    const bounded = {
      code: 'insufficient_balance',
      retryAfterMs: null,
      affordableNanoUsd: 1,
    } as const;
    expect(refuseCount(bounded, payerOf(planned), 1_000).message).toMatch(
      /^What is left of your balance and plans \(0\.000000001 USD\) may not cover/,
    );
  });
});

it('says that usage waits where that is why no hold is taken, and notes every cause', async () => {
  const { ledger } = ledgerOf({ code: 'ledger_unavailable', cause: 'usage_backlog' });
  const options = optionsOf(ledger);
  const noted = vi.spyOn(options.ledgerHealth, 'recordFailure');
  const message: unknown = expect.stringMatching(/^The backlog of usage records/);
  expect(await admit(requestOf({}), options)).toMatchObject({ message, retryAfterMs: 1_000 });
  expect(noted).toHaveBeenCalledWith('usage_backlog');
});
