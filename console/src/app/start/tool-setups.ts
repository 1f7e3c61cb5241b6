import type { PlainKey } from '../core/i18n/i18n';

/**
 * How each tool is pointed at the gateway: the exact base address and settings. Clients differ in whether
 * they add `/v1` themselves; a wrong guess doubles it or leaves it out.
 */

/** What a tool speaks. */
export type Protocol = 'chat_completions' | 'messages' | 'responses' | 'gemini';

/** What the gateway answers. Tools of other protocols are shown with a remark. */
export const SERVED_PROTOCOLS: readonly Protocol[] = ['chat_completions'];

export const TOOL_IDS = [
  'curl',
  'openai-python',
  'openai-typescript',
  'claude-code',
  'gemini-cli',
  'codex',
  'cherry-studio',
  'nextchat',
  'opencode',
  'cline',
  'aider',
  'open-webui',
] as const;
export type ToolId = (typeof TOOL_IDS)[number];

export type SetupPart =
  /** Something to run or to put in a file; `label` is a file's name or what it is. */
  | {
      readonly kind: 'code';
      readonly label: PlainKey | { readonly file: string };
      readonly code: string;
    }
  /** A box in the tool's settings, by the name it has there. */
  | { readonly kind: 'box'; readonly name: string; readonly value: string };

export interface ToolSetup {
  readonly id: ToolId;
  readonly name: string;
  readonly protocol: Protocol;
  readonly parts: readonly SetupPart[];
  readonly remark?: PlainKey;
}

export interface SetupValues {
  /** The gateway's root, without a trailing slash. */
  readonly gatewayUrl: string;
  readonly key: string;
  readonly model: string;
}

/** A word in single quotes for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

function curl({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  const body = JSON.stringify({
    model,
    stream: true,
    messages: [{ role: 'user', content: 'Say hello.' }],
  });
  return [
    {
      kind: 'code',
      label: 'tools.inTerminal',
      code: [
        `curl ${gatewayUrl}/v1/chat/completions \\`,
        `  -H ${quoted(`Authorization: Bearer ${key}`)} \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d ${quoted(body)}`,
      ].join('\n'),
    },
  ];
}

function openaiPython({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
    { kind: 'code', label: 'tools.install', code: 'pip install openai' },
    {
      kind: 'code',
      label: { file: 'hello.py' },
      code: `from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(`${gatewayUrl}/v1`)},
    api_key=${JSON.stringify(key)},
)

stream = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Say hello."}],
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="")`,
    },
  ];
}

function openaiTypescript({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
    { kind: 'code', label: 'tools.install', code: 'npm install openai' },
    {
      kind: 'code',
      label: { file: 'hello.ts' },
      code: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: ${quoted(`${gatewayUrl}/v1`)},
  apiKey: ${quoted(key)},
});

const stream = await client.chat.completions.create({
  model: ${quoted(model)},
  messages: [{ role: 'user', content: 'Say hello.' }],
  stream: true,
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
}`,
    },
  ];
}

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

function geminiCli({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
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

/** Settings that are typed into boxes: the address, the key without "Bearer ", the model. */
function boxes(
  names: { readonly address: string; readonly key: string; readonly model: string },
  { address, values }: { readonly address: string; readonly values: SetupValues },
): readonly SetupPart[] {
  return [
    { kind: 'box', name: names.address, value: address },
    { kind: 'box', name: names.key, value: values.key },
    { kind: 'box', name: names.model, value: values.model },
  ];
}

const chat = 'chat_completions';

/** Libraries and the command line. */
function libraries(values: SetupValues): readonly ToolSetup[] {
  return [
    { id: 'curl', name: 'curl', protocol: chat, parts: curl(values) },
    {
      id: 'openai-python',
      name: 'OpenAI SDK · Python',
      protocol: chat,
      parts: openaiPython(values),
    },
    {
      id: 'openai-typescript',
      name: 'OpenAI SDK · TypeScript',
      protocol: chat,
      parts: openaiTypescript(values),
    },
  ];
}

/** Agents in a terminal or an editor. */
function agents(values: SetupValues): readonly ToolSetup[] {
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
    { id: 'opencode', name: 'opencode', protocol: chat, parts: opencode(values) },
    {
      id: 'cline',
      name: 'Cline',
      protocol: chat,
      parts: [
        { kind: 'box', name: 'API Provider', value: 'OpenAI Compatible' },
        ...boxes(
          { address: 'Base URL', key: 'OpenAI API Key', model: 'Model ID' },
          { address: `${gatewayUrl}/v1`, values },
        ),
      ],
      remark: 'tools.keyOnly',
    },
    { id: 'aider', name: 'aider', protocol: chat, parts: aider(values) },
  ];
}

/** Applications to talk with. */
function chats(values: SetupValues): readonly ToolSetup[] {
  const { gatewayUrl } = values;
  return [
    {
      id: 'cherry-studio',
      name: 'Cherry Studio',
      protocol: chat,
      parts: boxes(
        { address: 'API Host', key: 'API Key', model: 'Model ID' },
        { address: gatewayUrl, values },
      ),
      remark: 'tools.keyOnly',
    },
    {
      id: 'nextchat',
      name: 'NextChat',
      protocol: chat,
      parts: boxes(
        { address: 'OpenAI Endpoint', key: 'OpenAI API Key', model: 'Custom Models' },
        { address: gatewayUrl, values },
      ),
      remark: 'tools.noVersion',
    },
    {
      id: 'open-webui',
      name: 'Open WebUI',
      protocol: chat,
      parts: boxes(
        { address: 'URL', key: 'Key', model: 'Model IDs' },
        { address: `${gatewayUrl}/v1`, values },
      ),
      remark: 'tools.keyOnly',
    },
  ];
}

export function toolSetups(values: SetupValues): readonly ToolSetup[] {
  return [...libraries(values), ...agents(values), ...chats(values)];
}
