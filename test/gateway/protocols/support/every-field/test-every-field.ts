import { describe, expect, it } from 'vitest';
import { sampleOf } from '../../../../support/sample.ts';
import { PROTOCOLS } from './clients.ts';
import { DONE_ELSEWHERE, everyField, outcomeOf, TARGETS, type Outcome } from './every-field.ts';

/**
 * Tests that no field of a request is dropped without a word.
 * @param every a field goes to one of so many targets, other fields to others; those that are known
 *   to be dropped go to all
 */
export function testEveryField(every: number): void {
  describe('every field of every protocol, over every profile', () => {
    it.each(PROTOCOLS)('of %s is carried, fitted, named or refused', (protocol) => {
      const known = DONE_ELSEWHERE[protocol];
      const targets = TARGETS.filter((target) => target.protocol !== protocol);
      const outcomes: Record<Outcome, number> = { carried: 0, named: 0, refused: 0, silent: 0 };
      const silent = new Map<string, string>();
      for (const [row, field] of everyField(protocol).entries()) {
        const isKnown = Object.hasOwn(known, field.path);
        for (const target of isKnown ? targets : sampleOf(targets, row, every)) {
          const outcome = outcomeOf(field, target);
          outcomes[outcome] += 1;
          if (outcome === 'silent') silent.set(field.path, target.name);
        }
      }
      expect([...silent].filter(([path]) => !Object.hasOwn(known, path))).toEqual([]);
      // What is carried after all leaves the table.
      expect(Object.keys(known).filter((path) => !silent.has(path))).toEqual([]);
      for (const outcome of ['carried', 'named', 'refused'] as const) {
        expect(outcomes[outcome], outcome).toBeGreaterThan(500 / every);
      }
    });
  });
}
