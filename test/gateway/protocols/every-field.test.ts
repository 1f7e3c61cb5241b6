import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from './support/every-field/clients.ts';
import {
  DONE_ELSEWHERE,
  everyField,
  outcomeOf,
  TARGETS,
  type Outcome,
} from './support/every-field/every-field.ts';

describe('every field of every protocol, over every profile', () => {
  it.each(PROTOCOLS)('of %s is carried, fitted, named or refused', (protocol) => {
    const outcomes: Record<Outcome, number> = { carried: 0, named: 0, refused: 0, silent: 0 };
    const silent = new Map<string, string>();
    for (const field of everyField(protocol)) {
      for (const target of TARGETS) {
        if (target.protocol === protocol) continue;
        const outcome = outcomeOf(field, target);
        outcomes[outcome] += 1;
        if (outcome === 'silent') silent.set(field.path, target.name);
      }
    }
    const known = DONE_ELSEWHERE[protocol];
    expect([...silent].filter(([path]) => !Object.hasOwn(known, path))).toEqual([]);
    // What is carried after all leaves the table.
    expect(Object.keys(known).filter((path) => !silent.has(path))).toEqual([]);
    for (const outcome of ['carried', 'named', 'refused'] as const) {
      expect(outcomes[outcome], outcome).toBeGreaterThan(500);
    }
  });
});
