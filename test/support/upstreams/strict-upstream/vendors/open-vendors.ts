/** Vendors of chat completions that ignore most fields that they do not know. */
import {
  chatCallOrder,
  forcesTool,
  imageTypes,
  lengthMax,
  only,
  range,
  roles,
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
import { openaiEnvelope, refusing, UNPROVEN } from '../words.ts';
import { argumentsAreJson, hasUser, noEmptyContent } from './odd-messages.ts';
import { mentionsJson, OLD_TOOL_SCHEMA } from './openai.ts';

const PARAMS = 'modelparams 0.0.53';
const FOUR_ROLES = ['system', 'user', 'assistant', 'tool'];
const COMMON: readonly Rule[] = [
  chatCallOrder(UNPROVEN),
  toolNames(UNPROVEN, /^[a-zA-Z0-9_-]+$/, 64),
  toolSchemas(UNPROVEN, OLD_TOOL_SCHEMA),
];

function camel(field: string): string {
  return field.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

const XAI_EFFORT = `${PARAMS}; xai docs`;
const XAI_NO_STOP = unsupported('litellm 1.110.2 llms/xai/chat/transformation.py', ['stop']);

export const XAI: Vendor = {
  id: 'xai',
  protocol: 'openai-chat',
  refuse: refusing(
    {
      unsupported: ({ path }) => `Argument not supported on this model: ${camel(String(path[0]))}`,
    },
    (message, { kind, path }, model) => ({
      status: 400,
      body: {
        code: 'Client specified an invalid argument',
        error:
          kind === 'value' && path[0] === 'reasoning_effort'
            ? `Model ${model} does not support parameter reasoningEffort.`
            : message,
      },
    }),
  ),
  rules: [
    ...COMMON,
    roles(UNPROVEN, FOUR_ROLES),
    unsupported(
      'litellm 1.110.2 llms/xai (grok-4 penalties)',
      ['presence_penalty', 'frequency_penalty'],
      { name: 'penalties' },
    ),
    unsupported(UNPROVEN, ['store']),
    range(PARAMS, 'temperature', 0, 2),
    imageTypes('docs.x.ai', ['image/jpeg', 'image/png']),
    lengthMax('the CLI proxy of xAI', 'tools', 200),
  ],
  families: {
    'grok-4.20-0309-reasoning': [only(XAI_EFFORT, 'reasoning_effort', []), XAI_NO_STOP],
    'grok-4.3': [
      only(XAI_EFFORT, 'reasoning_effort', ['none', 'low', 'medium', 'high']),
      XAI_NO_STOP,
    ],
    'grok-4.6': [only(XAI_EFFORT, 'reasoning_effort', ['low', 'medium', 'high', 'xhigh'])],
  },
};

/** Turns that called tools carry what was thought, or `sentence` is said. */
export function needsReasoning(
  source: string,
  sentence: (at: number) => string,
  isOff: (body: Json) => boolean,
) {
  return says(
    'reasoning_content',
    source,
    (body) => {
      if (isOff(body)) return undefined;
      const found = items(body['messages']).find(
        ([, { role, tool_calls: calls, reasoning_content: thought }]) =>
          role === 'assistant' && items(calls).length > 0 && text(thought) === '',
      );
      return found && sentence(found[0]);
    },
    'messages',
  );
}

export function isThinkingOff(body: Json): boolean {
  return valueAt(body, 'thinking.type') === 'disabled';
}

const TEXT_PARTS_ONLY = rule('image', 'browser-use/web-ui#99', ({ messages }) =>
  first(items(messages), ([at, { content }]) =>
    first(items(content), ([, { type }]) =>
      type === 'text'
        ? undefined
        : {
            kind: 'sentence',
            path: ['messages', at, 'content'],
            message: `Failed to deserialize the JSON body into the target type: messages[${String(at)}]: unknown variant \`${text(type)}\`, expected \`text\` at line 1 column 1`,
          },
    ),
  ),
);

export const DEEPSEEK: Vendor = {
  id: 'deepseek',
  protocol: 'openai-chat',
  refuse: refusing(
    {
      value: ({ path, value, allowed }) =>
        `Failed to deserialize the JSON body into the target type: ${path.join('.').replace(/\.(\d+)/g, '[$1]')}: unknown variant \`${String(value)}\`, expected one of ${allowed.map((word) => `\`${String(word)}\``).join(', ')} at line 1 column 1`,
    },
    openaiEnvelope,
  ),
  rules: [
    ...COMMON,
    roles('litellm llms/deepseek; public reports', FOUR_ROLES),
    TEXT_PARTS_ONLY,
    lengthMax(UNPROVEN, 'stop', 16),
    only('litellm 1.110.2 llms/deepseek SUPPORTED_REASONING_EFFORTS', 'reasoning_effort', [
      'low',
      'medium',
      'high',
      'xhigh',
      'max',
    ]),
    says('response_format', 'public reports of the sentence', (body) =>
      valueAt(body, 'response_format.type') === 'json_schema'
        ? 'This response_format type is unavailable now'
        : undefined,
    ),
    says('tool_choice', 'public reports of the sentence', (body) =>
      forcesTool(body) && !isThinkingOff(body)
        ? 'Thinking mode does not support this tool_choice'
        : undefined,
    ),
    needsReasoning(
      'litellm 1.110.2 llms/deepseek/chat/transformation.py, line 96',
      () => 'The reasoning_content in the thinking mode must be passed back to the API.',
      isThinkingOff,
    ),
    mentionsJson(),
  ],
  families: { 'deepseek-v4-pro': [], 'deepseek-v4-flash': [] },
};

const KIMI_FIXED = [
  only('litellm 1.110.2 llms/moonshot; modelparams', 'temperature', [1]),
  only(`${PARAMS}: not listed`, 'top_p', [0.95, 1]),
  only(`${PARAMS}: not listed`, 'presence_penalty', [0]),
  only(`${PARAMS}: not listed`, 'frequency_penalty', [0]),
  only(`${PARAMS}: not listed`, 'n', [1]),
];
const KIMI_REASONING = needsReasoning(
  'litellm 1.110.2 llms/moonshot fill_reasoning_content',
  (at) =>
    `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${String(at)}`,
  isThinkingOff,
);

export const MOONSHOT: Vendor = {
  id: 'moonshot',
  protocol: 'openai-chat',
  refuse: refusing(
    {
      value: ({ path, allowed }) =>
        `invalid ${String(path.at(-1))}: only ${String(allowed[0])} is allowed for this model`,
      unsupported: ({ path }) =>
        `invalid request: ${String(path[0])} is not supported by this model`,
    },
    openaiEnvelope,
  ),
  rules: [
    ...COMMON,
    roles(UNPROVEN, FOUR_ROLES),
    noEmptyContent('MoonshotAI/kimi-cli#2621', 'text content is empty'),
    KIMI_REASONING,
    says('thinking', 'HKUDS/nanobot#3939', (body) =>
      body['thinking'] !== undefined && body['reasoning_effort'] !== undefined
        ? 'invalid request: thinking and reasoning_effort cannot be set at the same time'
        : undefined,
    ),
  ],
  families: {
    'kimi-k2.6': [
      ...KIMI_FIXED,
      unsupported(`${PARAMS}: not listed`, ['reasoning_effort']),
      only(PARAMS, 'response_format.type', ['text', 'json_object']),
      says('tool_choice', `${PARAMS}: auto, none`, (body) =>
        forcesTool(body) && !isThinkingOff(body)
          ? "tool_choice 'required' is incompatible with thinking enabled"
          : undefined,
      ),
    ],
    'kimi-k3': [...KIMI_FIXED, only(PARAMS, 'reasoning_effort', ['low', 'high', 'max'])],
  },
};

export const DASHSCOPE: Vendor = {
  id: 'dashscope',
  protocol: 'openai-chat',
  refuse: refusing(
    {
      value: ({ path, value, allowed }) =>
        `<400> InternalError.Algo.InvalidParameter: ${String(value)} is not one of ${JSON.stringify(allowed)} - '${path.join('.').replace(/\.(\d+)/g, '.[$1]')}'`,
    },
    (message) => ({
      status: 400,
      body: {
        error: {
          message,
          type: 'invalid_request_error',
          param: null,
          code: 'invalid_parameter_error',
        },
      },
    }),
  ),
  rules: [
    ...COMMON,
    roles('public reports of the sentence', FOUR_ROLES),
    argumentsAreJson(
      'HKUDS/nanobot#2469; continuedev/continue#11556',
      '<400> InternalError.Algo.InvalidParameter: The "function.arguments" parameter of the code model must be in JSON format.',
    ),
    hasUser(
      'agentscope-ai/agentscope-java#613',
      '<400> InternalError.Algo.InvalidParameter: The input messages do not contain elements with the role of user',
    ),
    mentionsJson(),
    range(`${PARAMS}: below 2`, 'temperature', 0, 1.99),
    says('tool_choice', UNPROVEN, (body) =>
      (body['tool_choice'] === 'required' || isObject(body['tool_choice'])) &&
      body['enable_thinking'] !== false
        ? '<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode'
        : undefined,
    ),
    rule('file part', UNPROVEN, ({ messages }) =>
      first(items(messages), ([at, { content }]) =>
        first(items(content), ([index, { type }]) =>
          type === 'file'
            ? {
                kind: 'value',
                path: ['messages', at, 'content', index, 'type'],
                value: 'file',
                allowed: ['text', 'image_url', 'video_url', 'input_audio'],
              }
            : undefined,
        ),
      ),
    ),
  ],
  families: {
    'qwen3.8-max': [],
    'qwen3.6-plus': [only(UNPROVEN, 'response_format.type', ['text', 'json_object'])],
  },
};

export const MINIMAX: Vendor = {
  id: 'minimax',
  protocol: 'openai-chat',
  refuse: refusing({}, (message) => ({
    status: 400,
    body: {
      type: 'error',
      error: {
        type: 'bad_request_error',
        message: `invalid params, ${message} (2013)`,
        http_code: '400',
      },
    },
  })),
  rules: [
    ...COMMON,
    roles(UNPROVEN, FOUR_ROLES),
    toolSchemas('QwenLM/qwen-code#11834', {}, 'required'),
    range(PARAMS, 'temperature', 0.01, 1),
    range(PARAMS, 'top_p', 0.01, 1),
    says('messages', UNPROVEN, ({ messages }) => {
      const at = items(messages).findLast(([, { role }]) => role === 'system')?.[0];
      return at === undefined || at === 0 ? undefined : 'invalid message role: system';
    }),
  ],
  families: { 'MiniMax-M3': [] },
};

export const OPENROUTER: Vendor = {
  id: 'openrouter',
  protocol: 'openai-chat',
  refuse: refusing(
    {
      value: ({ path, allowed }) =>
        `${path.join('.')}: Invalid option: expected one of ${allowed.map((word) => `"${String(word)}"`).join('|')}`,
    },
    (message) => ({ status: 400, body: { error: { message, code: 400 } } }),
  ),
  rules: [
    ...COMMON,
    lengthMax('public reports', 'user', 128),
    only('litellm 1.110.2 llms/openrouter map_openai_params', 'reasoning_effort', [
      'xhigh',
      'high',
      'medium',
      'low',
      'minimal',
      'none',
    ]),
    says('tool_choice', UNPROVEN, ({ tool_choice: choice }) =>
      isObject(choice) && choice['type'] === 'allowed_tools'
        ? "No endpoints found that support the provided 'tool_choice' value."
        : undefined,
    ),
  ],
  families: { 'anthropic/claude-opus-4.6': [], 'openai/gpt-5.1': [] },
};
