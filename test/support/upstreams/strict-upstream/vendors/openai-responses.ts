import {
  callIds,
  formatSchema,
  imageTypes,
  lengthMax,
  only,
  onlyFields,
  range,
  says,
  toolNames,
  toolSchemas,
  unsupported,
} from '../checks.ts';
import {
  first,
  isObject,
  items,
  rule,
  text,
  valueAt,
  type Json,
  type Rule,
  type Vendor,
} from '../rule.ts';
import { refuseAsOpenai } from './openai-words.ts';
import { UNPROVEN } from '../words.ts';
import { IMAGES, OLD_TOOL_SCHEMA, STRICT_SCHEMA, TOOL_SCHEMA } from './openai.ts';

const SDK = 'npm openai 7.55.0, ResponseCreateParams';
const LITELLM = 'litellm 1.110.2 llms/openai/responses/transformation.py';
const MAP = 'litellm 1.110.2, model_prices_and_context_window_backup.json; modelparams 0.0.53';

/** `client_metadata` is no SDK's; Codex sends it. */
const FIELDS =
  `access_programs background client_metadata context_management conversation image include input
  instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls
  previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning
  safety_identifier service_tier store stream stream_options temperature text tool_choice tools
  top_logprobs top_p truncation user`.split(/\s+/);

const PARTS: Readonly<Record<string, readonly string[]>> = {
  input_text: ['text', 'prompt_cache_breakpoint'],
  input_image: ['image_url', 'detail', 'file_id', 'prompt_cache_breakpoint'],
  input_file: ['file_data', 'file_url', 'file_id', 'filename', 'detail', 'prompt_cache_breakpoint'],
  output_text: ['text', 'annotations', 'logprobs'],
  refusal: ['refusal'],
  summary_text: ['text'],
  reasoning_text: ['text'],
};

const FUNCTION_FIELDS =
  'type name parameters strict description allowed_callers async defer_loading output_schema'.split(
    ' ',
  );

/** Ids of items that OpenAI gave out begin so (litellm TOOL_CALL_ITEM_ID_PREFIX_BY_TYPE). */
const ID_PREFIXES: Readonly<Record<string, string>> = {
  function_call: 'fc',
  custom_tool_call: 'ctc',
  message: 'msg',
  reasoning: 'rs',
};

function unknownIn(object: Json, known: readonly string[], path: (string | number)[]) {
  const key = Object.keys(object).find((name) => !known.includes(name));
  return key === undefined ? undefined : ({ kind: 'unknown', path: [...path, key] } as const);
}

const parts = rule('part field', LITELLM, ({ input, tools }) => {
  const inInput = first(items(input), ([at, { content }]) =>
    first(items(content), ([index, part]) => {
      const known = PARTS[text(part['type'])];
      return known && unknownIn(part, ['type', ...known], ['input', at, 'content', index]);
    }),
  );
  if (inInput !== undefined) return inInput;
  return first(items(tools), ([at, tool]) =>
    tool['type'] === 'function' ? unknownIn(tool, FUNCTION_FIELDS, ['tools', at]) : undefined,
  );
});

const itemIds = rule('item id', LITELLM, ({ input }) =>
  first(items(input), ([at, { type = 'message', id }]) => {
    const prefix = ID_PREFIXES[text(type)];
    if (typeof id !== 'string' || prefix === undefined || id.startsWith(prefix)) return undefined;
    const path = ['input', at, 'id'];
    const message = `Invalid 'input[${String(at)}].id': '${id}'. Expected an ID that begins with '${prefix}'.`;
    return { kind: 'sentence', path, message, code: 'invalid_value' };
  }),
);

const calls = says('input', UNPROVEN, (_body, view) => {
  const known = new Set(view.calls.map(({ id }) => id));
  const answered = new Set(view.results.map(({ id }) => id));
  const orphan = view.results.find(({ id }) => !known.has(id));
  if (orphan !== undefined)
    return `No tool call found for function call output with call_id ${orphan.id}.`;
  const open = view.calls.find(({ id }) => !answered.has(id));
  return open && `No tool output found for function call ${open.id}.`;
});

const mentionsJson = says(
  'json_object without the word',
  SDK,
  (body) => {
    if (valueAt(body, 'text.format.type') !== 'json_object') return undefined;
    if (/json/i.test(JSON.stringify([body['input'], body['instructions']]))) return undefined;
    return "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.";
  },
  'input',
);

const COMMON: readonly Rule[] = [
  onlyFields(SDK, FIELDS),
  parts,
  itemIds,
  toolNames('langchain-ai/langchainjs#9804', /^[a-zA-Z0-9_-]+$/, 64),
  callIds('camel-ai/camel#2215', /./, 64),
  range(LITELLM, 'max_output_tokens', 16),
  range(SDK, 'temperature', 0, 2),
  lengthMax('mnfst/llm-gateway#2789', 'user', 64),
  lengthMax('maximhq/bifrost#1000', 'safety_identifier', 64),
  lengthMax('earendil-works/pi#4720, theopenco/llmgateway#3110', 'prompt_cache_key', 64),
  lengthMax(UNPROVEN, 'tools', 128),
  calls,
  toolSchemas(LITELLM, STRICT_SCHEMA, 'strict'),
  formatSchema(LITELLM, STRICT_SCHEMA, true),
  imageTypes('SDK comment of input_image', IMAGES),
  mentionsJson,
];

const encrypted = rule('include', 'pydantic/pydantic-ai#2865, #3326', ({ include }) =>
  Array.isArray(include) && include.includes('reasoning.encrypted_content')
    ? {
        kind: 'sentence',
        path: ['include'],
        message: 'Encrypted content is not supported with this model.',
      }
    : undefined,
);

const PLAIN: readonly Rule[] = [
  encrypted,
  unsupported(MAP, ['reasoning.effort', 'reasoning.summary'], { name: 'reasoning' }),
  only('modelparams 0.0.53: no text.verbosity', 'text.verbosity', ['medium']),
  toolSchemas(LITELLM, OLD_TOOL_SCHEMA),
];

function thinking(efforts: string, fallback: string): Rule[] {
  const unless = (body: Json): boolean =>
    (valueAt(body, 'reasoning.effort') ?? fallback) === 'none';
  return [
    only(MAP, 'reasoning.effort', efforts.split(' ')),
    unsupported(LITELLM, ['temperature'], {
      unless: (body) => unless(body) || body['temperature'] === 1,
    }),
    unsupported(LITELLM, ['top_p', 'top_logprobs'], { name: 'sampling', unless }),
  ];
}

/** An organisation that OpenAI has not verified gets no summaries. */
const unverified = rule('reasoning.summary', UNPROVEN, (body) =>
  valueAt(body, 'reasoning.summary') === undefined
    ? undefined
    : {
        kind: 'sentence',
        path: ['reasoning', 'summary'],
        message:
          'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.',
        code: 'unsupported_value',
      },
);

const TOOLS = toolSchemas(LITELLM, TOOL_SCHEMA);
const OLD_TOOLS = toolSchemas(LITELLM, OLD_TOOL_SCHEMA);
const noBreakpoints = rule('cache breakpoint', MAP, ({ input, prompt_cache_options: options }) => {
  if (isObject(options)) return { kind: 'unsupported', path: ['prompt_cache_options'] };
  return first(items(input), ([at, { content }]) =>
    first(items(content), ([index, part]) =>
      'prompt_cache_breakpoint' in part
        ? {
            kind: 'unknown',
            path: ['input', at, 'content', index, 'prompt_cache_breakpoint'],
          }
        : undefined,
    ),
  );
});

export const OPENAI_RESPONSES: Vendor = {
  id: 'openai-responses',
  protocol: 'openai-responses',
  refuse: refuseAsOpenai,
  rules: COMMON,
  families: {
    'gpt-4o': [...PLAIN, noBreakpoints],
    'gpt-4.1': [...PLAIN, noBreakpoints],
    o3: [
      ...thinking('low medium high', 'medium'),
      only('modelparams 0.0.53', 'text.verbosity', ['medium']),
      OLD_TOOLS,
      noBreakpoints,
    ],
    'gpt-5': [...thinking('minimal low medium high', 'medium'), TOOLS, noBreakpoints],
    'gpt-5-mini': [...thinking('minimal low medium high', 'medium'), TOOLS, unverified],
    'gpt-5.1': [...thinking('none low medium high', 'none'), TOOLS, noBreakpoints],
    'gpt-5.4': [...thinking('none low medium high xhigh', 'none'), TOOLS, noBreakpoints],
    'gpt-5.6': [...thinking('none low medium high xhigh max', 'medium'), TOOLS],
    'gpt-6-sol': [...thinking('none low medium high xhigh max', 'medium'), TOOLS],
    'gpt-6-astra': [...thinking('low medium high xhigh max', 'medium'), TOOLS],
  },
};
