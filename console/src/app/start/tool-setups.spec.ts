import { describe, expect, test } from 'vitest';
import { english } from '../core/i18n/en/index';
import type { Protocol, SetupPart, ToolId } from './tool-setup';
import { TOOL_IDS } from './tool-setup';
import { toolSetups } from './tool-setups';

const ROOT = 'https://gateway.example.org';
const VALUES = { gatewayUrl: ROOT, key: 'sk-secret', model: 'gpt-6.2-sol' };

function textOf(part: SetupPart): string {
  return part.kind === 'code' ? part.code : `${part.name}: ${part.value}`;
}

function shown(id: ToolId, values = VALUES): string {
  const setup = toolSetups(values).find((one) => one.id === id);
  return (setup?.parts ?? []).map(textOf).join('\n');
}

interface Told {
  /** The line that names the address, whole. */
  readonly address: string;
  readonly key: string;
  readonly model: string;
  readonly protocol: Protocol;
  /** What the tool adds to the address by itself. */
  readonly adds: string;
}

const CHAT = { protocol: 'chat_completions', adds: '/chat/completions' } as const;
/** As every tool documents it, and as its requests arrive. */
const TOLD: Readonly<Record<ToolId, Told>> = {
  curl: {
    ...CHAT,
    address: `curl ${ROOT}/v1/chat/completions \\`,
    key: `  -H 'Authorization: Bearer sk-secret' \\`,
    model: `  -d '{"model":"gpt-6.2-sol","stream":true,"messages":[{"role":"user","content":"Say hello."}]}'`,
    adds: '',
  },
  'openai-python': {
    ...CHAT,
    address: `    base_url="${ROOT}/v1",`,
    key: '    api_key="sk-secret",',
    model: '    model="gpt-6.2-sol",',
  },
  'openai-typescript': {
    ...CHAT,
    address: `  baseURL: '${ROOT}/v1',`,
    key: `  apiKey: 'sk-secret',`,
    model: `  model: 'gpt-6.2-sol',`,
  },
  'ai-sdk': {
    ...CHAT,
    address: `  baseURL: '${ROOT}/v1',`,
    key: `  apiKey: 'sk-secret',`,
    model: `const { textStream } = streamText({ model: weir('gpt-6.2-sol'), prompt: 'Say hello.' });`,
  },
  langchain: {
    ...CHAT,
    address: `  configuration: { baseURL: '${ROOT}/v1' },`,
    key: `  apiKey: 'sk-secret',`,
    model: `  model: 'gpt-6.2-sol',`,
  },
  'claude-code': {
    protocol: 'messages',
    adds: '/v1/messages',
    address: `export ANTHROPIC_BASE_URL='${ROOT}'`,
    key: `export ANTHROPIC_AUTH_TOKEN='sk-secret'`,
    model: `export ANTHROPIC_MODEL='gpt-6.2-sol'`,
  },
  'gemini-cli': {
    protocol: 'gemini',
    adds: '/v1beta/models/gpt-6.2-sol:generateContent',
    address: `export GOOGLE_GEMINI_BASE_URL='${ROOT}'`,
    key: `export GEMINI_API_KEY='sk-secret'`,
    model: `gemini --model 'gpt-6.2-sol'`,
  },
  codex: {
    protocol: 'responses',
    adds: '/responses',
    address: `base_url = "${ROOT}/v1"`,
    key: `export WEIR_API_KEY='sk-secret'`,
    model: 'model = "gpt-6.2-sol"',
  },
  'qwen-code': {
    ...CHAT,
    address: `export OPENAI_BASE_URL='${ROOT}/v1'`,
    key: `export OPENAI_API_KEY='sk-secret'`,
    model: `export OPENAI_MODEL='gpt-6.2-sol'`,
  },
  opencode: {
    ...CHAT,
    address: `        "baseURL": "${ROOT}/v1",`,
    key: `export WEIR_API_KEY='sk-secret'`,
    model: `        "gpt-6.2-sol": {}`,
  },
  cline: {
    ...CHAT,
    address: `Base URL: ${ROOT}/v1`,
    key: 'OpenAI API Key: sk-secret',
    model: 'Model ID: gpt-6.2-sol',
  },
  continue: {
    ...CHAT,
    address: `    apiBase: "${ROOT}/v1"`,
    key: '    apiKey: "sk-secret"',
    model: '    model: "gpt-6.2-sol"',
  },
  aider: {
    ...CHAT,
    address: `export OPENAI_API_BASE='${ROOT}/v1'`,
    key: `export OPENAI_API_KEY='sk-secret'`,
    model: `aider --model 'openai/gpt-6.2-sol'`,
  },
  'cherry-studio': {
    ...CHAT,
    adds: '/v1/chat/completions',
    address: `API Host: ${ROOT}`,
    key: 'API Key: sk-secret',
    model: 'Model ID: gpt-6.2-sol',
  },
  nextchat: {
    ...CHAT,
    adds: '/v1/chat/completions',
    address: `OpenAI Endpoint: ${ROOT}`,
    key: 'OpenAI API Key: sk-secret',
    model: 'Custom Models: gpt-6.2-sol',
  },
  'open-webui': {
    ...CHAT,
    address: `URL: ${ROOT}/v1`,
    key: 'Key: sk-secret',
    model: 'Model IDs: gpt-6.2-sol',
  },
  lobechat: {
    ...CHAT,
    address: `OPENAI_PROXY_URL=${ROOT}/v1`,
    key: 'OPENAI_API_KEY=sk-secret',
    model: 'OPENAI_MODEL_LIST=+gpt-6.2-sol',
  },
};

const PATHS: Readonly<Record<Protocol, string>> = {
  chat_completions: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  gemini: '/v1beta/models/gpt-6.2-sol:generateContent',
};

describe.each(TOOL_IDS)('The settings of %s', (id) => {
  const told = TOLD[id];

  test('name the address, the key and the model as it wants them', () => {
    const lines = shown(id).split('\n');
    expect(lines).toContain(told.address);
    expect(lines).toContain(told.key);
    expect(lines).toContain(told.model);
  });

  test('lead to a path of the gateway, with what the tool adds', () => {
    const [address = ''] = /https:\/\/gateway\.example\.org[^'"\s]*/.exec(shown(id)) ?? [];
    expect(`${address}${told.adds}`).toBe(`${ROOT}${PATHS[told.protocol]}`);
  });

  test('name the gateway once, and say what it speaks', () => {
    expect(shown(id).split(ROOT)).toHaveLength(2);
    expect(toolSetups(VALUES).find((one) => one.id === id)?.protocol).toBe(told.protocol);
  });
});

describe('The settings of tools', () => {
  test('are there for each tool, once', () => {
    expect(
      toolSetups(VALUES)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...TOOL_IDS].sort());
  });

  test('of Gemini CLI and Qwen Code choose to sign in with the key', () => {
    expect(shown('gemini-cli')).toContain('"selectedType": "gemini-api-key"');
    expect(shown('qwen-code')).toContain('qwen --auth-type openai');
  });

  test('of codex use the one protocol it still has; those of LangChain.js forbid it', () => {
    expect(shown('codex')).toContain('wire_api = "responses"');
    expect(shown('langchain')).toContain('useResponsesApi: false');
  });

  test('of opencode are JSON, and keep the key out of the file', () => {
    const [file] = toolSetups(VALUES).find(({ id }) => id === 'opencode')?.parts ?? [];
    const settings: unknown = JSON.parse(file === undefined ? '' : textOf(file));
    expect(settings).toMatchObject({
      model: 'weir/gpt-6.2-sol',
      provider: {
        weir: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${ROOT}/v1`, apiKey: '{env:WEIR_API_KEY}' },
        },
      },
    });
    expect(textOf(file ?? { kind: 'code', label: { file: '' }, code: '' })).not.toContain('sk-');
  });

  test('keep a value whole that a shell would take apart', () => {
    const model = `it's $HOME`;
    for (const id of ['aider', 'qwen-code', 'claude-code', 'gemini-cli'] as const) {
      expect(shown(id, { ...VALUES, model })).toContain(`it'\\''s $HOME'`);
    }
  });

  test('that are typed into boxes say that the key stands alone there', () => {
    const boxed = toolSetups(VALUES).filter(({ parts }) =>
      parts.some(({ kind }) => kind === 'box'),
    );
    expect(boxed.map(({ id }) => id)).toEqual(['cline', 'cherry-studio', 'nextchat', 'open-webui']);
    for (const { remark } of boxed) {
      expect(['tools.keyOnly', 'tools.noVersion']).toContain(remark);
      expect(english).toHaveProperty([remark ?? '']);
    }
  });
});
