import { describe, expect, it } from 'vitest';
import {
  fitSchemas,
  formatFits,
} from '../../../../../gateway/protocols/neutral-form/fit/fit-schemas.ts';
import { FittedSchemas } from '../../../../../gateway/protocols/neutral-form/fit/schema/fitted-schemas.ts';
import type { FitStep } from '../../../../../gateway/protocols/neutral-form/fit/fit-request.ts';
import type {
  NeutralRequest,
  NeutralTool,
  ReplyFormat,
} from '../../../../../gateway/protocols/neutral-form/request.ts';
import type {
  StrictLimits,
  TargetProfile,
} from '../../../../../gateway/protocols/target-profile.ts';
import {
  ANTHROPIC_STRICT,
  ANTHROPIC_TOOLS,
  OPENAI_STRICT,
  OPENAI_TOOLS,
} from '../../../../../gateway/providers/profiles/schema-rules.ts';

type Json = Record<string, unknown>;

const LIMITS: StrictLimits = {
  toolsMax: 20,
  optionalPropertiesMax: 24,
  unionPropertiesMax: 16,
  depthMax: 10,
  propertiesMax: 5_000,
  recursion: false,
};

/** The members of a profile that this step reads. */
type SchemaProfile = Pick<
  TargetProfile,
  'formatSchema' | 'jsonSchema' | 'strictLimits' | 'strictSchema' | 'strictTools' | 'toolSchema'
>;

function profile(members: SchemaProfile): TargetProfile {
  return members as TargetProfile;
}

const CLAUDE = profile({
  toolSchema: ANTHROPIC_TOOLS,
  strictSchema: ANTHROPIC_STRICT,
  formatSchema: ANTHROPIC_STRICT,
  strictTools: true,
  strictLimits: LIMITS,
  jsonSchema: 'format',
});
const OPENAI = profile({
  toolSchema: OPENAI_TOOLS,
  strictSchema: OPENAI_STRICT,
  formatSchema: OPENAI_STRICT,
  strictTools: true,
  strictLimits: {
    ...LIMITS,
    toolsMax: 128,
    optionalPropertiesMax: 5_000,
    unionPropertiesMax: 5_000,
    recursion: true,
  },
  jsonSchema: 'format',
});
const LOOSE = profile({ ...OPENAI, strictTools: false });

function object(properties: Json, more: Json = {}): Json {
  return { type: 'object', properties, ...more };
}

const PLAIN = object({ a: { type: 'string' } }, { required: ['a'], additionalProperties: false });

function tool(schema: Json, strict: boolean | undefined, name = 'run'): NeutralTool {
  return strict === undefined ? { name, schema } : { name, schema, strict };
}

function request(tools: readonly NeutralTool[], format?: ReplyFormat): NeutralRequest {
  return { stream: false, messages: [], tools, choices: 1, format };
}

function fit(asked: NeutralRequest, target: TargetProfile): NeutralRequest {
  return (fitSchemas(asked, target) as FitStep).request;
}

function strictOf({ tools }: NeutralRequest): readonly (boolean | undefined)[] {
  return tools.map(({ strict }) => strict);
}

describe('the schemas of a request', () => {
  it('leave it as it is when the target takes them, at every turn', () => {
    const asked = request(
      [tool(PLAIN, true), tool(object({}), undefined), { name: 'free', schema: null }],
      { type: 'json_schema', name: 'reply', schema: PLAIN, strict: true },
    );
    for (const target of [OPENAI, CLAUDE, OPENAI, CLAUDE]) expect(fit(asked, target)).toBe(asked);
    const again = structuredClone(asked);
    expect(fit(again, OPENAI)).toBe(again);
  });

  it('are fitted, and stay whole in the request of the client', () => {
    const asked = request([tool({ type: 'object' }, undefined)]);
    expect(fit(asked, OPENAI).tools).toEqual([tool(object({}), undefined)]);
    expect(asked.tools[0]?.schema).toEqual({ type: 'object' });
  });

  it('stay strict up to the number of strict tools that the target takes', () => {
    const tools = Array.from({ length: 25 }, (_, n) => tool(PLAIN, true, `t${n}`));
    const fitted = fit(request(tools), CLAUDE);
    expect(strictOf(fitted).filter((strict) => strict === true)).toHaveLength(20);
    expect(fitted.tools.slice(20).every((one) => !('strict' in one))).toBe(true);
  });

  it('stay strict while the optional and union properties of all suffice', () => {
    const optional = object(
      Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`p${n}`, { type: 'string' }])),
    );
    const tools = ['a', 'b', 'c'].map((name) => tool(optional, true, name));
    expect(strictOf(fit(request([...tools, tool(PLAIN, true)]), CLAUDE))).toEqual([
      true,
      true,
      undefined,
      true,
    ]);
    // The format counts as well.
    const format: ReplyFormat = { type: 'json_schema', schema: optional, strict: true };
    expect(strictOf(fit(request(tools, format), CLAUDE))).toEqual([true, undefined, undefined]);
    const unions = object(
      Object.fromEntries(
        Array.from({ length: 9 }, (_, n) => [`u${n}`, { type: ['string', 'null'] }]),
      ),
      { required: Array.from({ length: 9 }, (_, n) => `u${n}`) },
    );
    const twice = request([tool(unions, true, 'a'), tool(unions, true, 'b')]);
    expect(strictOf(fit(twice, CLAUDE))).toEqual([true, undefined]);
  });

  it.each([
    ['a map', { additionalProperties: { type: 'string' } }],
    ['any properties', { additionalProperties: true }],
  ])('are not strict with %s, which a closed object could not have', (_what, more) => {
    const asked = request([tool(object({ a: object({ b: { type: 'string' } }, more) }), true)]);
    const fitted = fit(asked, CLAUDE);
    expect(fitted.tools).toEqual([tool(asked.tools[0]?.schema ?? {}, undefined)]);
  });

  it('are not strict with recursion where it is refused, or too deep', () => {
    const node = object({ next: { $ref: '#/$defs/N' } }, { additionalProperties: false });
    const recursive = object({ head: { $ref: '#/$defs/N' } }, { $defs: { N: node } });
    let deep = PLAIN;
    for (let level = 0; level < 11; level += 1) deep = object({ d: deep });
    const asked = request([tool(recursive, true), tool(deep, true, 'deep')]);
    expect(strictOf(fit(asked, CLAUDE))).toEqual([undefined, undefined]);
  });

  it('are not strict where the model would write null for what may only be left out', () => {
    const optional = object({ a: { type: 'string' } });
    const nullable = object({ a: { type: ['string', 'null'] } });
    const fitted = fit(request([tool(optional, true), tool(nullable, true, 'n')]), OPENAI);
    expect(fitted.tools).toEqual([
      tool(optional, undefined),
      tool({ ...nullable, required: ['a'], additionalProperties: false }, true, 'n'),
    ]);
  });

  it('lose strict where the target does not know it', () => {
    const fitted = fit(request([tool(PLAIN, true), tool(PLAIN, false)]), LOOSE);
    expect(fitted.tools.map((one) => 'strict' in one)).toEqual([false, false]);
    expect(strictOf(fit(request([tool(PLAIN, false)]), OPENAI))).toEqual([false]);
  });

  it('are no strict format where properties are optional, but still a format', () => {
    const schema = object({ a: { type: 'string' } });
    const format: ReplyFormat = { type: 'json_schema', name: 'r', schema, strict: true };
    expect(fit(request([], format), OPENAI).format).toEqual({
      type: 'json_schema',
      name: 'r',
      schema,
    });
    const loose = request([], { type: 'json_schema', name: 'r', schema });
    expect(fit(loose, OPENAI)).toBe(loose);
  });
});

describe('a schema of a format', () => {
  it('fits within the limits, and not beyond', () => {
    const optional = (count: number): Json =>
      object(
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: 'string' }])),
      );
    expect(formatFits(optional(24), CLAUDE)).toBe(true);
    expect(formatFits(optional(25), CLAUDE)).toBe(false);
    expect(formatFits(object({ map: { type: 'object' } }), CLAUDE)).toBe(false);
    expect(formatFits(object({ map: { type: 'object' } }), OPENAI)).toBe(true);
  });

  it('does not fit when its root is no object, or one of several', () => {
    const Reply = PLAIN;
    expect(formatFits({ $ref: '#/$defs/Reply', $defs: { Reply } }, CLAUDE)).toBe(true);
    expect(formatFits({ type: 'array', items: { type: 'string' } }, OPENAI)).toBe(false);
    expect(formatFits({ anyOf: [PLAIN, object({ b: { type: 'string' } })] }, OPENAI)).toBe(false);
  });
});

describe('fitted schemas', () => {
  it('are remembered by what was sent and by the rules', () => {
    const memory = new FittedSchemas();
    const first = memory.fit({ type: 'object' }, OPENAI_TOOLS).schema;
    expect(memory.fit({ type: 'object' }, OPENAI_TOOLS).schema).toBe(first);
    expect(memory.fit({ type: 'object' }, OPENAI_STRICT).schema).not.toEqual(first);
    expect(memory.fit({ type: 'object', title: 'Other' }, OPENAI_TOOLS).schema).not.toBe(first);
  });

  it('take no more memory than is allowed, and the oldest go', () => {
    const memory = new FittedSchemas(20_000);
    const schemaOf = (n: number): Json => ({ type: 'object', description: `${n} `.repeat(200) });
    const first = memory.fit(schemaOf(0), OPENAI_TOOLS).schema;
    for (let n = 1; n < 100; n += 1) {
      memory.fit(schemaOf(n), OPENAI_TOOLS);
      expect(memory.bytes).toBeLessThanOrEqual(20_000);
    }
    const last = memory.fit(schemaOf(99), OPENAI_TOOLS).schema;
    expect(memory.fit(schemaOf(99), OPENAI_TOOLS).schema).toBe(last);
    expect(memory.fit(schemaOf(0), OPENAI_TOOLS).schema).not.toBe(first);
  });

  it('leave out one that would drive out all others', () => {
    const memory = new FittedSchemas(20_000);
    memory.fit({ type: 'object', description: 'x'.repeat(6_000) }, OPENAI_TOOLS);
    expect(memory.bytes).toBe(0);
  });
});
