/** Tools as MCP servers declare them, which few vendors take as they are. */
import type { AskedTool, Json } from './ask.ts';

export const PLAIN_SCHEMA = {
  type: 'object',
  properties: { a: { type: 'integer' } },
  required: ['a'],
};

export function tool(name: string, schema: Json = PLAIN_SCHEMA, strict?: boolean): AskedTool {
  return strict === undefined ? { name, schema } : { name, schema, strict };
}

function property(schema: Json): Json {
  return { type: 'object', properties: { a: schema }, required: ['a'] };
}

const LONG_NAME = `mcp__a_server_with_a_long_name__${'and_a_tool_with_a_name_'.repeat(2)}abcd`;
/** Every optional property counts, also those of nested objects. */
export const MANY_OPTIONAL = {
  type: 'object',
  properties: { a: { type: 'string' }, b: { type: ['string', 'null'] } },
  required: [],
  additionalProperties: false,
};

export const HOSTILE_SCHEMAS: readonly Json[] = [
  { type: 'object' },
  { type: 'object', properties: {} },
  property({ type: 'array' }),
  property({ type: 'object' }),
  property({ type: ['string', 'null'] }),
  property({ const: 'one' }),
  property({ oneOf: [{ type: 'string' }, { type: 'integer' }] }),
  property({ type: 'integer', exclusiveMinimum: 0, multipleOf: 2 }),
  property({ type: 'integer', enum: [1, 2, 3] }),
  property({ type: 'string', format: 'uri', minLength: 1, maxLength: 10, pattern: '^[a-z]+$' }),
  property({ type: 'array', items: { type: 'string' }, uniqueItems: true, minItems: 2 }),
  {
    type: 'object',
    $schema: 'http://json-schema.org/draft-07/schema#',
    properties: { a: { $ref: '#/$defs/inner' } },
    $defs: { inner: { type: 'object', properties: { b: { type: 'string' } } } },
    additionalProperties: false,
  },
  { anyOf: [PLAIN_SCHEMA, property({ type: 'string' })] },
  {
    type: 'object',
    properties: { a: { type: 'object', patternProperties: { '^x': { type: 'string' } } } },
    propertyNames: { pattern: '^[a-z]+$' },
  },
  { type: 'object', properties: { 'a key with spaces': { type: 'string' } } },
];

export const HOSTILE_NAMES: readonly string[] = [
  LONG_NAME,
  '1mcp_search',
  'proxy/exec',
  'ns.tool',
  'ns:tool',
  'plain_tool',
];

/** Number of MCP tools of an agent with several servers. */
export const SIXTY_TOOLS: readonly AskedTool[] = Array.from({ length: 60 }, (_, index) => {
  const name = HOSTILE_NAMES[index % HOSTILE_NAMES.length] ?? '';
  const schema = HOSTILE_SCHEMAS[index % HOSTILE_SCHEMAS.length];
  return tool(`${name.slice(0, 78)}_${String(index)}`, schema);
});
