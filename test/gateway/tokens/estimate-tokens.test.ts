import { describe, expect, it } from 'vitest';
import { takeTurns } from '../../support/machine/take-turns.ts';
import { countTextTokens } from '../../../gateway/tokens/prompt-counter.ts';
import { estimateTextTokens, estimateTokens } from '../../../gateway/tokens/estimate-tokens.ts';

describe('estimateTokens', () => {
  it.each([
    [
      'English',
      'A weir is a low dam that is built across a river to raise the level of the water or to measure its flow. Most of the water passes over its crest, and what is held back above it can be drawn off for mills and fields.',
    ],
    [
      'code',
      'export function levelOf(gauge: Gauge): number {\n  const { crest, reading } = gauge;\n  if (reading < crest) return 0;\n  return Math.sqrt(2 * GRAVITY * (reading - crest));\n}\n',
    ],
    ['JSON', '{"river":"Mur","gates":[{"id":3,"open":true},{"id":4,"open":false}],"flow":118.25}'],
    [
      'German',
      'Ein Wehr staut den Fluß auf, damit das Wasser oberhalb höher steht; früher trieb es Mühlen an, heute meist Turbinen.',
    ],
    [
      'Russian',
      'Плотина поднимает уровень воды в реке и позволяет измерять её расход; избыток переливается через гребень.',
    ],
    [
      'Chinese',
      '堰是横跨河流的低坝，用来抬高水位或测量流量。多余的水从堰顶流过，上游的水可以引入水渠灌溉农田。',
    ],
    [
      'Japanese',
      '堰とは、川の水位を上げたり流量を測ったりするために、川を横切って造られる低いダムのことです。',
    ],
  ])('is near the true count of %s, and rather above it', (_name, text) => {
    const tokens = takeTurns(countTextTokens('gpt-4o', text)).value;
    expect(estimateTextTokens(text)).toBeGreaterThanOrEqual(tokens * 0.8);
    expect(estimateTextTokens(text)).toBeLessThanOrEqual(tokens * 1.7);
  });

  it('is whole, and nothing for nothing', () => {
    expect(estimateTokens(0, 0)).toBe(0);
    expect(estimateTokens(1, 0)).toBe(1);
    expect(Number.isInteger(estimateTokens(10, 3))).toBe(true);
  });
});
