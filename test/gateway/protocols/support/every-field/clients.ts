/** The requests of clients of each protocol: the smallest request, and values for its fields. */
import { MESSAGES_FIELDS } from '../../../../../gateway/protocols/anthropic-messages/from-client/known-fields.ts';
import type { Shapes } from '../../../../../gateway/protocols/fields/shape.ts';
import { GEMINI_FIELDS } from '../../../../../gateway/protocols/gemini/from-client/known-fields.ts';
import { CHAT_FIELDS } from '../../../../../gateway/protocols/openai-family/known-fields.ts';
import { RESPONSE_FIELDS } from '../../../../../gateway/protocols/openai-responses/from-client/known-fields.ts';

export type Json = Readonly<Record<string, unknown>>;

export const PROTOCOLS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
] as const;
export type Protocol = (typeof PROTOCOLS)[number];

interface Client {
  readonly fields: Shapes;
  /** The smallest request in which each field means something. */
  readonly base: Json;
  readonly path: RegExp;
  /** Values of fields that a text, a number and a switch are not. */
  readonly samples: Readonly<Record<string, unknown>>;
  /** Fields of the request instead, where a field means nothing without another. */
  readonly patches: Readonly<Record<string, Json>>;
}

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const FUNCTION = { name: 'f', description: 'F.', parameters: SCHEMA };
const CLOSED = { ...SCHEMA, additionalProperties: false };
const SAID = { role: 'assistant', content: 'Yes?' };
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
const JSON_SCHEMA = {
  response_format: { type: 'json_schema', json_schema: { name: 'r', schema: CLOSED } },
};
const USER = { role: 'user', content: 'Hello, answer in JSON.' };

export const CLIENTS: Readonly<Record<Protocol, Client>> = {
  'openai-chat': {
    fields: CHAT_FIELDS,
    path: /^chat\/completions$/,
    base: {
      model: 'm',
      messages: [
        USER,
        { role: 'assistant', content: 'Yes?', tool_calls: [call()] },
        { role: 'tool', tool_call_id: 'call_1', content: 'Done.' },
        USER,
      ],
      tools: [{ type: 'function', function: FUNCTION }],
    },
    samples: {
      top_k: 5,
      n: 2,
      seed: 1,
      parallel_tool_calls: false,
      verbosity: 'high',
      modalities: ['text', 'audio'],
      function_call: { name: 'f' },
      logprobs: true,
      'messages.reasoning_details': [{ type: 'reasoning.text', text: 'x', signature: 'y' }],
      'messages.cache_control': { type: 'ephemeral' },
      'messages.prompt_cache_breakpoint': { mode: 'explicit' },
      'tools.cache_control': { type: 'ephemeral' },
      'reasoning.max_tokens': 2_000,
      'response_format.type': 'json_object',
    },
    patches: {
      'messages.function_call': {
        messages: [
          USER,
          { role: 'assistant', function_call: { name: 'f', arguments: '{}' } },
          USER,
        ],
      },
      'messages.audio': { messages: [USER, { role: 'assistant', audio: { id: 'x' } }, USER] },
      'messages.images': { messages: [USER, { ...SAID, images: [IMAGE] }, USER] },
      'reasoning.enabled': { reasoning: { enabled: false, effort: 'low' } },
      'reasoning.exclude': { reasoning: { exclude: true, effort: 'low' } },
      'response_format.json_schema': JSON_SCHEMA,
      top_logprobs: { logprobs: true, top_logprobs: 2 },
      'tools.custom': { tools: [{ type: 'custom', custom: { name: 'f' } }] },
      'tools.strict': {
        tools: [{ type: 'function', function: { ...FUNCTION, parameters: CLOSED, strict: true } }],
      },
      ...Object.fromEntries(
        ['name', 'description', 'parameters'].map((name) => [
          `tools.${name}`,
          { tools: [{ type: 'function', ...FUNCTION, description: 'Flat.' }] },
        ]),
      ),
    },
  },
  'openai-responses': {
    fields: RESPONSE_FIELDS,
    path: /^responses$/,
    base: {
      model: 'm',
      input: 'Hello.',
      tools: [{ type: 'function', strict: false, ...FUNCTION }],
    },
    samples: {
      parallel_tool_calls: false,
      'text.verbosity': 'high',
      'text.format.type': 'json_object',
      'reasoning.effort': 'low',
      top_logprobs: 2,
      store: true,
    },
    patches: {
      ...Object.fromEntries(
        ['name', 'schema', 'strict'].map((name) => [
          `text.format.${name}`,
          { text: { format: { type: 'json_schema', name: 'r', schema: CLOSED, strict: true } } },
        ]),
      ),
      'reasoning.summary': { reasoning: { effort: 'low', summary: 'auto' } },
      'reasoning.generate_summary': { reasoning: { effort: 'low', generate_summary: 'auto' } },
    },
  },
  'anthropic-messages': {
    fields: MESSAGES_FIELDS,
    path: /^messages$/,
    base: {
      model: 'm',
      max_tokens: 8_000,
      messages: [USER],
      tools: [{ name: 'f', description: 'F.', input_schema: SCHEMA }],
    },
    samples: {
      temperature: 0.5,
      top_p: 0.5,
      top_k: 5,
      stop_sequences: ['x'],
      metadata: { user_id: 'x' },
      tool_choice: { type: 'any' },
      'tools.cache_control': { type: 'ephemeral' },
      'output_config.effort': 'low',
    },
    patches: {
      ...Object.fromEntries(
        ['type', 'schema'].map((name) => [
          `output_config.format.${name}`,
          { output_config: { format: { type: 'json_schema', schema: CLOSED } } },
        ]),
      ),
      ...Object.fromEntries(
        ['type', 'budget_tokens', 'display'].map((name) => [
          `thinking.${name}`,
          { thinking: { type: 'enabled', budget_tokens: 2_000, display: 'omitted' } },
        ]),
      ),
      'tools.strict': {
        tools: [{ name: 'f', description: 'F.', input_schema: CLOSED, strict: true }],
      },
      'tools.defer_loading': { tools: [{ name: 'f', input_schema: SCHEMA, defer_loading: true }] },
    },
  },
  gemini: {
    fields: GEMINI_FIELDS,
    path: /:generateContent$/,
    base: {
      contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }],
      tools: [{ functionDeclarations: [FUNCTION] }],
    },
    samples: {
      'generationConfig.temperature': 0.5,
      'generationConfig.topP': 0.5,
      'generationConfig.topK': 5,
      'generationConfig.seed': 1,
      'generationConfig.candidateCount': 2,
      'generationConfig.frequencyPenalty': 1,
      'generationConfig.presencePenalty': 1,
      'generationConfig.responseMimeType': 'application/json',
      'generationConfig.thinkingConfig.thinkingBudget': 2_000,
      'generationConfig.thinkingConfig.thinkingLevel': 'LOW',
    },
    patches: {
      ...Object.fromEntries(
        ['responseSchema', 'responseJsonSchema', '_responseJsonSchema'].map((name) => [
          `generationConfig.${name}`,
          { generationConfig: { responseMimeType: 'application/json', [name]: CLOSED } },
        ]),
      ),
      'generationConfig.responseFormat': {
        generationConfig: {
          responseFormat: [{ text: { mimeType: 'application/json', schema: CLOSED } }],
        },
      },
      'generationConfig.thinkingConfig.includeThoughts': {
        generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' } },
      },
      ...Object.fromEntries(
        ['role', 'parts'].map((name) => [
          `systemInstruction.${name}`,
          { systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] } },
        ]),
      ),
      ...Object.fromEntries(
        ['mode', 'allowedFunctionNames'].map((name) => [
          `toolConfig.functionCallingConfig.${name}`,
          { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } } },
        ]),
      ),
    },
  },
};

function call() {
  return { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":"b"}' } };
}
