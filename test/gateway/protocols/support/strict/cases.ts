/** Requests that clients send and that one vendor or another refuses as they are. */
import { CLIENTS, type Ask, type Client } from './ask.ts';
import {
  HOSTILE_NAMES,
  HOSTILE_SCHEMAS,
  MANY_OPTIONAL,
  PLAIN_SCHEMA,
  SIXTY_TOOLS,
  tool,
} from './hostile-tools.ts';
import { ODD_CASES } from './odd-cases.ts';
import { RESULT_CASES } from './result-cases.ts';

export interface RequestCase {
  readonly name: string;
  readonly ask: Ask;
  /** The protocols whose clients can ask it. */
  readonly clients: readonly Client[];
  /** Weir may refuse it, naming one of these. */
  readonly refusedFor?: readonly string[];
  /** A row that refuses what the client itself asked for; its refusal is the client's. */
  readonly except?: string;
  /** The model calls these tools, and the client gets them under these names. */
  readonly calls?: readonly string[];
}

const LONG_ID = `call_${'a1B2c3D4e5'.repeat(8)}z`;
const TURN = (text: string) => [{ user: text }];

/** Names that two protocols know, and those that only one takes from its own clients. */
const WORDS: Readonly<Record<Client, readonly string[]>> = {
  chat: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  responses: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  messages: ['low', 'medium', 'high', 'xhigh', 'max'],
  gemini: ['minimal', 'low', 'medium', 'high'],
};

const EFFORTS: readonly RequestCase[] = WORDS.chat.flatMap((effort) => {
  const clients = CLIENTS.filter((client) => WORDS[client].includes(effort));
  return [
    { name: `effort ${effort}`, ask: { effort }, clients },
    {
      name: `effort ${effort}, tools`,
      ask: { effort, tools: [tool('plain_tool')] },
      clients: clients.filter(() => effort === 'high' || effort === 'max'),
    },
  ];
});

const NAMES: readonly RequestCase[] = HOSTILE_NAMES.map((name) => ({
  name: `tool name ${name.slice(0, 12)}`,
  ask: { turns: TURN('Please [call 1].'), tools: [tool('first_tool'), tool(name)] },
  clients: CLIENTS,
  calls: [name],
  // A client's own protocol may not know the name either.
  refusedFor: ['name'],
}));

const SCHEMAS: readonly RequestCase[] = HOSTILE_SCHEMAS.map((schema, index) => ({
  name: `tool schema ${String(index + 1)}`,
  ask: { tools: [tool('plain_tool', schema)] },
  clients: CLIENTS,
}));

function history(...calls: readonly { id: string; name: string }[]): Ask {
  return {
    turns: [{ user: 'Hello' }, ...calls.map((call) => ({ calls: [call] })), { user: 'And now?' }],
    tools: [tool('list_dir')],
  };
}

const HISTORIES: readonly RequestCase[] = [
  {
    name: 'call and result',
    ask: history({ id: 'call_1', name: 'list_dir' }),
    clients: CLIENTS,
  },
  {
    name: 'results are last',
    ask: {
      ...history({ id: 'call_1', name: 'list_dir' }),
      turns: [
        { user: 'Hello' },
        {
          calls: [
            { id: 'call_1', name: 'list_dir' },
            { id: 'call_2', name: 'list_dir' },
          ],
        },
      ],
    },
    clients: CLIENTS,
  },
  {
    name: 'call id of 86 letters',
    ask: history({ id: LONG_ID, name: 'list_dir' }),
    clients: CLIENTS,
  },
  {
    name: 'call ids repeated in each turn',
    ask: history({ id: 'list_dir:0', name: 'list_dir' }, { id: 'list_dir:0', name: 'list_dir' }),
    clients: CLIENTS,
  },
  {
    name: 'a made-up name in the history',
    ask: history({ id: 'call_1', name: 'list the directory' }),
    clients: CLIENTS,
    refusedFor: ['name'],
  },
  {
    name: 'calls without tools',
    ask: { turns: history({ id: 'call_1', name: 'list_dir' }).turns ?? [] },
    clients: CLIENTS,
    refusedFor: ['tools'],
  },
  {
    name: 'ends with the assistant',
    ask: { turns: [{ user: 'Hello' }, { assistant: 'My answer is' }] },
    clients: CLIENTS,
    refusedFor: ['messages', 'contents', 'input', 'assistant', 'end with a user role'],
  },
  {
    name: 'ends with white space of the assistant',
    ask: { turns: [{ user: 'Hello' }, { assistant: 'My answer is ' }] },
    clients: CLIENTS,
    refusedFor: ['messages', 'contents', 'input', 'assistant', 'end with a user role'],
  },
  {
    name: 'a blank message in between',
    ask: { turns: [{ user: 'Hello' }, { assistant: ' ' }, { user: 'Are you there?' }] },
    clients: CLIENTS,
    refusedFor: ['messages', 'contents', 'input'],
  },
];

const PARAMETERS: readonly RequestCase[] = [
  { name: 'plain', ask: {}, clients: CLIENTS },
  { name: 'system', ask: { system: 'Be brief.' }, clients: CLIENTS },
  {
    name: 'developer role',
    ask: {
      extra: {
        chat: {
          messages: [
            { role: 'developer', content: 'Be brief.' },
            { role: 'user', content: 'Hi' },
          ],
        },
        responses: {
          input: [
            { role: 'developer', content: 'Be brief.' },
            { role: 'user', content: 'Hi' },
          ],
        },
      },
    },
    clients: ['chat', 'responses'],
  },
  { name: 'temperature', ask: { temperature: 0.2 }, clients: CLIENTS },
  {
    name: 'temperature 1.8',
    ask: { temperature: 1.8 },
    clients: ['chat', 'responses', 'gemini'],
    refusedFor: ['temperature'],
  },
  { name: 'temperature and top_p', ask: { temperature: 0.2, topP: 0.9 }, clients: CLIENTS },
  { name: 'top_k', ask: { topK: 40 }, clients: ['messages', 'gemini'] },
  { name: 'penalties', ask: { penalty: 0.5 }, clients: ['chat', 'gemini'] },
  { name: 'seed', ask: { seed: 7 }, clients: ['chat', 'gemini'] },
  {
    name: 'seed of 2^40',
    ask: { seed: 2 ** 40 },
    clients: ['chat'],
    refusedFor: ['seed'],
  },
  { name: 'stop', ask: { stop: ['END'] }, clients: ['chat', 'messages', 'gemini'] },
  {
    name: 'five stop sequences',
    ask: { stop: ['A1', 'B2', 'C3', 'D4', 'E5'] },
    clients: ['messages', 'gemini'],
  },
  { name: 'eight stop sequences', ask: { stop: 'ABCDEFGH'.split('') }, clients: ['messages'] },
  { name: 'one token', ask: { maxTokens: 1 }, clients: CLIENTS, refusedFor: ['max'] },
  { name: 'thinking budget', ask: { budget: 2_000 }, clients: ['messages', 'gemini'] },
  { name: 'thinking budget 0', ask: { budget: 0 }, clients: ['gemini'] },
  {
    name: 'thinking budget and temperature',
    ask: { budget: 2_000, temperature: 1 },
    clients: ['messages', 'gemini'],
  },
  {
    name: 'adaptive thinking',
    ask: { effort: 'high', extra: { messages: { thinking: { type: 'adaptive' } } } },
    clients: ['messages'],
  },
  {
    name: 'thinking disabled',
    ask: { extra: { messages: { thinking: { type: 'disabled' } } } },
    clients: ['messages'],
  },
  {
    name: 'verbosity',
    ask: { extra: { chat: { verbosity: 'low' }, responses: { text: { verbosity: 'low' } } } },
    clients: ['chat', 'responses'],
  },
  {
    name: 'prompt_cache_key',
    ask: {
      extra: {
        chat: { prompt_cache_key: 'session-1' },
        responses: { prompt_cache_key: 'session-1' },
      },
    },
    clients: ['chat', 'responses'],
  },
  {
    name: 'user of 90 letters',
    ask: {
      extra: {
        chat: { user: 'u'.repeat(90) },
        responses: { user: 'u'.repeat(90) },
        messages: { metadata: { user_id: 'u'.repeat(90) } },
      },
    },
    clients: ['chat', 'responses', 'messages'],
  },
  {
    name: 'include',
    ask: { extra: { responses: { include: ['reasoning.encrypted_content'] } } },
    clients: ['responses'],
  },
  {
    name: 'reasoning summary',
    ask: { extra: { responses: { reasoning: { effort: 'low', summary: 'auto' } } } },
    clients: ['responses'],
    except: 'openai-responses/gpt-5-mini',
  },
  {
    name: 'store and metadata',
    ask: { extra: { chat: { store: false, metadata: { a: 'b' }, service_tier: 'auto' } } },
    clients: ['chat'],
  },
  {
    name: 'cache marks',
    ask: {
      extra: {
        messages: {
          system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        },
      },
    },
    clients: ['messages'],
  },
];

const MEDIA: readonly RequestCase[] = [
  { name: 'png', ask: { image: { type: 'image/png' } }, clients: CLIENTS, refusedFor: ['image'] },
  {
    name: 'image/jpg',
    ask: { image: { type: 'image/jpg' } },
    clients: CLIENTS,
    refusedFor: ['image'],
  },
  {
    name: 'IMAGE/JPEG',
    ask: { image: { type: 'IMAGE/JPEG' } },
    clients: CLIENTS,
    refusedFor: ['image'],
  },
  { name: 'gif', ask: { image: { type: 'image/gif' } }, clients: CLIENTS, refusedFor: ['image'] },
  {
    name: 'image by address',
    ask: { image: { url: 'https://example.com/a.png' } },
    clients: CLIENTS,
    refusedFor: ['image', 'file', 'MIME'],
  },
];

const FORMAT_SCHEMA = {
  type: 'object',
  properties: {
    age: { type: 'integer', minimum: 0, maximum: 150 },
    name: { type: 'string', maxLength: 40 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
  },
  required: ['age'],
};
const STRICT_FORMAT = {
  ...FORMAT_SCHEMA,
  required: ['age', 'name', 'tags'],
  additionalProperties: false,
};

/** The protocols' forms of a forced tool, and of a reply's format. */
const FORCED = ['tool_choice', 'toolConfig'];
const FORMATS = ['format', 'output_config', 'responseMimeType', 'responseJsonSchema'];

const TOOLS: readonly RequestCase[] = [
  { name: 'sixty MCP tools', ask: { tools: SIXTY_TOOLS }, clients: CLIENTS, refusedFor: ['name'] },
  {
    name: '130 tools',
    ask: { tools: Array.from({ length: 130 }, (_, index) => tool(`tool_${String(index)}`)) },
    clients: CLIENTS,
    refusedFor: ['tools'],
  },
  {
    name: '25 strict tools',
    ask: {
      tools: Array.from({ length: 25 }, (_, index) =>
        tool(`tool_${String(index)}`, { ...PLAIN_SCHEMA, additionalProperties: false }, true),
      ),
    },
    clients: ['chat', 'responses', 'messages'],
  },
  {
    name: 'a strict tool and another',
    ask: { tools: [tool('a', { ...PLAIN_SCHEMA, additionalProperties: false }, true), tool('b')] },
    clients: ['chat', 'responses', 'messages'],
  },
  {
    name: 'strict tools with optional properties',
    ask: {
      tools: Array.from({ length: 15 }, (_, index) =>
        tool(`tool_${String(index)}`, MANY_OPTIONAL, true),
      ),
    },
    clients: ['chat', 'responses', 'messages'],
  },
  {
    name: 'a strict tool with bounds',
    ask: { tools: [tool('plain_tool', { ...FORMAT_SCHEMA, additionalProperties: false }, true)] },
    clients: ['chat', 'responses', 'messages'],
  },
  {
    name: 'any tool',
    ask: { tools: [tool('a'), tool('b')], force: 'any' },
    clients: CLIENTS,
    refusedFor: FORCED,
  },
  {
    name: 'a forced tool alongside an effort',
    ask: { tools: [tool('a'), tool('b')], force: { name: 'b' }, effort: 'high' },
    clients: CLIENTS,
    refusedFor: FORCED,
  },
  {
    name: 'one call at a time',
    ask: { tools: [tool('a')], serial: true },
    clients: ['chat', 'responses', 'messages'],
  },
  {
    name: 'a custom tool',
    ask: {
      extra: { responses: { tools: [{ type: 'custom', name: 'patch', description: 'Patch.' }] } },
    },
    clients: ['responses'],
    refusedFor: ['tools'],
  },
  { name: 'JSON', ask: { format: 'json' }, clients: ['chat', 'responses', 'gemini'] },
  {
    name: 'JSON without the word',
    ask: { format: 'json', turns: [{ user: 'Hello' }] },
    clients: ['gemini'],
    refusedFor: FORMATS,
  },
  {
    name: 'JSON schema',
    ask: { format: { schema: FORMAT_SCHEMA, strict: false } },
    clients: CLIENTS,
    refusedFor: FORMATS,
  },
  {
    name: 'strict JSON schema',
    ask: { format: { schema: STRICT_FORMAT, strict: true } },
    clients: CLIENTS,
    refusedFor: FORMATS,
  },
  {
    name: 'JSON schema alongside tools',
    ask: { format: { schema: STRICT_FORMAT, strict: true }, tools: [tool('plain_tool')] },
    clients: CLIENTS,
    refusedFor: FORMATS,
  },
];

export const CASES: readonly RequestCase[] = [
  ...PARAMETERS,
  ...EFFORTS.filter(({ clients }) => clients.length > 0),
  ...NAMES,
  ...SCHEMAS,
  ...HISTORIES,
  ...RESULT_CASES,
  ...ODD_CASES,
  ...MEDIA,
  ...TOOLS,
];
