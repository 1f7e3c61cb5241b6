import {
  callIds,
  chatCallOrder,
  formatSchema,
  hasTools,
  imageTypes,
  lengthMax,
  only,
  onlyFields,
  onlyMessageFields,
  onlyPartFields,
  range,
  says,
  toolNames,
  toolSchemas,
  unsupported,
} from '../checks.ts';
import { items, rule, text, valueAt, type Json, type Rule, type Vendor } from '../rule.ts';
import type { SchemaLimits } from '../schema-check.ts';
import { UNPROVEN } from '../words.ts';
import { refuseAsAzure, refuseAsOpenai } from './openai-words.ts';

const SDK = 'npm openai 7.55.0, ChatCompletionCreateParams';
const LITELLM = 'litellm 1.110.2, model_prices_and_context_window_backup.json';
const PARAMS = 'modelparams 0.0.53';

export const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

const FIELDS = `messages model audio frequency_penalty function_call functions logit_bias logprobs
  max_completion_tokens max_tokens metadata modalities moderation n parallel_tool_calls prediction
  presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort
  response_format safety_identifier seed service_tier stop store stream stream_options temperature
  tool_choice tools top_logprobs top_p user verbosity web_search_options`.split(/\s+/);

/** The validator of every tool (litellm llms/openai/responses; langchain-ai/langchainjs#9804). */
export const TOOL_SCHEMA: SchemaLimits = {
  rootObject: true,
  properties: 'named',
  arrayItems: true,
};
/** Families that also refuse alternatives at the root (litellm, same file). */
export const OLD_TOOL_SCHEMA: SchemaLimits = {
  ...TOOL_SCHEMA,
  rootRefused: ['oneOf', 'anyOf', 'allOf', 'enum', 'not'],
};
/** developers.openai.com structured outputs, as docs.rs artifactize-core limits.rs has it. */
export const STRICT_SCHEMA: SchemaLimits = {
  ...TOOL_SCHEMA,
  rootRefused: ['oneOf', 'anyOf', 'allOf', 'enum', 'not'],
  closed: true,
  allRequired: true,
  refused: `oneOf allOf not if then else dependentRequired dependentSchemas patternProperties
    uniqueItems contains minContains maxContains propertyNames minProperties maxProperties
    unevaluatedProperties unevaluatedItems default`.split(/\s+/),
  formats: 'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '),
};

/** A request for a JSON object has to speak of JSON. */
export function mentionsJson(): Rule {
  return says(
    'json_object without the word',
    UNPROVEN,
    ({ response_format: format, messages }) => {
      const isAsked = valueAt({ format }, 'format.type') === 'json_object';
      if (!isAsked || /json/i.test(JSON.stringify(messages))) return undefined;
      return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
    },
    'messages',
  );
}

const COMMON: readonly Rule[] = [
  onlyMessageFields(SDK, {
    system: ['name'],
    developer: ['name'],
    user: ['name'],
    assistant: ['name', 'tool_calls', 'refusal', 'audio', 'function_call'],
    tool: ['tool_call_id'],
  }),
  onlyPartFields(
    SDK,
    {
      text: ['text', 'prompt_cache_breakpoint'],
      image_url: ['image_url', 'prompt_cache_breakpoint'],
      input_audio: ['input_audio', 'prompt_cache_breakpoint'],
      file: ['file', 'prompt_cache_breakpoint'],
      refusal: ['refusal', 'prompt_cache_breakpoint'],
    },
    ['name', 'description', 'parameters', 'strict'],
  ),
  toolNames('langchain-ai/langchainjs#9804', /^[a-zA-Z0-9_-]+$/, 64),
  callIds('camel-ai/camel#2215', /./, 64),
  lengthMax(UNPROVEN, 'tools', 128),
  lengthMax(SDK, 'stop', 4),
  lengthMax('mnfst/llm-gateway#2789', 'user', 64),
  lengthMax('maximhq/bifrost#1000', 'safety_identifier', 64),
  lengthMax('earendil-works/pi#4720, theopenco/llmgateway#3110', 'prompt_cache_key', 64),
  chatCallOrder(UNPROVEN),
  toolSchemas('litellm llms/openai/responses/transformation.py', STRICT_SCHEMA, 'strict'),
  formatSchema('litellm llms/openai/responses/transformation.py', STRICT_SCHEMA, true),
  imageTypes('SDK comment of image_url', IMAGES),
  mentionsJson(),
  rule('parallel_tool_calls without tools', SDK, (body) =>
    body['parallel_tool_calls'] === undefined || hasTools(body)
      ? undefined
      : {
          kind: 'sentence',
          path: ['parallel_tool_calls'],
          message:
            "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
        },
  ),
  range(SDK, 'temperature', 0, 2),
];

const CACHE_FIELDS = unsupported(`${LITELLM}: supports_prompt_cache_breakpoint`, [
  'prompt_cache_options',
]);
const OLD_CACHE = [
  CACHE_FIELDS,
  rule('cache breakpoint', `${LITELLM}: supports_prompt_cache_breakpoint`, ({ messages }) => {
    const marked = items(messages).find(([, { content }]) =>
      items(content).some(([, part]) => 'prompt_cache_breakpoint' in part),
    );
    if (marked === undefined) return undefined;
    const path = ['messages', marked[0], 'content', 0, 'prompt_cache_breakpoint'];
    return { kind: 'unknown', path };
  }),
];

/** Models that do not think. */
export const PLAIN: readonly Rule[] = [
  ...OLD_CACHE,
  rule('reasoning_effort', 'davidmigloz/langchain_dart#712', ({ reasoning_effort: effort }) =>
    effort === undefined
      ? undefined
      : {
          kind: 'sentence',
          path: ['reasoning_effort'],
          message: 'Unrecognized request argument supplied: reasoning_effort',
        },
  ),
  only(`${PARAMS}: no text.verbosity`, 'verbosity', ['medium']),
  toolSchemas('litellm llms/openai/responses/transformation.py', OLD_TOOL_SCHEMA),
];

const SAMPLING = 'top_p presence_penalty frequency_penalty logprobs top_logprobs logit_bias';

function atNone(fallback: string): (body: Json) => boolean {
  return ({ reasoning_effort: effort = fallback }) => effort === 'none';
}

/**
 * Models that think: `efforts` alongside what chat completions take, and the default among them.
 */
function thinking(efforts: string, fallback: string): Rule[] {
  const unless = atNone(fallback);
  return [
    unsupported('MaximeRivest/riddle#7', ['max_tokens'], { instead: 'max_completion_tokens' }),
    only(`${PARAMS}; ${LITELLM}`, 'reasoning_effort', efforts.split(' ')),
    only('litellm llms/openai/chat/gpt_reasoning_transformation.py', 'temperature', [1], unless),
    unsupported(`${PARAMS}: not listed`, SAMPLING.split(' '), { name: 'sampling', unless }),
  ];
}

/**
 * Function tools are refused alongside any effort but none; `always` also alongside the default.
 */
function toolsAtNoneOnly(words: string, always: boolean): Rule {
  return rule('effort with tools', 'pipecat-ai/pipecat#4043, BerriAI/litellm#34569', (body) => {
    const { reasoning_effort: effort, model } = body;
    if (!hasTools(body) || effort === 'none') return undefined;
    if (effort === undefined && !always) return undefined;
    return {
      kind: 'sentence',
      path: ['reasoning_effort'],
      message: `Function tools with reasoning_effort are not supported for ${text(model)} in /v1/chat/completions. ${words}`,
    };
  });
}

const OLD_WORDS = 'Please use /v1/responses instead.';
const NEW_WORDS = "To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
const NEW_TOOLS = toolSchemas('litellm llms/openai/responses/transformation.py', TOOL_SCHEMA);
const STOP = unsupported('litellm llms/openai/chat/o_series_transformation.py', ['stop']);

const FAMILIES: Vendor['families'] = {
  'gpt-4o': PLAIN,
  'gpt-4.1': PLAIN,
  o3: [
    ...OLD_CACHE,
    ...thinking('low medium high', 'medium'),
    STOP,
    unsupported(`${LITELLM}: supports_parallel_function_calling`, ['parallel_tool_calls']),
    unsupported(`${PARAMS}: not listed`, ['verbosity']),
    toolSchemas('litellm llms/openai/responses/transformation.py', OLD_TOOL_SCHEMA),
  ],
  'gpt-5': [...OLD_CACHE, ...thinking('minimal low medium high', 'medium'), STOP, NEW_TOOLS],
  'gpt-5.1': [...OLD_CACHE, ...thinking('none low medium high', 'none'), NEW_TOOLS],
  'gpt-5.4': [
    ...OLD_CACHE,
    ...thinking('none low medium high xhigh', 'none'),
    toolsAtNoneOnly(OLD_WORDS, false),
    NEW_TOOLS,
  ],
  'gpt-5.5': [
    ...OLD_CACHE,
    ...thinking('none low medium high xhigh', 'medium'),
    toolsAtNoneOnly(OLD_WORDS, false),
    NEW_TOOLS,
  ],
  'gpt-5.6': [
    ...thinking('none low medium high xhigh', 'medium'),
    toolsAtNoneOnly(NEW_WORDS, true),
    NEW_TOOLS,
  ],
  'gpt-6-sol': [...thinking('none low medium high xhigh', 'medium'), NEW_TOOLS],
  'gpt-6-astra': [...thinking('low medium high xhigh', 'medium'), NEW_TOOLS],
};

export const OPENAI: Vendor = {
  id: 'openai',
  protocol: 'openai-chat',
  refuse: refuseAsOpenai,
  rules: [onlyFields(SDK, FIELDS), ...COMMON],
  families: FAMILIES,
};

/** litellm llms/azure/chat/gpt_transformation.py, and what Azure's reference has beyond it. */
const AZURE_FIELDS = FIELDS.filter(
  (field) =>
    !/^(moderation|prompt_cache_options|prompt_cache_retention|service_tier|web_search_options)$/.test(
      field,
    ),
);

export const AZURE: Vendor = {
  id: 'azure',
  protocol: 'openai-chat',
  refuse: refuseAsAzure,
  rules: [onlyFields('litellm llms/azure/chat/gpt_transformation.py', AZURE_FIELDS), ...COMMON],
  families: {
    'gpt-4.1': PLAIN,
    'gpt-5': FAMILIES['gpt-5'] ?? [],
    'gpt-5.1': FAMILIES['gpt-5.1'] ?? [],
  },
};
