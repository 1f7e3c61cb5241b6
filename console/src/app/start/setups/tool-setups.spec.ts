import { describe, expect, test } from 'vitest';
import { english } from '../../core/i18n/en/index';
import type { TalkProtocol } from '../../playground/dialects/dialect';
import { TOOL_IDS, type SetupPart, type SetupValues, type Tool, type ToolId } from './tool-setup';
import { TOOLS } from './tool-setups';

const ROOT = 'https://gateway.example.org';
const VALUES: SetupValues = {
  gatewayUrl: ROOT,
  key: 'sk-secret',
  model: 'gpt-6.2-sol',
  smallModel: 'gpt-6-luna',
  opusModel: 'claude-opus-5-5',
  sonnetModel: 'claude-sonnet-5-5',
  media: { image: 'gpt-image-2', speech: 'gpt-4o-mini-tts', transcript: 'gpt-4o-transcribe' },
  shell: 'posix',
};
const POWERSHELL: SetupValues = { ...VALUES, shell: 'powershell' };

function textOf(part: SetupPart): string {
  return part.kind === 'code' ? part.code : `${part.name}: ${part.value}`;
}

function toolOf(id: ToolId): Tool {
  const tool = TOOLS.find((one) => one.id === id);
  if (tool === undefined) throw new Error(`There is no tool ${id}.`);
  return tool;
}

function shown(id: ToolId, values = VALUES): string {
  return toolOf(id).parts(values).map(textOf).join('\n');
}

/** The texts of the files that keep the settings, by name. */
function filesOf(id: ToolId): Record<string, string> {
  const parts = toolOf(id).files?.(VALUES) ?? [];
  return Object.fromEntries(
    parts.map((part) => {
      if (part.kind !== 'code' || typeof part.label === 'string') throw new Error('no file');
      return [part.label.file, part.code];
    }),
  );
}

interface Told {
  /** The line that names the address, whole. */
  readonly address: string;
  readonly key: string;
  readonly model: string;
  readonly protocol: TalkProtocol;
  /** The path that the tool adds to the address by itself. */
  readonly adds: string;
  /** The path that its requests come to, if it is not that of the protocol. */
  readonly path?: string;
}

const VERTEX_MODELS = 'projects/any/locations/global/publishers/anthropic/models';
const CHAT = { protocol: 'openai-chat', adds: '/chat/completions' } as const;
function claude(address: string, adds: string, path = adds): Told {
  const key = `export ANTHROPIC_AUTH_TOKEN='sk-secret'`;
  const model = `export ANTHROPIC_MODEL='gpt-6.2-sol'`;
  return { protocol: 'anthropic-messages', key, model, address, adds, path };
}
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
  'claude-code': claude(`export ANTHROPIC_BASE_URL='${ROOT}'`, '/v1/messages'),
  'claude-code-bedrock': claude(
    `export ANTHROPIC_BEDROCK_BASE_URL='${ROOT}'`,
    '/model/gpt-6.2-sol/invoke-with-response-stream',
  ),
  'claude-code-vertex': claude(
    `export ANTHROPIC_VERTEX_BASE_URL='${ROOT}/v1'`,
    `/${VERTEX_MODELS}/gpt-6.2-sol:streamRawPredict`,
    `/v1/${VERTEX_MODELS}/gpt-6.2-sol:streamRawPredict`,
  ),
  'gemini-cli': {
    protocol: 'gemini',
    adds: '/v1beta/models/gpt-6.2-sol:generateContent',
    address: `export GOOGLE_GEMINI_BASE_URL='${ROOT}'`,
    key: `export GEMINI_API_KEY='sk-secret'`,
    model: `gemini --model 'gpt-6.2-sol'`,
  },
  codex: {
    protocol: 'openai-responses',
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
    model: `        "gpt-6.2-sol": {},`,
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
    model: `aider --model 'openai/gpt-6.2-sol' --weak-model 'openai/gpt-6-luna'`,
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

const PATHS: Readonly<Record<TalkProtocol, string>> = {
  'openai-chat': '/v1/chat/completions',
  'anthropic-messages': '/v1/messages',
  'openai-responses': '/v1/responses',
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
    expect(`${address}${told.adds}`).toBe(`${ROOT}${told.path ?? PATHS[told.protocol]}`);
  });

  test('name the gateway once, and say what it speaks', () => {
    expect(shown(id).split(ROOT)).toHaveLength(2);
    expect(toolOf(id).protocol).toBe(told.protocol);
  });
});

describe('The settings of tools', () => {
  test('are there for each tool, once', () => {
    expect(TOOLS.map(({ id }) => id).sort()).toEqual([...TOOL_IDS].sort());
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
    const [file] = toolOf('opencode').parts(VALUES);
    const settings: unknown = JSON.parse(file === undefined ? '' : textOf(file));
    expect(settings).toMatchObject({
      model: 'weir/gpt-6.2-sol',
      small_model: 'weir/gpt-6-luna',
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

  test('of Claude Code name a model for each of its own names: defaults need not be for sale', () => {
    const lines = shown('claude-code').split('\n');
    expect(lines).toContain(`export ANTHROPIC_DEFAULT_OPUS_MODEL='claude-opus-5-5'`);
    expect(lines).toContain(`export ANTHROPIC_DEFAULT_SONNET_MODEL='claude-sonnet-5-5'`);
    expect(lines).toContain(`export ANTHROPIC_DEFAULT_HAIKU_MODEL='gpt-6-luna'`);
    expect(lines.at(-1)).toBe('claude');
  });

  test('last in files that name the same address, key and models', () => {
    const lasting = TOOLS.filter(({ files }) => files !== undefined).map(({ id }) => id);
    const clouds = 'claude-code-bedrock claude-code-vertex';
    expect(lasting.join(' ')).toBe(
      `claude-code ${clouds} gemini-cli codex qwen-code opencode aider`,
    );
    for (const id of lasting) {
      const text = Object.values(filesOf(id)).join('\n');
      expect(text).toContain(ROOT);
      expect(text).toContain('sk-secret');
      if (id !== 'codex') expect(text.split(ROOT)).toHaveLength(2);
    }
    expect(JSON.parse(filesOf('claude-code')['~/.claude/settings.json'] ?? '')).toMatchObject({
      env: {
        ANTHROPIC_BASE_URL: ROOT,
        ANTHROPIC_AUTH_TOKEN: 'sk-secret',
        ANTHROPIC_MODEL: 'gpt-6.2-sol',
        ANTHROPIC_DEFAULT_HAIKU_MODEL: 'gpt-6-luna',
      },
    });
    expect(filesOf('codex')['~/.codex/.env']).toBe('WEIR_API_KEY=sk-secret');
    expect(filesOf('codex')['~/.codex/config.toml']).not.toContain('sk-');
    expect(JSON.parse(filesOf('gemini-cli')['~/.gemini/settings.json'] ?? '')).toMatchObject({
      security: { auth: { selectedType: 'gemini-api-key' } },
      model: { name: 'gpt-6.2-sol' },
    });
  });

  test('are written for PowerShell, too, where a terminal is used', () => {
    expect(shown('claude-code', POWERSHELL).split('\n')).toContain(
      `$env:ANTHROPIC_BASE_URL = '${ROOT}'`,
    );
    for (const { id, parts } of TOOLS) {
      const text = parts(POWERSHELL).map(textOf).join('\n');
      expect(text, id).not.toContain('export ');
    }
    expect(shown('gemini-cli', { ...POWERSHELL, model: `it's $HOME` })).toContain(
      `gemini --model 'it''s $HOME'`,
    );
    // The quotes of JSON would be lost on their way to a program.
    expect(shown('curl', POWERSHELL)).not.toContain('curl');
  });

  test('that are typed into boxes say that the key stands alone there', () => {
    const boxed = TOOLS.filter(({ parts }) => parts(VALUES).some(({ kind }) => kind === 'box'));
    expect(boxed.map(({ id }) => id)).toEqual(['cline', 'cherry-studio', 'nextchat', 'open-webui']);
    for (const { remark } of boxed) {
      expect(['tools.keyOnly', 'tools.noVersion']).toContain(remark);
      expect(english).toHaveProperty([remark ?? '']);
    }
  });
});
