import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { fitSchema } from '../../../../../../gateway/protocols/exchange-form/fit/schema/fit-schema.ts';
import type { SchemaRules } from '../../../../../../gateway/protocols/target-profile.ts';
import * as constants from '../../../../../../gateway/providers/profiles/schema-rules.ts';
import { faultsOf } from './support/conforms.ts';
import { RandomSchema } from './support/random-schema.ts';

const RULES: readonly (readonly [string, SchemaRules])[] = Object.entries(constants);
const SCHEMAS = 150;

function schemas(isHostile: boolean): Record<string, unknown>[] {
  return Array.from({ length: SCHEMAS }, (_, seed) => new RandomSchema(seed, isHostile).root());
}

describe.each(RULES)('random schemas by the rules of %s', (_name, rules) => {
  it('are taken by the target, are fitted once, and stay whole for the client', () => {
    for (const schema of [...schemas(true), ...schemas(false)]) {
      const before = JSON.stringify(schema);
      const fitted = fitSchema(schema, rules);
      expect({ before, faults: faultsOf(fitted, rules) }).toEqual({ before, faults: [] });
      expect(JSON.stringify(schema)).toBe(before);
      expect(fitSchema(fitted, rules)).toBe(fitted);
    }
  });
});
