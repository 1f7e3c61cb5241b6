import { describe, expect, it } from 'vitest';
import { fitSchema } from '../../../../../../gateway/protocols/neutral-form/fit/schema/fit-schema.ts';
import {
  ANTHROPIC_STRICT,
  ANTHROPIC_TOOLS,
  CEREBRAS,
  CONSERVATIVE,
  GEMINI_PROTO,
  INLINE_REFS,
  META,
  MOONSHOT,
  OPENAI_STRICT,
  OPENAI_TOOLS,
  XAI,
} from '../../../../../../gateway/providers/profiles/schema-rules.ts';
import { object, REPORTED, TEXT, type Case, type Json } from './support/reported-schemas.ts';

const SENTENCES: readonly Case[] = [
  [
    'keywords that Anthropic’s strict tools refuse are put in words',
    ANTHROPIC_STRICT,
    object({
      n: { type: 'integer', minimum: 3, description: 'A number.' },
      s: { type: 'string', maxLength: 1, format: 'made-up' },
      l: { type: 'array', items: TEXT, minItems: 1, maxItems: 3, uniqueItems: true },
    }),
    object(
      {
        n: { type: 'integer', description: 'A number.\nMust be at least 3.' },
        s: { type: 'string', description: 'Has at most 1 character. Has the format made-up.' },
        l: {
          type: 'array',
          items: TEXT,
          minItems: 1,
          description: 'Has at most 3 items. All items differ.',
        },
      },
      { additionalProperties: false },
    ),
  ],
  [
    'optional properties become nullable where all are required',
    OPENAI_STRICT,
    object(
      { a: TEXT, b: { type: 'integer', enum: [1] }, c: { type: ['string', 'null'] } },
      { required: ['a'] },
    ),
    object(
      {
        a: TEXT,
        b: { anyOf: [{ type: 'integer', enum: [1] }, { type: 'null' }] },
        c: { type: ['string', 'null'] },
      },
      { required: ['a', 'b', 'c'], additionalProperties: false },
    ),
  ],
  [
    'a tuple becomes an array of what its places have',
    CONSERVATIVE,
    object({ at: { type: 'array', items: [{ type: 'number' }, TEXT], additionalItems: false } }),
    object({
      at: {
        type: 'array',
        items: { anyOf: [{ type: 'number' }, TEXT] },
        maxItems: 2,
        description: 'The first items match, in this order, [{"type":"number"},{"type":"string"}].',
      },
    }),
  ],
  [
    'a property that tells alternatives apart has the values of all',
    XAI,
    {
      oneOf: [
        object({ do: { const: 'add' }, text: TEXT }, { required: ['do', 'text'] }),
        object({ do: { const: 'remove' }, id: { type: 'integer' } }, { required: ['do', 'id'] }),
      ],
    },
    object(
      { do: { enum: ['add', 'remove'] }, text: TEXT, id: { type: 'integer' } },
      {
        required: ['do'],
        description: 'Give the properties of one of these: "do" and "text"; or "do" and "id".',
      },
    ),
  ],
  [
    'definitions that a property brought with it move to the top',
    OPENAI_TOOLS,
    object({ a: object({ b: { $ref: '#/$defs/B' } }, { $defs: { B: TEXT } }) }),
    object({ a: object({ b: { $ref: '#/$defs/B' } }) }, { $defs: { B: TEXT } }),
  ],
  [
    'a reference to what is not in the schema goes',
    OPENAI_TOOLS,
    object({ a: { $ref: 'https://example.com/schema.json', description: 'Words.' } }),
    object({ a: { description: 'Words.' } }),
  ],
];

describe('a schema', () => {
  it.each([...REPORTED, ...SENTENCES])('%s', (_what, rules, before, after) => {
    expect(fitSchema(before, rules)).toEqual(after);
  });

  it('comes back as the very same object when the target takes it', () => {
    const strict = object(
      {
        format: { type: ['string', 'null'], description: 'Null for none.' },
        node: { $ref: '#/$defs/Node' },
        unit: { type: 'string', enum: ['c', 'f'] },
        when: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      },
      {
        required: ['format', 'node', 'unit', 'when'],
        additionalProperties: false,
        $defs: {
          Node: object(
            { next: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] } },
            { required: ['next'], additionalProperties: false },
          ),
        },
      },
    );
    expect(fitSchema(strict, OPENAI_STRICT)).toBe(strict);
    expect(fitSchema(strict, OPENAI_TOOLS)).toBe(strict);
    expect(fitSchema(strict, ANTHROPIC_TOOLS)).toBe(strict);
  });

  it('keeps properties that have the names of keywords, and data that looks like schemas', () => {
    const properties = JSON.parse(
      '{"const":{"type":"string"},"format":{"type":"string"},"$ref":{"type":"string"},' +
        '"items":{"type":"string"},"definitions":{"type":"string"},"__proto__":{"type":"string"},' +
        '"type":{"enum":[{"$ref":"#/nowhere","exclusiveMinimum":true}]}}',
    ) as Json;
    const schema = object(properties);
    expect(fitSchema(schema, INLINE_REFS)).toBe(schema);
    const strict = fitSchema(schema, ANTHROPIC_STRICT);
    expect(JSON.stringify(strict)).toBe(JSON.stringify({ ...schema, additionalProperties: false }));
  });

  it('is inlined with recursive references as plain objects', () => {
    const node = object(
      { value: TEXT, next: { $ref: '#/definitions/Node' } },
      { description: 'A node.' },
    );
    const schema = object(
      { head: { $ref: '#/definitions/Node' } },
      { definitions: { Node: node } },
    );
    expect(fitSchema(schema, INLINE_REFS)).toEqual(
      object({
        head: object(
          { value: TEXT, next: object({}, { description: 'A node.' }) },
          { description: 'A node.' },
        ),
      }),
    );
  });

  it('does not grow exponentially when references are inlined', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` };
        return [`d${level}`, level === 59 ? TEXT : object({ a: next, b: next })];
      }),
    );
    const schema = object({ a: { $ref: '#/$defs/d0' } }, { $defs });
    for (const rules of [INLINE_REFS, XAI, GEMINI_PROTO, MOONSHOT, CONSERVATIVE]) {
      expect(JSON.stringify(fitSchema(schema, rules)).length).toBeLessThan(1_000_000);
    }
  });

  it('ends at long chains of references', () => {
    const words = { description: 'Words.' };
    const $defs = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, n) => [`d${n}`, { $ref: `#/$defs/d${n + 1}`, ...words }]),
    );
    const first = { $ref: '#/$defs/d0', ...words };
    for (const rules of [INLINE_REFS, MOONSHOT]) {
      for (const schema of [object({ a: first, b: { allOf: [first] } }), first]) {
        expect(fitSchema({ ...schema, $defs }, rules)['type']).toBe('object');
      }
    }
  });

  it('is bounded when restrictions move into many alternatives', () => {
    const base = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, TEXT]));
    const branches = Array.from({ length: 300 }, (_, n) => object({ [`q${n}`]: TEXT }));
    const schema = object({ at: object(base, { anyOf: branches }) });
    const before = JSON.stringify(schema).length;
    for (const rules of [ANTHROPIC_STRICT, MOONSHOT]) {
      expect(JSON.stringify(fitSchema(schema, rules)).length).toBeLessThan(before + 2_000_000);
    }
  });

  it('ends at definitions that refer to one another alone', () => {
    const $defs = { A: { $ref: '#/$defs/B' }, B: { allOf: [{ $ref: '#/$defs/A' }] } };
    const schema = {
      ...object({ a: { $ref: '#/$defs/A', description: 'Words.' } }),
      $defs,
      $ref: '#/$defs/A',
    };
    for (const rules of [INLINE_REFS, OPENAI_STRICT, MOONSHOT, GEMINI_PROTO, CEREBRAS]) {
      expect(fitSchema(schema, rules)['type']).toBe('object');
    }
  });
});

describe('a schema of more levels than the target takes', () => {
  const nested = (levels: number, end: Json): Json =>
    levels === 0 ? end : object({ inner: nested(levels - 1, end) });

  it('is as it is up to the last level', () => {
    const schema = nested(9, TEXT);
    expect(fitSchema(schema, META)).toBe(schema);
  });

  /** The sentence on a level that has no other below it. */
  const inWords = (schema: Json): string => `Matches the JSON schema ${JSON.stringify(schema)}.`;

  it('is free below the last level, which says in words what is there', () => {
    const rest = nested(3, TEXT);
    const end = { ...object({}), description: inWords(rest) };
    expect(fitSchema(nested(12, TEXT), META)).toEqual(nested(9, end));
    const { description, ...list } = { type: 'array', items: TEXT, description: 'Words.' };
    const said = { description: `${description}\n${inWords(list)}` };
    expect(fitSchema(nested(9, { ...list, description }), META)).toEqual(nested(9, said));
  });

  it('is free from the object around a list on, where every schema has a type', () => {
    const list = { type: 'array', items: TEXT };
    const end = { ...object({}), description: inWords(object({ inner: list })) };
    expect(fitSchema(nested(9, list), MOONSHOT)).toEqual(nested(8, end));
  });
});
