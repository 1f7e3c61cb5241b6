import { boxes } from './setup-boxes';
import { quoted, type SetupPart, type SetupValues, type ToolSetup } from './tool-setup';

function claudeCode({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
    {
      kind: 'code',
      label: 'tools.inTerminal',
      code: [
        `export ANTHROPIC_BASE_URL=${quoted(gatewayUrl)}`,
        `export ANTHROPIC_AUTH_TOKEN=${quoted(key)}`,
        `export ANTHROPIC_MODEL=${quoted(model)}`,
        'claude',
      ].join('\n'),
    },
  ];
}

/** With a base address alone it signs in by another way, which has no key. */
function geminiCli({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };
  return [
    {
      kind: 'code',
      label: { file: '~/.gemini/settings.json' },
      code: JSON.stringify(settings, null, 2),
    },
    {
      kind: 'code',
      label: 'tools.inTerminal',
      code: [
        `export GOOGLE_GEMINI_BASE_URL=${quoted(gatewayUrl)}`,
        `export GEMINI_API_KEY=${quoted(key)}`,
        `gemini --model ${quoted(model)}`,
      ].join('\n'),
    },
  ];
}

function codex({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
    {
      kind: 'code',
      label: { file: '~/.codex/config.toml' },
      code: [
        `model = ${JSON.stringify(model)}`,
        'model_provider = "weir"',
        '',
        '[model_providers.weir]',
        'name = "Weir"',
        `base_url = ${JSON.stringify(`${gatewayUrl}/v1`)}`,
        'env_key = "WEIR_API_KEY"',
        'wire_api = "responses"',
      ].join('\n'),
    },
    {
      kind: 'code',
      label: 'tools.inTerminal',
      code: `export WEIR_API_KEY=${quoted(key)}\ncodex`,
    },
  ];
}

function opencode({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  const settings = {
    $schema: 'https://opencode.ai/config.json',
    model: `weir/${model}`,
    provider: {
      weir: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Weir',
        options: { baseURL: `${gatewayUrl}/v1`, apiKey: '{env:WEIR_API_KEY}' },
        models: { [model]: {} },
      },
    },
  };
  return [
    { kind: 'code', label: { file: 'opencode.json' }, code: JSON.stringify(settings, null, 2) },
    {
      kind: 'code',
      label: 'tools.inTerminal',
      code: `export WEIR_API_KEY=${quoted(key)}\nopencode`,
    },
  ];
}

function aider({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
    {
      kind: 'code',
      label: 'tools.inTerminal',
      code: [
        `export OPENAI_API_BASE=${quoted(`${gatewayUrl}/v1`)}`,
        `export OPENAI_API_KEY=${quoted(key)}`,
        `aider --model ${quoted(`openai/${model}`)}`,
      ].join('\n'),
    },
  ];
}

function qwenCode({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
    {
      kind: 'code',
      label: 'tools.inTerminal',
      code: [
        `export OPENAI_BASE_URL=${quoted(`${gatewayUrl}/v1`)}`,
        `export OPENAI_API_KEY=${quoted(key)}`,
        `export OPENAI_MODEL=${quoted(model)}`,
        'qwen --auth-type openai',
      ].join('\n'),
    },
  ];
}

function continueEditor({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
    {
      kind: 'code',
      label: { file: '~/.continue/config.yaml' },
      code: [
        'name: Weir',
        'version: 1.0.0',
        'schema: v1',
        'models:',
        `  - name: ${JSON.stringify(model)}`,
        '    provider: openai',
        `    model: ${JSON.stringify(model)}`,
        `    apiBase: ${JSON.stringify(`${gatewayUrl}/v1`)}`,
        `    apiKey: ${JSON.stringify(key)}`,
      ].join('\n'),
    },
  ];
}

/** Agents in a terminal or an editor. */
export function agents(values: SetupValues): readonly ToolSetup[] {
  const { gatewayUrl } = values;
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      protocol: 'messages',
      parts: claudeCode(values),
      remark: 'tools.noVersion',
    },
    {
      id: 'gemini-cli',
      name: 'Gemini CLI',
      protocol: 'gemini',
      parts: geminiCli(values),
      remark: 'tools.noVersion',
    },
    { id: 'codex', name: 'Codex', protocol: 'responses', parts: codex(values) },
    { id: 'qwen-code', name: 'Qwen Code', protocol: 'chat_completions', parts: qwenCode(values) },
    { id: 'opencode', name: 'opencode', protocol: 'chat_completions', parts: opencode(values) },
    {
      id: 'cline',
      name: 'Cline',
      protocol: 'chat_completions',
      parts: [
        { kind: 'box', name: 'API Provider', value: 'OpenAI Compatible' },
        ...boxes(
          { address: 'Base URL', key: 'OpenAI API Key', model: 'Model ID' },
          { address: `${gatewayUrl}/v1`, values },
        ),
      ],
      remark: 'tools.keyOnly',
    },
    {
      id: 'continue',
      name: 'Continue',
      protocol: 'chat_completions',
      parts: continueEditor(values),
    },
    { id: 'aider', name: 'aider', protocol: 'chat_completions', parts: aider(values) },
  ];
}
