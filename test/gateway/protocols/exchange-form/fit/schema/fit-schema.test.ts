import { describe, expect, it } from 'vitest';
import { fitSchema } from '../../../../../../gateway/protocols/exchange-form/fit/schema/fit-schema.ts';
import {
  ANTHROPIC_STRICT,
  ANTHROPIC_TOOLS,
  CEREBRAS,
  CONSERVATIVE,
  GEMINI_JSON_SCHEMA,
  GEMINI_PROTO,
  GROQ_STRICT,
  INLINE_REFS,
  LLAMA_CPP,
  MOONSHOT,
  OPENAI_STRICT,
  OPENAI_TOOLS,
  XAI,
} from '../../../../../../gateway/providers/profiles/schema-rules.ts';
import type { SchemaRules } from '../../../../../../gateway/protocols/target-profile.ts';

type Json = Record<string, unknown>;
type Case = readonly [what: string, rules: SchemaRules, before: Json, after: Json];

function object(properties: Json, more: Json = {}): Json {
  return { type: 'object', properties, ...more };
}

const TEXT = { type: 'string' };

/** Schemas of public reports, named by them, and what was refused. */
const REPORTED: readonly Case[] = [
  [
    'langchain-ai/langchain#39271: anyOf at the root, to Claude',
    ANTHROPIC_TOOLS,
    {
      type: 'object',
      anyOf: [
        object({ content: TEXT }, { required: ['content'] }),
        object({ source_url: TEXT }, { required: ['source_url'] }),
      ],
    },
    {
      ...object({ content: TEXT, source_url: TEXT }),
      description: 'Give the properties of one of these: "content"; or "source_url".',
    },
  ],
  [
    'anomalyco/opencode#35516: alternatives of required properties at the root',
    OPENAI_TOOLS,
    object(
      { route: TEXT, file: TEXT },
      { anyOf: [{ required: ['route'] }, { required: ['file'] }] },
    ),
    object(
      { route: TEXT, file: TEXT },
      { description: 'Give the properties of one of these: "route"; or "file".' },
    ),
  ],
  [
    'Dokploy/mcp#74: exclusiveMinimum of draft 4',
    ANTHROPIC_TOOLS,
    object({ ttl: { type: 'integer', exclusiveMinimum: true, minimum: 0, maximum: 9 } }),
    object({ ttl: { type: 'integer', exclusiveMinimum: 0, maximum: 9 } }),
  ],
  [
    'apify/apify-mcp-server#36: an array without items',
    OPENAI_TOOLS,
    object({ outputFormats: { title: 'Output formats', type: 'array', default: ['markdown'] } }),
    object({
      outputFormats: {
        title: 'Output formats',
        type: 'array',
        default: ['markdown'],
        items: {},
      },
    }),
  ],
  [
    'makenotion/notion-mcp-server#102: allOf, to a strict tool of OpenAI',
    OPENAI_STRICT,
    object(
      {
        data: {
          allOf: [
            object({ id: TEXT }, { required: ['id'] }),
            object({ name: TEXT }, { required: ['name'] }),
          ],
        },
      },
      { required: ['data'], additionalProperties: false },
    ),
    object(
      {
        data: object(
          { id: TEXT, name: TEXT },
          { required: ['id', 'name'], additionalProperties: false },
        ),
      },
      { required: ['data'], additionalProperties: false },
    ),
  ],
  [
    'taylorwilsdon/google_workspace_mcp#1099: lists of types and const, to Gemini’s proto',
    GEMINI_PROTO,
    object({
      kind: { const: 'insert_text' },
      text: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      count: { type: ['integer', 'null'] },
    }),
    object({
      kind: { type: 'string', enum: ['insert_text'] },
      text: { type: 'string', default: null, nullable: true },
      count: { type: 'integer', nullable: true },
    }),
  ],
  [
    'pizza-bot-app/pizza-bot#62: exclusive bounds inside anyOf, to Gemini’s proto',
    GEMINI_PROTO,
    object({ max_count: { anyOf: [{ type: 'integer', exclusiveMinimum: 0 }, { type: 'null' }] } }),
    object({ max_count: { type: 'integer', nullable: true, description: 'Must be more than 0.' } }),
  ],
  [
    'iBUHub/AIStudioToAPI#154: required names no property, to Gemini',
    GEMINI_JSON_SCHEMA,
    object({ text: TEXT }, { required: ['ref', 'text'] }),
    object({ text: TEXT }, { required: ['text'] }),
  ],
  [
    'abhigyanpatwari/GitNexus#2703: type next to anyOf, to Moonshot',
    MOONSHOT,
    object({
      at: { type: 'object', anyOf: [{ properties: { a: TEXT } }, { properties: { b: TEXT } }] },
    }),
    object({
      at: {
        anyOf: [
          { properties: { a: TEXT }, type: 'object' },
          { properties: { b: TEXT }, type: 'object' },
        ],
      },
    }),
  ],
  [
    'MoonshotAI/kimi-cli#2061: description next to $ref, to Moonshot',
    MOONSHOT,
    object(
      { assetRef: { $ref: '#/$defs/Ref', description: 'Of the asset.' } },
      { $defs: { Ref: object({ id: { type: 'integer' } }, { description: 'A reference.' }) } },
    ),
    object(
      { assetRef: { description: 'Of the asset.', ...object({ id: { type: 'integer' } }) } },
      { $defs: { Ref: object({ id: { type: 'integer' } }, { description: 'A reference.' }) } },
    ),
  ],
  [
    'CommandCodeAI/command-code#594: a reference into properties, to Moonshot',
    MOONSHOT,
    object({ from: TEXT, to: { $ref: '#/properties/from' } }),
    object({ from: TEXT, to: { $ref: '#/$defs/from' } }, { $defs: { from: TEXT } }),
  ],
  [
    'can1357/oh-my-pi#5952: true as a schema, to Moonshot',
    MOONSHOT,
    object({ outputSchema: true }),
    object({
      outputSchema: {
        anyOf: [
          { type: 'string' },
          { type: 'number' },
          { type: 'boolean' },
          { type: 'object' },
          { type: 'array', items: TEXT },
          { type: 'null' },
        ],
      },
    }),
  ],
  [
    'musistudio/claude-code-router#338 and agno-agi/agno#6013: bounds and open objects, to Cerebras',
    CEREBRAS,
    object({ todos: { type: 'array', items: object({ a: TEXT }), minItems: 2 } }),
    object(
      {
        todos: {
          type: 'array',
          items: object({ a: TEXT }, { additionalProperties: false }),
          description: 'Has at least 2 items.',
        },
      },
      { additionalProperties: false },
    ),
  ],
  [
    'i-am-bee/beeai-framework#1215: minItems, to a strict format of Groq',
    GROQ_STRICT,
    object({ a: { type: 'array', items: TEXT, minItems: 1 } }, { required: ['a'] }),
    object(
      { a: { type: 'array', items: TEXT, description: 'Has at least 1 item.' } },
      { required: ['a'], additionalProperties: false },
    ),
  ],
  [
    'ggml-org/llama.cpp#19051: branches that only require, and patterns',
    LLAMA_CPP,
    object({
      at: object(
        { a: TEXT, b: { type: 'string', pattern: '^\\d+$' } },
        { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      ),
    }),
    object({
      at: object(
        { a: TEXT, b: { type: 'string', description: 'Must match the regular expression ^\\d+$' } },
        { description: 'Give the properties of one of these: "a"; or "b".' },
      ),
    }),
  ],
  [
    'zereight/gitlab-mcp#166: an empty type',
    GEMINI_JSON_SCHEMA,
    object({ state: { type: '', enum: ['open', 'closed'] } }),
    object({ state: { type: 'string', enum: ['open', 'closed'] } }),
  ],
];

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
          { value: TEXT, next: { type: 'object', description: 'A node.' } },
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
