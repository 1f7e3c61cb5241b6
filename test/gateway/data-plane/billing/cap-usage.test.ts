import { describe, expect, it } from 'vitest';
import type { MeterCounts } from '@weir/shared/prices/meters';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { capUsage } from '../../../../gateway/data-plane/billing/cap-usage.ts';

const LIMITS = {
  promptTokensMax: 1_000,
  outputTokensMax: 100,
  choices: 2,
  isPriced: () => true,
};
const COUNTS: TokenCounts = {
  input: 100,
  cachedInput: 20,
  cacheWrite: 30,
  output: 50,
  reasoning: 10,
};

function capped(extra: MeterCounts, limits: Partial<typeof LIMITS> = {}) {
  return capUsage({ ...COUNTS, extra }, { ...LIMITS, ...limits });
}

describe('what meters count', () => {
  it('is billed as reported while it is possible', () => {
    const extra = {
      cacheWrite1h: 40,
      audioInput: 10,
      audioOutput: 30,
      imageOutput: 20,
      webSearch: 3,
    };
    expect(capped(extra)).toEqual({ counts: { ...COUNTS, extra }, capped: false });
  });

  it('is no more than its whole, less what else is part of that', () => {
    expect(capped({ cacheWrite1h: 40, audioInput: 11 })).toEqual({
      counts: { ...COUNTS, extra: { cacheWrite1h: 40, audioInput: 10 } },
      capped: true,
    });
    expect(capped({ audioOutput: 30, imageOutput: 21.5 })).toEqual({
      counts: { ...COUNTS, extra: { audioOutput: 30, imageOutput: 20 } },
      capped: true,
    });
  });

  it('is no more calls than a hold covers', () => {
    expect(capped({ webSearch: 1e9 })).toEqual({
      counts: { ...COUNTS, extra: { webSearch: 10 } },
      capped: true,
    });
  });

  it('is no more images than were asked for', () => {
    const units = { meter: 'image', count: 2 } as const;
    const extra = { image: 3, variant: 'high' };
    const counts = { ...COUNTS, extra: { image: 2, variant: 'high' } };
    expect(capUsage({ ...COUNTS, extra }, { ...LIMITS, units })).toEqual({ counts, capped: true });
    expect(capped(extra)).toEqual({ counts: COUNTS, capped: true });
  });

  it('leaves out calls without a price, and tells of them', () => {
    const result = capped({ webSearch: 2 }, { isPriced: () => false });
    expect(result).toEqual({ counts: COUNTS, capped: true });
    expect(capped({ cacheWrite1h: 5 }, { isPriced: () => false })).toEqual({
      counts: { ...COUNTS, extra: { cacheWrite1h: 5 } },
      capped: false,
    });
  });

  it.each([-1, Number.NaN, 0.5])('is nothing where %s is reported', (count) => {
    expect(capped({ audioInput: count })).toEqual({ counts: COUNTS, capped: true });
  });

  it('takes no place in the record where it is nothing', () => {
    expect(capped({ audioInput: 0, webSearch: 0 })).toEqual({ counts: COUNTS, capped: false });
    expect(Object.keys(capped({}).counts)).not.toContain('extra');
  });
});
