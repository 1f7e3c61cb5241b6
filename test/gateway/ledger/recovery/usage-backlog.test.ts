import { describe, expect, it } from 'vitest';
import { UsageBacklog } from '../../../../gateway/ledger/redis/recovery/usage-backlog.ts';

describe('the backlog of usage', () => {
  const counted = (counts: readonly number[], everyMs = 1_000): UsageBacklog => {
    const backlog = new UsageBacklog(10_000);
    for (const [index, records] of counts.entries()) backlog.counted(records, index * everyMs);
    return backlog;
  };

  it('is not exceeded by what was there at the start, up to the limit itself', () => {
    expect(counted([10_000]).exceeded).toBe(false);
    expect(counted([10_001]).exceeded).toBe(true);
  });

  it('is exceeded a second before its growth would exceed it', () => {
    expect(counted([7_000, 8_000, 9_000]).exceeded).toBe(false);
    expect(counted([7_000, 8_000, 9_001]).exceeded).toBe(true);
  });

  it('takes its growth by the time between counts', () => {
    expect(counted([5_000, 8_000], 3_000).exceeded).toBe(false);
    expect(counted([5_000, 8_000], 1_000).exceeded).toBe(true);
  });

  it('stays exceeded while requests are refused and nothing is drained, and not when half of it has gone', () => {
    expect(counted([8_000, 9_500, 9_500, 9_500]).exceeded).toBe(true);
    expect(counted([8_000, 9_500, 9_500, 4_000]).exceeded).toBe(false);
  });
});
