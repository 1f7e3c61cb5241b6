import { boxes } from './setup-boxes';
import { envFile, jsonFile, quoted, terminal } from '../terminal';
import type { SetupPart, SetupValues, Tool } from './tool-setup';

/**
 * `opus`, `sonnet` and `haiku` are names in agents and in the background work of Claude Code. Their
 * defaults are Anthropic's newest models, which a key's group need not have: such requests would
 * get 404.
 */
function claudeVariables(
  address: Readonly<Record<string, string>>,
  values: SetupValues,
): Readonly<Record<string, string>> {
  return {
    ...address,
    ANTHROPIC_AUTH_TOKEN: values.key,
    ANTHROPIC_MODEL: values.model,
    ANTHROPIC_DEFAULT_OPUS_MODEL: values.opusModel,
    ANTHROPIC_DEFAULT_SONNET_MODEL: values.sonnetModel,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: values.smallModel,
  };
}

/** @param address the variables that say where the gateway is, and as what it is asked */
function claudeCode(
  { id, name }: Pick<Tool, 'id' | 'name'>,
  address: (gatewayUrl: string) => Readonly<Record<string, string>>,
): Tool {
  const variables = (values: SetupValues): Readonly<Record<string, string>> =>
    claudeVariables(address(values.gatewayUrl), values);
  return {
    id,
    name,
    protocol: 'anthropic-messages',
    family: 'claude',
    usesSmallModel: true,
    parts: (values) => [terminal(values.shell, variables(values), 'claude')],
    files: (values) => [jsonFile('~/.claude/settings.json', { env: variables(values) })],
  };
}

const CLAUDE_CODE: Tool = {
  ...claudeCode({ id: 'claude-code', name: 'Claude Code' }, (gatewayUrl) => ({
    ANTHROPIC_BASE_URL: gatewayUrl,
  })),
  remark: 'tools.noVersion',
};

/** The region and the project name nothing at the gateway, but Claude Code insists on them. */
const CLAUDE_CODE_BEDROCK = claudeCode(
  { id: 'claude-code-bedrock', name: 'Claude Code for Amazon Bedrock' },
  (gatewayUrl) => ({
    CLAUDE_CODE_USE_BEDROCK: '1',
    CLAUDE_CODE_SKIP_BEDROCK_AUTH: '1',
    ANTHROPIC_BEDROCK_BASE_URL: gatewayUrl,
    AWS_REGION: 'us-east-1',
  }),
);

const CLAUDE_CODE_VERTEX = claudeCode(
  { id: 'claude-code-vertex', name: 'Claude Code for Google Vertex AI' },
  (gatewayUrl) => ({
    CLAUDE_CODE_USE_VERTEX: '1',
    CLAUDE_CODE_SKIP_VERTEX_AUTH: '1',
    ANTHROPIC_VERTEX_BASE_URL: `${gatewayUrl}/v1`,
    CLOUD_ML_REGION: 'global',
    ANTHROPIC_VERTEX_PROJECT_ID: 'any',
  }),
);

/** With a base address alone it signs in by another way, which has no key. */
const GEMINI_SIGN_IN = { security: { auth: { selectedType: 'gemini-api-key' } } };

function geminiVariables({ gatewayUrl, key }: SetupValues): Readonly<Record<string, string>> {
  return { GOOGLE_GEMINI_BASE_URL: gatewayUrl, GEMINI_API_KEY: key };
}

const GEMINI_CLI: Tool = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  protocol: 'gemini',
  family: 'gemini',
  parts: (values) => [
    jsonFile('~/.gemini/settings.json', GEMINI_SIGN_IN),
    terminal(
      values.shell,
      geminiVariables(values),
      `gemini --model ${quoted(values.model, values.shell)}`,
    ),
  ],
  files: (values) => [
    jsonFile('~/.gemini/settings.json', { ...GEMINI_SIGN_IN, model: { name: values.model } }),
    envFile('~/.gemini/.env', geminiVariables(values)),
  ],
  remark: 'tools.noVersion',
};

function codexConfig({ gatewayUrl, model }: SetupValues): SetupPart {
  return {
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
  };
}

const CODEX: Tool = {
  id: 'codex',
  name: 'Codex',
  protocol: 'openai-responses',
  family: 'gpt',
  parts: (values) => [
    codexConfig(values),
    terminal(values.shell, { WEIR_API_KEY: values.key }, 'codex'),
  ],
  files: (values) => [codexConfig(values), envFile('~/.codex/.env', { WEIR_API_KEY: values.key })],
};

function qwenVariables({ gatewayUrl, key, model }: SetupValues): Readonly<Record<string, string>> {
  return {
    OPENAI_BASE_URL: `${gatewayUrl}/v1`,
    OPENAI_API_KEY: key,
    OPENAI_MODEL: model,
  };
}

const QWEN_CODE: Tool = {
  id: 'qwen-code',
  name: 'Qwen Code',
  protocol: 'openai-chat',
  family: 'qwen',
  parts: (values) => [terminal(values.shell, qwenVariables(values), 'qwen --auth-type openai')],
  files: (values) => [
    jsonFile('~/.qwen/settings.json', { security: { auth: { selectedType: 'openai' } } }),
    envFile('~/.qwen/.env', qwenVariables(values)),
  ],
};

function opencodeSettings(values: SetupValues, apiKey: string): object {
  const { gatewayUrl, model, smallModel } = values;
  return {
    $schema: 'https://opencode.ai/config.json',
    model: `weir/${model}`,
    small_model: `weir/${smallModel}`,
    provider: {
      weir: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Weir',
        options: { baseURL: `${gatewayUrl}/v1`, apiKey },
        models: Object.fromEntries([model, smallModel].map((id) => [id, {}])),
      },
    },
  };
}

const OPENCODE: Tool = {
  id: 'opencode',
  name: 'opencode',
  protocol: 'openai-chat',
  usesSmallModel: true,
  parts: (values) => [
    jsonFile('opencode.json', opencodeSettings(values, '{env:WEIR_API_KEY}')),
    terminal(values.shell, { WEIR_API_KEY: values.key }, 'opencode'),
  ],
  files: (values) => [
    jsonFile('~/.config/opencode/opencode.json', opencodeSettings(values, values.key)),
  ],
};

const AIDER: Tool = {
  id: 'aider',
  name: 'aider',
  protocol: 'openai-chat',
  usesSmallModel: true,
  parts: ({ gatewayUrl, key, model, smallModel, shell }) => [
    terminal(
      shell,
      { OPENAI_API_BASE: `${gatewayUrl}/v1`, OPENAI_API_KEY: key },
      `aider --model ${quoted(`openai/${model}`, shell)} ` +
        `--weak-model ${quoted(`openai/${smallModel}`, shell)}`,
    ),
  ],
  files: ({ gatewayUrl, key, model, smallModel }) => [
    {
      kind: 'code',
      label: { file: '~/.aider.conf.yml' },
      code: [
        `openai-api-base: ${JSON.stringify(`${gatewayUrl}/v1`)}`,
        `openai-api-key: ${JSON.stringify(key)}`,
        `model: ${JSON.stringify(`openai/${model}`)}`,
        `weak-model: ${JSON.stringify(`openai/${smallModel}`)}`,
      ].join('\n'),
    },
  ],
};

function continueConfig({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
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
export const AGENTS: readonly Tool[] = [
  CLAUDE_CODE,
  CLAUDE_CODE_BEDROCK,
  CLAUDE_CODE_VERTEX,
  GEMINI_CLI,
  CODEX,
  QWEN_CODE,
  OPENCODE,
  {
    id: 'cline',
    name: 'Cline',
    protocol: 'openai-chat',
    parts: (values) => [
      { kind: 'box', name: 'API Provider', value: 'OpenAI Compatible' },
      ...boxes(
        { address: 'Base URL', key: 'OpenAI API Key', model: 'Model ID' },
        { address: `${values.gatewayUrl}/v1`, values },
      ),
    ],
    remark: 'tools.keyOnly',
  },
  { id: 'continue', name: 'Continue', protocol: 'openai-chat', parts: continueConfig },
  AIDER,
];
