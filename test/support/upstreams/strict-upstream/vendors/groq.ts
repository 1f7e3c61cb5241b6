import {
  chatCallOrder,
  hasTools,
  lengthMax,
  only,
  onlyFields,
  onlyMessageFields,
  says,
  toolSchemas,
  formatSchema,
  unsupported,
} from '../checks.ts';
import { isObject, type Rule, type Vendor } from '../rule.ts';
import { bracketed, dotted, openaiEnvelope, refusing, UNPROVEN } from '../words.ts';
import { OLD_TOOL_SCHEMA, STRICT_SCHEMA } from './openai.ts';

const SDK = 'npm groq-sdk 1.6.0, ChatCompletionCreateParamsBase; docs: what is not supported';
const DOCS = 'console.groq.com/docs/openai';

/** `logprobs`, `logit_bias`, `top_logprobs`, `store` and `metadata` are typed, but refused. */
const FIELDS = `messages model citation_options compound_custom disable_tool_validation documents
  exclude_domains frequency_penalty function_call functions include_domains include_reasoning
  max_completion_tokens max_tokens n parallel_tool_calls presence_penalty reasoning_effort
  reasoning_format response_format search_settings seed service_tier stop stream stream_options
  temperature tool_choice tools top_p user`.split(/\s+/);

const noEffort = unsupported('litellm 1.110.2: supports_reasoning', ['reasoning_effort']);
const noJsonSchema = says(
  'response_format',
  'litellm 1.110.2 llms/groq/chat/transformation.py, line 257',
  ({ response_format: format }) =>
    isObject(format) && format['type'] === 'json_schema'
      ? 'This model does not support response format `json_schema`. See supported models at https://console.groq.com/docs/structured-outputs#supported-models'
      : undefined,
);
const strictSchemas: readonly Rule[] = [
  formatSchema('i-am-bee/beeai-framework#1215', { ...STRICT_SCHEMA, minItemsMax: -1 }, true),
];

export const GROQ: Vendor = {
  id: 'groq',
  protocol: 'openai-chat',
  refuse: refusing(
    {
      unknown: ({ path }) =>
        path[0] === 'messages'
          ? `'messages.${String(path[1])}' : for 'role:assistant' the following must be satisfied[('messages.${String(path[1])}' : property '${String(path.at(-1))}' is unsupported)]`
          : `property '${dotted(path)}' is unsupported`,
      unsupported: ({ path }) => `${dotted(path)} is not supported with this model`,
      many: ({ path, count, max }) =>
        path[0] === 'stop'
          ? `len(stop) > ${String(max)}`
          : `'${dotted(path)}' : maximum number of items is ${String(max)}, got ${String(count)}`,
      value: ({ path, allowed }) =>
        `\`${dotted(path)}\` must be one of ${allowed.map((word) => `\`${String(word)}\``).join(', ')}`,
      schema: ({ path, problem, word }) =>
        `invalid JSON schema for ${bracketed(path)}: ${problem} ${word} is not supported`,
    },
    openaiEnvelope,
  ),
  rules: [
    onlyFields(SDK, FIELDS),
    onlyMessageFields(`${DOCS}; SDK: role types`, {
      system: [],
      developer: [],
      user: [],
      assistant: ['tool_calls', 'reasoning', 'function_call'],
      tool: ['tool_call_id'],
    }),
    only(DOCS, 'n', [1]),
    lengthMax('letta-ai/letta#1272', 'stop', 4),
    lengthMax(UNPROVEN, 'tools', 128),
    chatCallOrder(UNPROVEN),
    toolSchemas(UNPROVEN, OLD_TOOL_SCHEMA),
    says(
      'JSON with tools',
      'agno-agi/agno#1065',
      (body) =>
        hasTools(body) && isObject(body['response_format'])
          ? "'response_format' json_object cannot be combined with tool/function calling"
          : undefined,
      'response_format',
    ),
  ],
  families: {
    'openai/gpt-oss-120b': [
      only('groq-sdk 1.6.0; docs', 'reasoning_effort', ['low', 'medium', 'high']),
      ...strictSchemas,
    ],
    'qwen/qwen3-32b': [
      only('modelparams 0.0.53', 'reasoning_effort', ['none', 'default']),
      noJsonSchema,
    ],
    'llama-3.3-70b-versatile': [noEffort, noJsonSchema],
  },
};
