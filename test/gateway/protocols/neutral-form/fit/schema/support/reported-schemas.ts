import type { SchemaRules } from '../../../../../../../gateway/protocols/target-profile.ts';
import {
  ANTHROPIC_TOOLS,
  CEREBRAS,
  GEMINI_JSON_SCHEMA,
  GEMINI_PROTO,
  GROQ_STRICT,
  LLAMA_CPP,
  MOONSHOT,
  OPENAI_STRICT,
  OPENAI_TOOLS,
} from '../../../../../../../gateway/providers/profiles/schema-rules.ts';

export type Json = Record<string, unknown>;
export type Case = readonly [what: string, rules: SchemaRules, before: Json, after: Json];

export function object(properties: Json, more: Json = {}): Json {
  return { type: 'object', properties, ...more };
}

export const TEXT = { type: 'string' };

/** Schemas of public reports, named by them, and what was refused. */
export const REPORTED: readonly Case[] = [
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
    'CommandCodeAI/command-code#594: a reference to the root, to Moonshot',
    MOONSHOT,
    object({ next: { $ref: '#' }, root: TEXT }, { $defs: { root: TEXT } }),
    object(
      { next: { $ref: '#/$defs/root_2' }, root: TEXT },
      { $defs: { root: TEXT, root_2: object({ next: { $ref: '#/$defs/root_2' }, root: TEXT }) } },
    ),
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
          { type: 'object', properties: {} },
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
