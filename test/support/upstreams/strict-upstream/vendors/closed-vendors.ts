/** Vendors of chat completions that refuse every field that they do not know. */
import {
  chatCallOrder,
  only,
  onlyFields,
  onlyMessageFields,
  onlyPartFields,
  range,
  roles,
  says,
  toolNames,
  toolSchemas,
} from '../checks.ts';
import type { Vendor } from '../rule.ts';
import { dotted, openaiEnvelope, pythonTuple, refusing, UNPROVEN } from '../words.ts';
import { OLD_TOOL_SCHEMA } from './openai.ts';

const FOUR_ROLES = ['system', 'user', 'assistant', 'tool'];
const MESSAGE_FIELDS = {
  system: ['name'],
  user: ['name'],
  assistant: ['name', 'tool_calls', 'reasoning_content'],
  tool: ['tool_call_id', 'name'],
};

/** litellm's list leaves `user`, `n` and `stream_options` out; the last is known to work. */
const NVIDIA_FIELDS = `messages model stream stream_options temperature top_p frequency_penalty
  presence_penalty max_tokens stop seed tools tool_choice parallel_tool_calls response_format
  reasoning_effort`.split(/\s+/);

export const NVIDIA: Vendor = {
  id: 'nvidia',
  protocol: 'openai-chat',
  refuse: refusing(
    {
      unknown: ({ path }) => `Validation: Unsupported parameter(s): \`${dotted(path)}\``,
      value: ({ path, allowed }) =>
        `[{'type': 'literal_error', 'loc': ${pythonTuple(['body', ...path])}, 'msg': "Input should be ${allowed.join(' or ')}"}]`,
    },
    (message) => ({ status: 400, body: { error: { message, type: 'BadRequest', code: 400 } } }),
  ),
  rules: [
    onlyFields(
      'litellm 1.110.2 llms/nvidia_nim/chat/transformation.py; modelparams',
      NVIDIA_FIELDS,
    ),
    roles(UNPROVEN, FOUR_ROLES),
    onlyMessageFields(UNPROVEN, MESSAGE_FIELDS),
    range('modelparams 0.0.53', 'temperature', 0, 1),
    range('modelparams 0.0.53', 'max_tokens', 1, 16_384),
    chatCallOrder(UNPROVEN),
    toolSchemas(UNPROVEN, OLD_TOOL_SCHEMA),
  ],
  families: {
    'meta/llama-3.3-nemotron-super-49b-v1.5': [
      says('reasoning_effort', 'modelparams 0.0.53', ({ reasoning_effort: effort }) =>
        effort === undefined
          ? undefined
          : 'Validation: Unsupported parameter(s): `reasoning_effort`',
      ),
    ],
    'nvidia/nemotron-3-super-120b-a12b': [
      only('modelparams 0.0.53', 'reasoning_effort', ['none', 'low', 'high']),
    ],
  },
};

const FIREWORKS_FIELDS =
  `messages model stream max_completion_tokens max_tokens temperature top_p top_k
  frequency_penalty presence_penalty n stop response_format user logprobs prompt_truncate_len
  context_length_exceeded_behavior seed top_logprobs min_p typical_p repetition_penalty
  mirostat_target mirostat_lr logit_bias echo echo_last ignore_eos prompt_cache_key
  prompt_cache_isolation_key raw_output perf_metrics_in_response return_token_ids safe_tokenization
  service_tier speculation prediction stream_options sampling_mask tools parallel_tool_calls
  tool_choice reasoning_effort reasoning_history thinking metadata`.split(/\s+/);

export const FIREWORKS: Vendor = {
  id: 'fireworks',
  protocol: 'openai-chat',
  refuse: refusing(
    {
      unknown: ({ path }) => `Extra inputs are not permitted, field: '${dotted(path)}', value: ...`,
      value: ({ path, value }) =>
        `Input should be a valid value, field: '${dotted(path)}', value: '${String(value)}'`,
    },
    (message) => ({
      status: 400,
      body: { error: { object: 'error', type: 'invalid_request_error', message } },
    }),
  ),
  rules: [
    onlyFields('litellm 1.110.2 llms/fireworks_ai/chat/transformation.py', FIREWORKS_FIELDS),
    roles(UNPROVEN, FOUR_ROLES),
    onlyMessageFields(UNPROVEN, MESSAGE_FIELDS),
    says('max_tokens', 'litellm llms/fireworks_ai/chat/transformation.py, line 337', (body) =>
      body['max_tokens'] !== undefined && body['max_completion_tokens'] !== undefined
        ? "Extra inputs are not permitted, field: 'max_completion_tokens', value: ..."
        : undefined,
    ),
    toolNames(UNPROVEN, /^[a-zA-Z0-9_-]+$/, 64),
    chatCallOrder(UNPROVEN),
    toolSchemas(UNPROVEN, OLD_TOOL_SCHEMA),
  ],
  families: {
    'accounts/fireworks/models/kimi-k3': [
      only('modelparams 0.0.53 (moonshot)', 'reasoning_effort', ['low', 'high', 'max', 'none']),
    ],
    'accounts/fireworks/models/gpt-oss-120b': [
      only('modelparams 0.0.53 (groq-sdk types)', 'reasoning_effort', ['low', 'medium', 'high']),
    ],
  },
};

/** A server of which nothing is known: the fields that every one has had from the first day. */
export const PLAIN_CHAT: Vendor = {
  id: 'plain',
  protocol: 'openai-chat',
  refuse: refusing(
    {},
    // As FastAPI does, on which most such servers are built.
    (message, { kind, path }) =>
      kind === 'unknown'
        ? {
            status: 422,
            body: {
              detail: [
                { type: 'extra_forbidden', loc: ['body', ...path], msg: message, input: null },
              ],
            },
          }
        : openaiEnvelope(message),
  ),
  rules: [
    onlyFields(
      'the oldest common fields of all vendors',
      'model messages stream stream_options max_tokens temperature top_p stop tools tool_choice response_format'.split(
        ' ',
      ),
    ),
    roles('as above', FOUR_ROLES),
    onlyMessageFields('as above', {
      system: [],
      user: [],
      assistant: ['tool_calls'],
      tool: ['tool_call_id'],
    }),
    onlyPartFields('as above', { text: ['text'], image_url: ['image_url'] }, [
      'name',
      'description',
      'parameters',
    ]),
    only('as above', 'response_format.type', ['text', 'json_object']),
    only('as above', 'tool_choice', ['auto', 'none']),
    toolNames('as above', /^[a-zA-Z0-9_-]+$/, 64),
    chatCallOrder('as above'),
    toolSchemas('as above', OLD_TOOL_SCHEMA),
  ],
  families: { 'some-model': [] },
};
