/** An upstream that many have: its address, and what price lists call it. */
export interface UpstreamPreset {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  /** Providers in LiteLLM's and models.dev's lists. */
  readonly listNames: readonly string[];
}

const RUNTIME = 'bedrock-runtime.{region}.amazonaws.com';
const BEDROCK_LISTS = ['bedrock', 'bedrock_converse', 'amazon-bedrock'];

export const UPSTREAM_PRESETS: readonly UpstreamPreset[] = [
  preset('openai', 'OpenAI', 'https://api.openai.com/v1', ['openai']),
  preset('anthropic', 'Anthropic', 'https://api.anthropic.com', ['anthropic']),
  preset('gemini', 'Google Gemini', 'https://generativelanguage.googleapis.com', [
    'gemini',
    'google',
  ]),
  preset(
    'vertex',
    'Vertex AI',
    'https://aiplatform.googleapis.com/v1/projects/{project}/locations/global',
    [
      'vertex_ai-language-models',
      'vertex_ai-anthropic_models',
      'vertex_ai',
      'google-vertex',
      'google-vertex-anthropic',
    ],
  ),
  preset('azure', 'Azure OpenAI', 'https://{resource}.openai.azure.com', ['azure']),
  preset('bedrock', 'Amazon Bedrock', `https://${RUNTIME}`, BEDROCK_LISTS),
  preset('bedrock-anthropic', 'Bedrock /anthropic', `https://${RUNTIME}/anthropic`, BEDROCK_LISTS),
  preset('bedrock-openai', 'Bedrock /openai', `https://${RUNTIME}/openai/v1`, BEDROCK_LISTS),
  preset(
    'bedrock-mantle',
    'Bedrock Mantle',
    'https://bedrock-mantle.{region}.api.aws',
    BEDROCK_LISTS,
  ),
  preset('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', ['openrouter']),
  preset('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1', ['deepseek']),
  preset('qwen', 'Qwen', 'https://dashscope.aliyuncs.com/compatible-mode/v1', [
    'dashscope',
    'alibaba-cn',
    'alibaba',
  ]),
  preset('kimi', 'Kimi', 'https://api.moonshot.ai/v1', ['moonshot', 'moonshotai']),
  preset('glm', 'GLM', 'https://open.bigmodel.cn/api/paas/v4', ['zai', 'zhipuai']),
  preset('minimax', 'MiniMax', 'https://api.minimax.io/v1', ['minimax']),
  preset('siliconflow', 'SiliconFlow', 'https://api.siliconflow.cn/v1', [
    'siliconflow',
    'siliconflow-cn',
  ]),
  preset('mistral', 'Mistral', 'https://api.mistral.ai/v1', ['mistral']),
  preset('groq', 'Groq', 'https://api.groq.com/openai/v1', ['groq']),
  preset('xai', 'xAI', 'https://api.x.ai/v1', ['xai']),
  preset('together', 'Together', 'https://api.together.xyz/v1', ['together_ai', 'togetherai']),
  preset('ollama', 'Ollama', 'http://localhost:11434/v1', ['ollama']),
];

function preset(
  id: string,
  name: string,
  address: string,
  listNames: readonly string[],
): UpstreamPreset {
  return { id, name, address, listNames };
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}

/** The placeholders of an address, such as `{region}`. */
const PLACE = /\{\w+\}/g;

/** The preset that a base address is of, by its host; of several with one host also by its path. */
export function presetOf(baseUrl: string): UpstreamPreset | undefined {
  const host = hostOf(baseUrl);
  if (host.endsWith('aiplatform.googleapis.com') || host.endsWith('.rep.googleapis.com')) {
    return UPSTREAM_PRESETS.find(({ id }) => id === 'vertex');
  }
  const atHost = UPSTREAM_PRESETS.filter(({ address }) => isHostOf(address, host));
  const { pathname = '' } = host === '' ? {} : new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  return atHost.find(({ address }) => path !== '' && address.endsWith(path)) ?? atHost[0];
}

function isHostOf(address: string, host: string): boolean {
  const filled = hostOf(address.replace(PLACE, 'x'));
  if (!address.includes('{')) return host !== '' && filled === host;
  const pattern = hostOf(address.replace(PLACE, 'any-label')).replaceAll('.', '\\.');
  return new RegExp(`^${pattern.replace('any-label', '[\\w-]+')}$`).test(host);
}

/** A name for a channel at an address, such as no other channel has. */
export function nameFor(baseUrl: string, taken: readonly string[]): string {
  const base = presetOf(baseUrl)?.name ?? hostOf(baseUrl);
  const names = [base, ...taken.map((_name, index) => `${base} ${String(index + 2)}`)];
  return names.find((name) => !taken.includes(name)) ?? base;
}
