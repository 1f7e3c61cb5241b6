/** Tools of an MCP server whose names and schemas few vendors take as they are. */

type Json = Readonly<Record<string, unknown>>;

export interface HostileTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
}

const NAMES = [
  '1mcp_search',
  'proxy/exec',
  'ns.tool',
  'ns:tool',
  'a tool with spaces',
  'and_a_tool_with_a_name_'.repeat(3).padEnd(82, 'x'),
  'ünïcödé',
  '日本語の道具',
  '-dash-first',
  '$dollar@v2',
  'functions.call',
  'plain_tool',
] as const;

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';
const WORDS = 'How the water is to run through the weir, in the words of its keeper. ';

function object(properties: Json, more: Json = {}): Json {
  return { type: 'object', properties, required: Object.keys(properties), ...more };
}

function nested(depth: number): Json {
  return object({ deeper: depth === 0 ? { type: 'string' } : nested(depth - 1) });
}

/** About fifty kilobytes. */
const MANY_PROPERTIES = object(
  Object.fromEntries(
    Array.from({ length: 140 }, (_, at) => [
      `property_${String(at)}`,
      { type: 'string', description: WORDS.repeat(4) },
    ]),
  ),
);

const MANY_VALUES = object({
  value: { type: 'string', enum: Array.from({ length: 1_500 }, (_, at) => `value-${String(at)}`) },
});

const NODE = {
  type: 'object',
  properties: {
    value: { type: 'string' },
    children: { type: 'array', items: { $ref: '#/$defs/node' } },
  },
  required: ['value'],
};

/** Every root says that it is an object: MCP's own clients refuse others. */
const SCHEMAS: readonly Json[] = [
  { type: 'object' },
  { type: 'object', properties: {} },
  object({ list: { type: 'array' } }),
  object({ map: { type: 'object' } }),
  object({ text: { type: ['string', 'null'] } }),
  object({ kind: { const: 'one' } }),
  object({ either: { oneOf: [{ type: 'string' }, { type: 'integer' }] } }),
  object({ count: { type: 'integer', exclusiveMinimum: 0, multipleOf: 2, maximum: 100 } }),
  object({ level: { type: 'integer', enum: [1, 2, 3] } }),
  object({ mode: { type: ['string', 'null'], enum: ['a', 'b', null] } }),
  object({
    place: { type: 'string', format: 'uri' },
    time: { type: 'string', format: 'made-up-format' },
    name: { type: 'string', minLength: 1, maxLength: 10, pattern: '^[a-z]+$' },
  }),
  object({ tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, minItems: 2 } }),
  object(
    { inner: { $ref: '#/$defs/inner' } },
    { $schema: DRAFT_7, $defs: { inner: object({ b: { type: 'string' } }) } },
  ),
  {
    type: 'object',
    anyOf: [object({ id: { type: 'string' } }), object({ n: { type: 'integer' } })],
  },
  { type: 'object', $ref: '#/$defs/root', $defs: { root: object({ a: { type: 'string' } }) } },
  {
    type: 'object',
    allOf: [object({ a: { type: 'string' } }), object({ b: { type: 'boolean' } })],
  },
  object(
    { map: { type: 'object', patternProperties: { '^x': { type: 'string' } } } },
    { propertyNames: { pattern: '^[a-z]+$' } },
  ),
  object({
    'a key with spaces': { type: 'string' },
    $filter: { type: 'string' },
    '@type': { type: 'string' },
    größe: { type: 'integer' },
    [`a_${'long_'.repeat(15)}key`]: { type: 'string' },
  }),
  object({ tree: { $ref: '#/$defs/node' } }, { $defs: { node: NODE } }),
  nested(14),
  object({ free: {}, none: { type: 'null' }, map: { additionalProperties: { type: 'string' } } }),
  object(
    { a: { type: 'string' }, b: { type: 'string' } },
    {
      additionalProperties: false,
      dependentRequired: { a: ['b'] },
      if: { properties: { a: { const: 'x' } } },
      then: { required: ['b'] },
      not: { required: ['never'] },
    },
  ),
  object({ pair: { type: 'array', prefixItems: [{ type: 'string' }, { enum: ['pond'] }] } }),
  object({ ahead: { type: 'string', pattern: '^(?!never).*$', default: null, examples: [1] } }),
  MANY_VALUES,
  MANY_PROPERTIES,
];

const TOOLS_COUNT = 60;

/** Finds the number of a tool in its description, which nobody changes. */
export const TOOL_NUMBER = /Tool #(\d+)\./;

export const HOSTILE_TOOLS: readonly HostileTool[] = Array.from(
  { length: TOOLS_COUNT },
  (_, at) => ({
    name: `${NAMES[at % NAMES.length] ?? ''}_${String(at)}`,
    description: `Tool #${String(at)}. ${WORDS.repeat(12)}`,
    inputSchema: SCHEMAS[at % SCHEMAS.length] ?? {},
  }),
);

/** The output of a tool. */
export function resultOf(at: number): string {
  return `tool ${String(at)} has run`;
}
