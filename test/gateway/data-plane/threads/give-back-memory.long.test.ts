import { getHeapSpaceStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { giveBackMemory } from '../../../../gateway/data-plane/threads/give-back-memory.ts';

function youngBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return young?.physical_space_size ?? 0;
}

/**
 * Keeps enough alive for a while that V8 lets its young generation grow, as reading many modules
 * does.
 */
function growYoungGeneration(): void {
  let kept: object[] = [];
  for (let index = 0; index < 1_000_000; index += 1) {
    kept.push({ index });
    if (kept.length > 50_000) kept = [];
  }
}

describe('giveBackMemory', () => {
  it('shrinks the young generation, which V8 does not do by itself while there is work', () => {
    growYoungGeneration();
    const before = youngBytes();
    giveBackMemory();
    expect(youngBytes()).toBeLessThan(before / 4);
  });
});
