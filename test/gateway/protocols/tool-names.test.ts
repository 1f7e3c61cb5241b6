import { describe, expect, it } from 'vitest';
import { isRefusal, type Refusal } from '../../../gateway/platform/errors/refusal.ts';
import { REQUEST_LIMITS, type ParsedRequest } from '../../../gateway/protocols/protocol.ts';
import { ENDPOINTS } from '../../../gateway/protocols/registry.ts';

const LONG = 'Wer ein Wehr baut, fragt, wie hoch das Wasser steht. '.repeat(200);
const PATHS = {
  chat: 'chat/completions',
  responses: 'responses',
  messages: 'messages',
  gemini: 'models/{model}:generateContent',
} as const;
type Client = keyof typeof PATHS;

function parse(client: Client, body: object): ParsedRequest | Refusal {
  const endpoint = ENDPOINTS.find(({ path }) => path === PATHS[client]);
  if (endpoint === undefined) throw new Error('no such endpoint');
  const head = { endpoint, pathModel: client === 'gemini' ? 'm' : null, query: '', headers: {} };
  const bytes = Buffer.from(JSON.stringify(body));
  return endpoint.protocol.parse(bytes, head, REQUEST_LIMITS);
}

/** A request with these fields, small and as large as those that are scanned. */
function requests(client: Client, fields: object): object[] {
  return ['Hi', LONG].map((text) => {
    switch (client) {
      case 'chat':
        return { model: 'm', messages: [{ role: 'user', content: text }], ...fields };
      case 'responses':
        return { model: 'm', input: text, ...fields };
      case 'messages':
        return {
          model: 'm',
          max_tokens: 5,
          messages: [{ role: 'user', content: text }],
          ...fields,
        };
      case 'gemini':
        return { contents: [{ role: 'user', parts: [{ text }] }], ...fields };
    }
  });
}

/** By where a name should be: what has it there. */
const DEFINED: readonly (readonly [Client, param: string, fields: (name: object) => object])[] = [
  [
    'chat',
    'tools[1].function.name',
    (name) => ({
      tools: [
        { type: 'function', function: { name: 'f' } },
        { type: 'function', function: { ...name, description: 'd', parameters: {} } },
      ],
    }),
  ],
  [
    'chat',
    'tools[0].function.name',
    (name) => ({ tools: [{ function: { parameters: {}, ...name } }] }),
  ],
  ['chat', 'tools[0].custom.name', (name) => ({ tools: [{ type: 'custom', custom: name }] })],
  ['chat', 'functions[0].name', (name) => ({ functions: [{ ...name, parameters: {} }] })],
  ['chat', 'function_call.name', (name) => ({ function_call: name })],
  [
    'chat',
    'tool_choice.function.name',
    (name) => ({ tool_choice: { type: 'function', function: name } }),
  ],
  [
    'chat',
    'tool_choice.custom.name',
    (name) => ({ tool_choice: { type: 'custom', custom: name } }),
  ],
  ['responses', 'tools[0].name', (name) => ({ tools: [{ type: 'function', ...name }] })],
  ['responses', 'tools[0].name', (name) => ({ tools: [{ type: 'custom', ...name }] })],
  [
    'responses',
    'tools[0].tools[0].name',
    (name) => ({
      tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', ...name }] }],
    }),
  ],
  ['responses', 'tool_choice.name', (name) => ({ tool_choice: { type: 'function', ...name } })],
  ['messages', 'tools[0].name', (name) => ({ tools: [{ ...name, input_schema: {} }] })],
  [
    'messages',
    'tools[0].name',
    (name) => ({ tools: [{ type: 'custom', ...name, input_schema: {} }] }),
  ],
  ['messages', 'tool_choice.name', (name) => ({ tool_choice: { type: 'tool', ...name } })],
  [
    'gemini',
    'tools[0].functionDeclarations[1].name',
    (name) => ({ tools: [{ functionDeclarations: [{ name: 'f' }, { ...name }] }] }),
  ],
  [
    'gemini',
    'tools[0].functionDeclarations[0].name',
    (name) => ({ tools: [{ function_declarations: [name] }] }),
  ],
];

const CODES = [
  [{}, 'missing_required_parameter'],
  [{ name: null }, 'missing_required_parameter'],
  [{ name: '' }, 'invalid_value'],
  [{ name: 7 }, 'invalid_type'],
  [{ name: { a: 1 } }, 'invalid_type'],
] as const;

describe.each(DEFINED)('%s: %s', (client, param, fields) => {
  it('is refused by its place when it is no name, in requests of every size', () => {
    for (const [name, code] of CODES) {
      for (const body of requests(client, fields(name))) {
        const refusal = parse(client, body);
        expect(refusal).toMatchObject({ refused: code, param });
        if (isRefusal(refusal)) expect(refusal.message).toContain(param.replace(/\.name$/, ''));
      }
    }
    for (const body of requests(client, fields({ name: 'f' }))) {
      expect(isRefusal(parse(client, body))).toBe(false);
    }
  });
});

const call = (name: object): readonly (readonly [Client, string, object])[] => [
  [
    'chat',
    'messages[1].tool_calls[0].function.name',
    {
      messages: [
        { role: 'user', content: LONG },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { ...name, arguments: '{}' } }],
        },
      ],
    },
  ],
  [
    'chat',
    'messages[0].tool_calls[0].custom.name',
    {
      messages: [
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c', type: 'custom', custom: { input: '', ...name } }],
        },
      ],
    },
  ],
  [
    'responses',
    'input[0].name',
    { input: [{ type: 'function_call', call_id: 'c', arguments: '{}', ...name }] },
  ],
  [
    'messages',
    'messages[0].content[0].name',
    {
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', input: {}, ...name }] },
      ],
    },
  ],
];

it('a call that is sent back has a name, which servers of one’s own may have left empty', () => {
  for (const name of [{}, { name: 7 }]) {
    for (const [client, param, fields] of call(name)) {
      for (const body of requests(client, fields)) {
        expect(parse(client, body), param).toMatchObject({ param });
      }
    }
  }
  for (const name of [{ name: '' }, { name: 'f' }]) {
    for (const [client, param, fields] of call(name)) {
      for (const body of requests(client, fields)) {
        expect(isRefusal(parse(client, body)), param).toBe(false);
      }
    }
  }
});

it.each<readonly [Client, object]>([
  ['chat', { tools: [{ type: 'function', name: 'f', parameters: {} }] }],
  ['chat', { tool_choice: { type: 'function', name: 'f' } }],
  ['chat', { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } } }],
  ['chat', { tool_choice: 'auto', function_call: 'none' }],
  ['responses', { tools: [{ type: 'web_search' }, { type: 'local_shell' }] }],
  ['responses', { tool_choice: { type: 'web_search' } }],
  ['messages', { tools: [{ type: 'bash_20250124', name: 'bash' }] }],
  ['messages', { tool_choice: { type: 'any' } }],
  ['gemini', { tools: [{ functionDeclarations: [] }, { googleSearch: {} }] }],
])('%s takes %j, as vendors do', (client, fields) => {
  for (const body of requests(client, fields)) {
    const parsed = parse(client, body);
    expect(isRefusal(parsed) ? parsed : undefined).toBeUndefined();
  }
});

it('says that a tool has the form of another interface', () => {
  const tools = [{ type: 'function', function: { name: 'f' } }];
  const refusal = parse('responses', { model: 'm', input: 'Hi', tools });
  expect(refusal).toMatchObject({ param: 'tools[0].name' });
  if (isRefusal(refusal)) expect(refusal.message).toContain('chat completions');
});
