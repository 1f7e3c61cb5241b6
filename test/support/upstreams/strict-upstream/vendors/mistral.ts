import {
  callIds,
  imageTypes,
  only,
  onlyFields,
  onlyMessageFields,
  range,
  roles,
  says,
  toolNames,
  toolSchemas,
  unsupported,
} from '../checks.ts';
import { items, text, type Fault, type Refused, type Vendor } from '../rule.ts';
import { refusing, UNPROVEN } from '../words.ts';

const SDK = 'npm @mistralai/mistralai 2.7.0, ChatCompletionRequest';
const PARAMS = 'modelparams 0.0.53';

/** Without `stream_options` (dnakov/anon-kode#53), `user`, `seed` and `max_completion_tokens`. */
const FIELDS = `model temperature top_p max_tokens stream stop random_seed metadata messages
  response_format tools tool_choice presence_penalty frequency_penalty n prediction
  parallel_tool_calls reasoning_effort prompt_mode guardrails prompt_cache_key service_tier
  safe_prompt`.split(/\s+/);

function envelope(message: string, fault: Fault): Refused {
  if (fault.kind === 'sentence') {
    const [code, said = message] = message.includes('|') ? message.split('|') : [null, message];
    const type = code === '3280' ? 'invalid_function_call' : 'invalid_request_message_order';
    return { status: 400, body: { object: 'error', message: said, type, param: null, code } };
  }
  const role = fault.path[0] === 'messages' ? fault.path : [];
  const loc = ['body', ...(role.length > 0 ? role : fault.path)];
  const type = fault.kind === 'unknown' ? 'extra_forbidden' : 'literal_error';
  const detail = [{ type, loc, msg: message, input: null }];
  return {
    status: 422,
    body: {
      object: 'error',
      message: { detail },
      type: 'invalid_request_error',
      param: null,
      code: null,
    },
  };
}

const noEffort = unsupported('litellm 1.110.2: supports_reasoning', ['reasoning_effort']);

export const MISTRAL: Vendor = {
  id: 'mistral',
  protocol: 'openai-chat',
  refuse: refusing(
    {
      pattern: ({ value }) =>
        `Tool call id was ${value} but must be a-z, A-Z, 0-9, with a length of 9.`,
      long: ({ path }) => `${String(path.at(-1))}: String is too long`,
    },
    (message, fault) =>
      fault.kind === 'pattern'
        ? envelope(`3280|${message}`, { kind: 'sentence', path: fault.path, message })
        : envelope(message, fault),
  ),
  rules: [
    onlyFields(SDK, FIELDS),
    roles(SDK, ['assistant', 'system', 'tool', 'user']),
    onlyMessageFields('partITech/php-mistral#76, charmbracelet/crush#1590', {
      system: [],
      user: [],
      assistant: ['tool_calls', 'prefix'],
      tool: ['tool_call_id', 'name'],
    }),
    callIds('anomalyco/opencode#1680, nearai/ironclaw#1241', /^[a-zA-Z0-9]{9}$/, Infinity),
    toolNames(UNPROVEN, /^[a-zA-Z0-9_-]+$/, 64),
    toolSchemas(UNPROVEN, { rootObject: true }),
    range(PARAMS, 'temperature', 0, 1.5),
    range(PARAMS, 'top_p', 0.01, 1),
    imageTypes(UNPROVEN, ['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
    only(
      'litellm llms/mistral _map_tool_choice',
      'tool_choice',
      ['auto', 'none', 'any', 'required'],
      (body) => typeof body['tool_choice'] === 'object',
    ),
    says('messages', 'mistralai/mistral-common#169', ({ messages }) => {
      let before = '';
      for (const [, { role, content, tool_calls: calls }] of items(messages)) {
        if (before === 'tool' && role === 'user') {
          return "3230|Unexpected role 'user' after role 'tool'";
        }
        if (role === 'assistant' && text(content) === '' && items(calls).length === 0) {
          return Array.isArray(content)
            ? undefined
            : '3240|Assistant message must have either content or tool_calls, but not none.';
        }
        before = text(role);
      }
      const last = items(messages).at(-1)?.[1];
      return last?.['role'] === 'assistant' && last['prefix'] !== true
        ? '3230|Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant'
        : undefined;
    }),
  ],
  families: {
    'mistral-large-2512': [noEffort],
    'codestral-2508': [noEffort],
    'mistral-medium-3.5': [only(SDK, 'reasoning_effort', ['none', 'high'])],
  },
};
