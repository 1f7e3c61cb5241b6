import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { fitSchema } from '../../../../../../gateway/protocols/neutral-form/fit/schema/fit-schema.ts';
import type { SchemaRules } from '../../../../../../gateway/protocols/target-profile.ts';
import * as constants from '../../../../../../gateway/providers/profiles/schema-rules.ts';
import { faultsOf } from './support/conforms.ts';
import { RandomSchema } from './support/random-schema.ts';
import { randomValue } from './support/random-value.ts';

type Json = Record<string, unknown>;

const RULES: readonly (readonly [string, SchemaRules])[] = Object.entries(constants);
const SCHEMAS = 50;
/** A validator of each is compiled for each rules, which takes its time. */
const SCHEMAS_WITH_VALUES = 10;
const VALUES = 40;

function schemas(isHostile: boolean, length = SCHEMAS): Json[] {
  return Array.from({ length }, (_, seed) => new RandomSchema(seed, isHostile).root());
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

/** Rules that close no object, require no property and no type only widen what is accepted. */
const WIDENING = RULES.filter(
  ([, rules]) => !rules.closedObjects && !rules.allRequired && !rules.typesRequired,
);

describe('values of random schemas', () => {
  const known = schemas(false, SCHEMAS_WITH_VALUES).map((schema, seed) => {
    const { random } = new RandomSchema(seed, false);
    const accepts = validatorOf(schema);
    const values = Array.from({ length: VALUES }, () => randomValue(schema, schema, random));
    return { schema, values: values.filter((value) => accepts(value)) };
  });

  it('are there in number', () => {
    expect(known.filter(({ values }) => values.length > 0).length).toBeGreaterThan(
      SCHEMAS_WITH_VALUES / 2,
    );
  });

  it.each(WIDENING)('are accepted by what the rules of %s make of their schema', (_name, rules) => {
    for (const { schema, values } of known) {
      const fitted = fitSchema(schema, rules);
      const accepts = validatorOf(fitted);
      const refused = values.filter((value) => !accepts(value));
      expect({ schema, fitted, refused }).toEqual({ schema, fitted, refused: [] });
    }
  });
});

function validatorOf(schema: Json): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  const validate = ajv.compile(schema);
  return (value) => validate(value);
}
