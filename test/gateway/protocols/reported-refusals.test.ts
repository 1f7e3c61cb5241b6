import { expect, it } from 'vitest';
import { refusalOf, STRICT_ROWS } from '../../support/upstreams/strict-upstream/strict-upstream.ts';
import { PIXEL, type Json } from './support/strict/ask.ts';
import { sentBodies, type Sent } from './support/strict/encode.ts';

const RECURSIVE = {
  type: 'object',
  properties: { value: { $ref: '#/$defs/any' } },
  $defs: {
    any: {
      anyOf: [
        { type: 'string' },
        { type: 'array', items: { $ref: '#/$defs/any' } },
        { type: 'object', additionalProperties: { $ref: '#/$defs/any' } },
      ],
    },
  },
};
const deep = (levels: number): Json =>
  levels === 0
    ? { type: 'string' }
    : { type: 'object', properties: { inner: deep(levels - 1) }, required: ['inner'] };

const ASKED = { role: 'user', content: 'Hello' };
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
const CALL = { type: 'tool_use', id: 'call_1', name: 'look', input: {} };
const TOOL = { name: 'look', description: 'Looks.', input_schema: deep(1) };

/** A request of Messages. */
const messages = (more: object): Json => ({ max_tokens: 4_000, messages: [ASKED], ...more });
/** The same with a call that has this result. */
const withResult = (content: unknown): Json =>
  messages({
    tools: [TOOL],
    messages: [
      ASKED,
      { role: 'assistant', content: [CALL] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content }] },
    ],
  });
const chat = (more: object): Json => ({ messages: [ASKED], ...more });
const functionTool = (parameters: object) => ({
  type: 'function',
  function: { name: 'look', parameters },
});

const META = { chosen: 'meta', model: 'muse-spark-1.2', protocol: 'openai-chat' } as const;
const XIAOMI = { chosen: 'xiaomi', model: 'mimo-v2.6-pro', protocol: 'openai-chat' } as const;
const UNKNOWN = { chosen: null, model: 'some-model', protocol: 'openai-chat' } as const;
const gemini = (model: string) => ({ chosen: 'gemini', model, protocol: 'gemini' }) as const;
const claude = (model: string) =>
  ({ chosen: 'anthropic', model, protocol: 'anthropic-messages' }) as const;
const RESPONSES = {
  chosen: 'openai',
  model: 'gpt-5.2',
  protocol: 'openai-responses',
  client: 'responses',
} as const;
const OTHER_RESPONSES = { ...RESPONSES, chosen: null, model: 'some-model' } as const;
const FUNCTION_ITEM = { type: 'function', name: 'look', parameters: deep(1) };
const PATCH = { type: 'custom', name: 'apply_patch', description: 'Edits files.' };
const SEARCH = { type: 'server_tool_use', name: 'web_search', input: { query: 'tea' } };
const SAID = { type: 'text', text: 'Found it.' };
const FOUND = { type: 'web_search_tool_result', tool_use_id: 'call_1', content: [] };

/** The refusal of the report's vendor, where the strict upstream has no such row. */
type Refuses = (body: Json) => boolean;
const says =
  (words: string | RegExp): Refuses =>
  (body) =>
    new RegExp(words).test(JSON.stringify(body));

/** The report, what was sent to where, and what the vendor refused of it. */
const REPORTS: readonly (readonly [string, Sent, Refuses?])[] = [
  [
    'anomalyco/opencode#45800',
    {
      ...META,
      client: 'messages',
      body: messages({ tools: [{ ...TOOL, input_schema: RECURSIVE }] }),
    },
  ],
  [
    'duolahypercho/codex-router#792',
    {
      ...META,
      protocol: 'openai-responses',
      client: 'responses',
      body: {
        input: 'Hello',
        tools: [{ type: 'function', name: 'look', strict: false, parameters: RECURSIVE }],
      },
    },
    says('"\\$ref"'),
  ],
  [
    'anomalyco/opencode#50297',
    {
      ...META,
      client: 'messages',
      body: messages({ tools: [{ ...TOOL, input_schema: deep(14) }] }),
    },
  ],
  [
    'TauricResearch/TradingAgents#1301',
    {
      ...META,
      client: 'chat',
      body: chat({ tools: [functionTool(deep(1))], tool_choice: 'required' }),
    },
  ],
  [
    'TauricResearch/TradingAgents#1301, no tool',
    {
      ...META,
      client: 'messages',
      body: messages({ tools: [TOOL], tool_choice: { type: 'none' } }),
    },
  ],
  ['decolua/9router#3124', { ...META, client: 'chat', body: chat({ reasoning_effort: 'none' }) }],
  [
    'decolua/9router#3124, max',
    { ...META, client: 'chat', body: chat({ reasoning_effort: 'max' }) },
  ],
  [
    'XiaomiMiMo/MiMo#44',
    { ...XIAOMI, client: 'messages', body: withResult([{ type: 'text', text: 'Taken.' }, IMAGE]) },
  ],
  ['earendil-works/pi#4602', { ...XIAOMI, client: 'messages', body: withResult('done') }],
  [
    'XiaomiMiMo/MiMo-V2-Flash#8',
    { ...XIAOMI, client: 'messages', body: withResult('done') },
    says('"role":"assistant"(?!.*"content":"[^"])'),
  ],
  [
    'router-for-me/CLIProxyAPI#4737',
    {
      chosen: 'deepseek',
      model: 'deepseek-v4-pro',
      protocol: 'openai-chat',
      client: 'messages',
      body: withResult([{ type: 'text', text: 'Taken.' }, IMAGE]),
    },
  ],
  [
    'anomalyco/opencode#25495',
    {
      chosen: 'moonshot',
      model: 'kimi-k2.6',
      protocol: 'openai-chat',
      client: 'chat',
      body: chat({ tools: [functionTool(deep(14))] }),
    },
    says(`(?:"inner":{"type":"object".*){11}`),
  ],
  [
    'router-for-me/CLIProxyAPI#551',
    {
      ...claude('claude-opus-4-1'),
      client: 'chat',
      body: chat({ messages: [ASKED, { role: 'assistant', content: 'So ' }] }),
    },
    says('So "'),
  ],
  [
    'router-for-me/Cli-Proxy-API-Management-Center#33',
    {
      ...claude('claude-sonnet-4-5'),
      client: 'responses',
      body: { input: [{ role: 'system', content: 'Be kind.' }, ASKED] },
    },
    says('"role":"system"'),
  ],
  [
    'langmanus/langmanus#119',
    {
      chosen: 'openai',
      model: 'gpt-4.1',
      protocol: 'openai-chat',
      client: 'messages',
      body: JSON.parse(
        JSON.stringify(withResult('done')).replaceAll('call_1', 'c'.repeat(86)),
      ) as Json,
    },
    says(`"c{65}`),
  ],
  [
    'securo-finance/securo#542',
    { ...claude('claude-sonnet-5'), client: 'chat', body: chat({ temperature: 0.2 }) },
    says('temperature'),
  ],
  [
    'vellum-ai/vellum-assistant#32687',
    {
      ...gemini('gemini-3.1-pro-preview'),
      client: 'chat',
      body: chat({ reasoning_effort: 'minimal' }),
    },
    says(/minimal/i),
  ],
  [
    'dhyansraj/mcp-mesh#1346',
    { ...gemini('gemini-2.5-flash'), client: 'chat', body: chat({ reasoning_effort: 'high' }) },
    says('thinkingLevel'),
  ],
  [
    'immersive-translate/immersive-translate#3587',
    {
      ...gemini('gemini-3-flash-preview'),
      client: 'messages',
      body: messages({ thinking: { type: 'enabled', budget_tokens: 2_000 } }),
    },
    says('thinkingBudget'),
  ],
  [
    'livekit/agents#7095',
    {
      ...gemini('gemma-4-31b-it'),
      client: 'messages',
      body: messages({ thinking: { type: 'enabled', budget_tokens: 2_000 } }),
    },
    says('thinkingBudget'),
  ],
  [
    'agno-agi/agno#6697',
    {
      ...UNKNOWN,
      client: 'chat',
      body: chat({ messages: [{ role: 'developer', content: 'Be kind.' }, ASKED] }),
    },
    says('"developer"'),
  ],
  [
    'egoist/chatwise-releases#971',
    {
      ...UNKNOWN,
      client: 'responses',
      body: { input: [{ role: 'developer', content: 'Be kind.' }, ASKED] },
    },
    says('"developer"'),
  ],
  [
    'zai-org/GLM-5#74',
    {
      chosen: 'zai',
      model: 'glm-4.6',
      protocol: 'anthropic-messages',
      client: 'messages',
      body: messages({ messages: [ASKED, { role: 'system', content: 'Be kind.' }] }),
    },
    says('"role":"system"'),
  ],
  [
    'codexu/note-gen#918',
    {
      chosen: 'minimax',
      model: 'MiniMax-M2.5',
      protocol: 'anthropic-messages',
      client: 'messages',
      body: messages({ messages: [ASKED, { role: 'system', content: 'Be kind.' }] }),
    },
    says('"role":"system"'),
  ],
  [
    'mnfst/llm-gateway#1849',
    { ...UNKNOWN, model: 'gpt-5.2-codex', client: 'messages', body: messages({}) },
    says('"max_tokens"'),
  ],
  [
    'deepseek-ai/awesome-deepseek-integration#598',
    {
      chosen: 'deepseek',
      model: 'deepseek-v4-pro',
      protocol: 'anthropic-messages',
      client: 'messages',
      body: messages({ tools: [TOOL], tool_choice: { type: 'tool', name: 'look' } }),
    },
    ({ tool_choice: choice, thinking }) =>
      JSON.stringify(choice).includes('"tool"') && !JSON.stringify(thinking ?? '').includes('dis'),
  ],
  [
    'github/app#409',
    {
      ...RESPONSES,
      body: { input: [{ type: 'reasoning', id: 'r'.repeat(408), summary: [] }, ASKED] },
    },
    says('"id":"\\w{65}'),
  ],
  [
    'github/app#409, a message',
    {
      ...RESPONSES,
      body: { input: [{ role: 'assistant', id: 'msg_' + 'a'.repeat(400), content: 'Hi' }, ASKED] },
    },
    says('"id":"\\w{65}'),
  ],
  [
    'CommandCodeAI/command-code#885',
    {
      ...OTHER_RESPONSES,
      body: {
        input: [
          ASKED,
          { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: 'a' },
          { type: 'custom_tool_call_output', call_id: 'call_1', output: 'done' },
        ],
        tools: [FUNCTION_ITEM, PATCH],
        tool_choice: { type: 'custom', name: 'apply_patch' },
      },
    },
    says('"custom'),
  ],
  [
    'mxyhi/token_proxy#307',
    {
      ...OTHER_RESPONSES,
      body: {
        input: [
          {
            type: 'additional_tools',
            role: 'developer',
            tools: [{ type: 'namespace', name: 'functions', tools: [PATCH] }],
          },
          ASKED,
        ],
      },
    },
    says('"additional_tools"|"namespace"|"custom"'),
  ],
  [
    'tools to choose among, at a server that has no such choice',
    {
      ...OTHER_RESPONSES,
      body: {
        input: 'Hello',
        tools: [FUNCTION_ITEM, { ...FUNCTION_ITEM, name: 'go' }],
        tool_choice: {
          type: 'allowed_tools',
          mode: 'auto',
          tools: [{ type: 'function', name: 'go' }],
        },
      },
    },
    says('"allowed_tools"'),
  ],
  [
    'an id of another vendor',
    {
      ...RESPONSES,
      body: {
        input: [
          ASKED,
          { type: 'function_call', id: 'call_1', call_id: 'call_1', name: 'look', arguments: '{}' },
          { type: 'function_call_output', call_id: 'call_1', output: 'done' },
        ],
      },
    },
    says('"id":"call_'),
  ],
  [
    'Wei-Shaw/sub2api#1308',
    {
      ...claude('claude-sonnet-4-6'),
      client: 'messages',
      body: messages({
        messages: [
          ASKED,
          { role: 'assistant', content: [{ ...SEARCH, id: 'call_1' }, FOUND, SAID] },
          ASKED,
        ],
      }),
    },
    says('"id":"call_'),
  ],
];

const CASES = REPORTS.map(([source, sent, refuses]) => ({ source, sent, refuses }));

it.each(CASES)('$source: what was refused is not sent, or not again', ({ sent, refuses }) => {
  const row = STRICT_ROWS.find(
    ({ vendor, model }) =>
      vendor.id === sent.chosen && model === sent.model && vendor.protocol === sent.protocol,
  );
  const isRefused = (body: Json): boolean =>
    refuses?.(body) ?? (row === undefined || refusalOf(row, body) !== undefined);
  const refused = sentBodies(sent).filter(isRefused);
  expect(refused.length, JSON.stringify(refused.at(-1))).toBeLessThan(2);
});
