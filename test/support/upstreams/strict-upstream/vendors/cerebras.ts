import {
  chatCallOrder,
  formatSchema,
  only,
  onlyFields,
  onlyMessageFields,
  roles,
  says,
  toolSchemas,
} from '../checks.ts';
import { items, valueAt, type Vendor } from '../rule.ts';
import { dotted, refusing, UNPROVEN } from '../words.ts';
import { TOOL_SCHEMA } from './openai.ts';

/** Without `prompt_cache_key`, which the SDK has and keys without the feature are refused. */
const SDK = 'npm @cerebras/cerebras_cloud_sdk 1.91.0, ChatCompletionCreateParamsBase';

const FIELDS =
  `messages model clear_thinking disable_reasoning frequency_penalty logit_bias logprobs
  max_completion_tokens max_tokens min_completion_tokens min_tokens n parallel_tool_calls prediction
  presence_penalty reasoning_effort reasoning_format response_format seed service_tier stop stream
  stream_options temperature tool_choice tools top_logprobs top_p user`.split(/\s+/);

export const CEREBRAS: Vendor = {
  id: 'cerebras',
  protocol: 'openai-chat',
  refuse: refusing(
    {
      unknown: ({ path }) => {
        const at = path[0] === 'messages' ? dotted(path) : `body.${dotted(path)}`;
        return `${at}: property '${at}' is unsupported`;
      },
      schema: ({ problem, word }) =>
        problem === 'open_object'
          ? "'additionalProperties' is required to be supplied and set to false."
          : `Unsupported JSON schema fields: {'${word}'}`,
    },
    (message, { kind, path }) => ({
      status: kind === 'unknown' || kind === 'schema' ? 422 : 400,
      body: {
        message,
        type: 'invalid_request_error',
        param: kind === 'schema' ? path[0] : 'validation_error',
        code: 'wrong_api_format',
      },
    }),
  ),
  rules: [
    onlyFields(`${SDK}; Gitlawb/openclaude#740`, FIELDS),
    roles(`${SDK}: role`, ['assistant', 'user', 'system', 'tool']),
    onlyMessageFields('Alishahryar1/free-claude-code#1136', {
      system: ['name'],
      user: ['name'],
      assistant: ['name', 'tool_calls', 'reasoning'],
      tool: ['tool_call_id', 'name'],
    }),
    chatCallOrder(UNPROVEN),
    toolSchemas(UNPROVEN, TOOL_SCHEMA),
    says('parallel_tool_calls', 'agno-agi/agno#4508', ({ parallel_tool_calls: parallel }) =>
      parallel === false ? 'parallel_tool_calls: only true is supported by this model' : undefined,
    ),
    says('strict', 'RooCodeInc/Roo-Code#10334', ({ tools }) =>
      new Set(items(tools).map(([, tool]) => valueAt(tool, 'function.strict') === true)).size > 1
        ? "Tools with mixed values for 'strict' are not allowed. Please set all tools to 'strict: true' or 'strict: false'"
        : undefined,
    ),
    formatSchema('agno-agi/agno#6013, musistudio/claude-code-router#708', {
      closed: true,
      refused: ['minItems', 'maxItems', 'pattern', 'format'],
    }),
    toolSchemas(
      'agno-agi/agno#6013, musistudio/claude-code-router#708',
      { closed: true, refused: ['minItems', 'maxItems', 'pattern', 'format'] },
      'strict',
    ),
  ],
  families: {
    'gpt-oss-120b': [
      only(`${SDK}: reasoning_effort`, 'reasoning_effort', ['low', 'medium', 'high']),
    ],
    'zai-glm-4.7': [
      only('modelparams 0.0.53', 'reasoning_effort', ['none', 'low', 'medium', 'high']),
    ],
  },
};
