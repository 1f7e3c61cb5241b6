import { describe, expect, it } from 'vitest';
import type { TargetProfile } from '../../../../gateway/protocols/target-profile.ts';
import { profileName } from '../../../../gateway/providers/profiles/profile-of.ts';
import { MOONSHOT } from '../../../../gateway/providers/profiles/schema-rules.ts';
import { profileFor, targetOf } from './profile-for.ts';

const HIGH = ['low', 'medium', 'high'];
const XHIGH = [...HIGH, 'xhigh'];
const MAX = [...XHIGH, 'max'];

/** Name, efforts on chat completions and on Responses, sampling, thinks by default. */
const OPENAI: readonly (readonly [
  string,
  readonly string[],
  readonly string[],
  TargetProfile['sampling'],
  boolean,
])[] = [
  ['gpt-4o', [], [], 'accepted', false],
  ['gpt-4.1-mini', [], [], 'accepted', false],
  ['gpt-5-chat-latest', [], [], 'accepted', false],
  ['o1', HIGH, HIGH, 'refused', true],
  ['o3-2025-04-16', HIGH, HIGH, 'refused', true],
  ['o4-mini', HIGH, HIGH, 'refused', true],
  ['gpt-5', ['minimal', ...HIGH], ['minimal', ...HIGH], 'refused', true],
  ['gpt-5-nano-2025-08-07', ['minimal', ...HIGH], ['minimal', ...HIGH], 'refused', true],
  ['gpt-5-pro', ['high'], ['high'], 'refused', true],
  ['gpt-5.1', ['none', ...HIGH], ['none', ...HIGH], 'without_thinking', false],
  ['gpt-5.2-chat-latest', ['medium'], ['medium'], 'refused', true],
  ['gpt-5.2-pro', ['medium', 'high', 'xhigh'], ['medium', 'high', 'xhigh'], 'refused', true],
  ['gpt-5.2', ['none', ...XHIGH], ['none', ...XHIGH], 'without_thinking', false],
  ['gpt-5.3-codex', ['none', ...XHIGH], ['none', ...XHIGH], 'without_thinking', false],
  ['gpt-5.4-mini', ['none', ...XHIGH], ['none', ...XHIGH], 'without_thinking', false],
  ['gpt-5.5', ['none', ...XHIGH], ['none', ...XHIGH], 'without_thinking', true],
  ['gpt-5.6-sol', ['none', ...XHIGH], ['none', ...MAX], 'without_thinking', true],
  ['gpt-6-sol', ['none', ...XHIGH], ['none', ...MAX], 'without_thinking', true],
  ['gpt-6-luna', ['none', ...XHIGH], ['none', ...MAX], 'without_thinking', true],
  ['gpt-6.1-terra', ['none', ...XHIGH], ['none', ...MAX], 'without_thinking', true],
  ['gpt-6-astra', XHIGH, MAX, 'refused', true],
  ['gpt-6.1-sol', XHIGH, MAX, 'refused', true],
  // Of what is not known yet, the least is taken for granted.
  ['gpt-7', XHIGH, MAX, 'refused', true],
];

describe('OpenAI’s models', () => {
  it.each(OPENAI)('%s', (name, ...members) => {
    const [chat, responses, sampling, thinksByDefault] = members;
    expect(profileFor(name)).toMatchObject({ efforts: chat, sampling, thinksByDefault });
    expect(profileFor(name, { protocol: 'openai-responses' })).toMatchObject({
      efforts: responses,
      encryptedReasoning: responses.length > 0,
    });
  });

  it.each([
    ['gpt-5.1', 'accepted'],
    ['gpt-5.2', 'default'],
    ['gpt-5.4', 'default'],
    ['gpt-5.5', 'default'],
    ['gpt-5.6', 'none'],
    ['gpt-6-sol', 'accepted'],
  ])('%s takes an effort with tools on chat completions: %s', (name, taken) => {
    expect(profileFor(name).effortWithTools).toBe(taken);
    expect(profileFor(name, { protocol: 'openai-responses' }).effortWithTools).toBe('accepted');
  });
});

/** Name, thinking, efforts, sampling, forced tools, schema by format, last message, system. */
type ClaudeRow = readonly [
  string,
  string,
  number | readonly string[],
  string,
  string,
  string,
  string,
  string,
];

const CLAUDE: readonly ClaudeRow[] = [
  ['claude-3-5-sonnet-20241022', 'none', [], 'accepted', 'accepted', 'tool', 'prefill', 'leading'],
  ['claude-3-7-sonnet-latest', 'budget', 7, 'without', 'without', 'tool', 'prefill', 'leading'],
  ['claude-opus-4-20250514', 'budget', 7, 'without', 'without', 'tool', 'prefill', 'leading'],
  ['claude-sonnet-4@20250514', 'budget', 7, 'without', 'without', 'tool', 'prefill', 'leading'],
  ['claude-opus-4-1', 'budget', 7, 'without', 'without', 'format', 'prefill', 'leading'],
  ['claude-sonnet-4-5-20250929', 'budget', 7, 'without', 'without', 'format', 'prefill', 'leading'],
  ['claude-haiku-4-5', 'budget', 7, 'without', 'without', 'format', 'prefill', 'leading'],
  [
    'claude-opus-4-6',
    'adaptive',
    ['none', ...HIGH, 'max'],
    'without',
    'accepted',
    'format',
    'refused',
    'leading',
  ],
  ...['claude-opus-4-7', 'claude-sonnet-5', 'claude-haiku-5-5'].map(
    (name) =>
      [
        name,
        'adaptive',
        ['none', ...MAX],
        'refused',
        'accepted',
        'format',
        'refused',
        'leading',
      ] as const,
  ),
  ...['claude-opus-4-8', 'claude-opus-5'].map(
    (name) =>
      [
        name,
        'adaptive',
        ['none', ...MAX],
        'refused',
        'accepted',
        'format',
        'refused',
        'anywhere',
      ] as const,
  ),
  ['claude-sonnet-5-5', 'adaptive', MAX, 'refused', 'refused', 'format', 'refused', 'leading'],
  ['claude-fable-5', 'adaptive', MAX, 'refused', 'accepted', 'format', 'refused', 'anywhere'],
  ['claude-mythos-5', 'adaptive', MAX, 'refused', 'accepted', 'format', 'refused', 'anywhere'],
  ['claude-fable-5-1', 'adaptive', MAX, 'refused', 'refused', 'format', 'refused', 'anywhere'],
  ['claude-mythos-5-2', 'adaptive', MAX, 'refused', 'refused', 'format', 'refused', 'anywhere'],
  ['claude-opus-5-5', 'adaptive', MAX, 'refused', 'refused', 'format', 'refused', 'anywhere'],
];

describe('Claude’s models', () => {
  it.each(CLAUDE)('%s', (name, ...members) => {
    const [thinking, efforts, sampling, forced, schema, last, system] = members;
    const { conversation, ...profile } = profileFor(name, { protocol: 'anthropic-messages' });
    const words = (value: string): string => (value === 'without' ? 'without_thinking' : value);
    expect(profile).toMatchObject({
      thinking,
      efforts: efforts === 7 ? ['none', 'minimal', ...MAX] : efforts,
      sampling: words(sampling),
      forcedTools: words(forced),
      jsonSchema: schema,
      strictTools: schema === 'format',
    });
    expect(conversation).toMatchObject({
      lastAssistant: last === 'prefill' ? 'without_trailing_space' : last,
      systemMessages: system,
    });
  });

  it.each([
    ['claude-sonnet-4-5', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4.5'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5@20250929'],
    ['claude-sonnet-4-5', 'vertex_ai/claude-sonnet-4-5'],
    ['claude-3-5-haiku', 'anthropic.claude-3-5-haiku-20241022-v1:0'],
    ['claude-opus-4-6', 'global.anthropic.claude-opus-4-6-v1'],
    ['claude-opus-4', 'claude-opus-4-20250514'],
    ['claude-opus-4-1', 'claude-opus-4-1-20250805'],
  ])('%s is meant by %s', (name, alias) => {
    const protocol = 'anthropic-messages';
    expect(profileFor(alias, { protocol })).toBe(profileFor(name, { protocol }));
  });
});

/** Name, thinking, efforts or least and most tokens, signed calls, tools alongside a format. */
const GEMINI: readonly (readonly [string, string, unknown, boolean])[] = [
  ['gemini-1.5-pro', 'none', [], false],
  ['gemini-2.0-flash', 'none', [], false],
  ['gemini-2.5-flash-image', 'none', [], false],
  ['gemini-2.5-pro', 'budget', { min: 128, max: 32_768 }, false],
  ['models/gemini-2.5-flash', 'budget', { min: 0, max: 24_576 }, false],
  ['gemini-2.5-flash-lite', 'budget', { min: 0, max: 24_576 }, false],
  ['gemini-3-pro-preview', 'effort', ['low', 'high'], true],
  ['gemini-3-pro-image-preview', 'none', [], true],
  ['gemini-3-flash-preview', 'effort', ['minimal', ...HIGH], true],
  ['gemini-3.1-flash-lite-preview', 'effort', ['minimal', ...HIGH], true],
  ['gemini-3.6-flash', 'effort', ['minimal', ...HIGH], true],
  ['gemini-3.1-pro-preview', 'effort', HIGH, true],
  ['gemini-3.7-flash', 'effort', HIGH, true],
  ['gemini-3.8-flash', 'effort', HIGH, true],
  ['gemini-4-argon', 'effort', HIGH, true],
  ['gemini-4-carbon', 'effort', HIGH, true],
  ['gemini-4-hydrogen', 'effort', XHIGH, true],
  ['gemini-flash-latest', 'effort', HIGH, true],
  ['gemini-5-neon', 'effort', HIGH, true],
];

describe('Google’s models', () => {
  it.each(GEMINI)('%s', (name, thinking, amount, third) => {
    const profile = profileFor(name, { protocol: 'gemini' });
    expect(profile).toMatchObject({ thinking, signedCalls: third, formatWithTools: third });
    expect(thinking === 'budget' ? profile.thinkingTokens : profile.efforts).toEqual(amount);
    // Images in results are written behind them for all.
    expect(profile.media).toMatchObject({ imageAddresses: third, toolResultImages: false });
  });

  it('takes penalties with Gemini 2.5 on Vertex only', () => {
    const protocol = 'gemini';
    const baseUrl = 'https://us-east5-aiplatform.googleapis.com/v1/publishers/google';
    expect(profileFor('gemini-2.5-pro', { protocol }).penalties).toBe(false);
    expect(profileFor('gemini-2.5-pro', { protocol, baseUrl }).penalties).toBe(true);
  });
});

/** Names as vendors and operators have them, and the family that is meant. */
const NAMES: readonly (readonly [string, string])[] = [
  ['openai/gpt-oss-120b', 'gpt-oss'],
  ['openai.gpt-oss-120b-1:0', 'gpt-oss'],
  ['gpt_oss_20b', 'gpt-oss'],
  ['ft:gpt-4o-mini-2024-07-18:weir::abc', 'gpt-4'],
  ['us.openai.gpt-5.6-sol', 'gpt-5.6'],
  ['accounts/fireworks/models/kimi-k2p6', 'kimi-k2.5'],
  ['moonshotai/Kimi-K3', 'kimi-k3'],
  ['k3.1-pro', 'kimi-k3'],
  ['kimi-for-coding', 'kimi-k3'],
  ['kimi-for-coding-highspeed', 'kimi-k2.7'],
  ['~moonshotai/kimi-latest', 'kimi-k3'],
  ['kimi-k2-thinking', 'kimi-k2.7'],
  ['kimi-k2-0905-preview', 'moonshot-v1'],
  ['Qwen/Qwen3-32B', 'qwen3'],
  ['qwen3:32b', 'qwen3'],
  ['Qwen/Qwen3-8B', 'qwen3'],
  ['qwen3.8-27b', 'qwen3.7'],
  ['qwen-3-8-27b', 'qwen3.7'],
  ['qwen4-max-preview', 'qwen3.7'],
  ['Qwen/Qwen3-235B-A22B-Instruct-2507', 'qwen3-coder'],
  ['qwen2.5-coder', 'qwen2.5'],
  ['zai-org/GLM-4.6', 'glm'],
  ['zai-glm-4.7', 'glm'],
  ['accounts/fireworks/models/glm-5p3', 'glm-5.3'],
  ['~z-ai/glm-latest', 'glm-5.3'],
  ['accounts/fireworks/routers/glm-flash-latest', 'glm-5.3'],
  ['glm-4-9b-chat', 'glm-4'],
  ['deepseek-ai/DeepSeek-V4-Pro', 'deepseek-v4'],
  ['deepseek-r1-distill-llama-70b', 'deepseek-r1'],
  ['deepseek.v3-v1:0', 'deepseek'],
  ['deepseek.v3.2', 'deepseek'],
  ['us.deepseek.r1-v1:0', 'deepseek-r1'],
  ['MiniMaxAI/MiniMax-M2', 'minimax'],
  ['mistralai/Magistral-Small-2506', 'mistral-medium'],
  ['voxtral-small-latest', 'mistral'],
  ['x-ai/grok-4.3', 'grok-4.3'],
  ['meta-llama/Llama-3.3-70B-Instruct', 'llama'],
  ['us.meta.llama3-3-70b-instruct-v1:0', 'llama'],
  ['eu.amazon.nova-pro-v1:0', 'nova'],
  ['models/gemma-3-27b-it', 'gemma'],
  ['models/gemini-robotics-er-2-preview', 'gemini-3-flash'],
  ['gpt-daybreak-red-latest', 'gpt-6'],
  ['nvidia.nemotron-super-3-120b', 'nemotron-3'],
  ['nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B', 'nemotron-3'],
];

describe('the family of a model', () => {
  it.each(NAMES)('of %s is %s', (name, family) => {
    const expected = family === 'generic' ? 'generic' : `generic/${family}`;
    expect(profileName(targetOf(name))).toBe(expected);
  });

  it.each([
    ['prod-gpt-5.1', 'gpt-5.1'],
    ['gpt4o', 'gpt-4'],
    ['my_o3', 'o-series'],
    ['gpt-5-1', 'gpt-5.1'],
    ['gpt-35-turbo', 'gpt-4'],
    ['Mistral-large-2411', 'mistral'],
    ['chat', 'generic'],
  ])('of the Azure deployment %s is %s', (name, family) => {
    expect(profileName(targetOf(name, { kind: 'azure' }))).toBe(`azure/${family}`);
  });
});

describe('images', () => {
  it.each([
    'deepseek-v4-pro',
    'deepseek-ai/DeepSeek-V3.2',
    'deepseek.v3.2',
    'deepseek-r1',
    'openai/gpt-oss-120b',
    'zai-org/GLM-4.6',
    'glm-5-turbo',
    'zai-glm-4.7',
    'glm-5.2',
    'kimi-k2-thinking',
    'kimi-k2-0905-preview',
    'MiniMax-M2.7-highspeed',
    'Qwen/Qwen3-8B',
    'qwen3:32b',
    'qwen3-coder-480b-a35b-instruct',
    'qwen3.7-max',
    'llama-3.3-70b-versatile',
    'us.meta.llama3-3-70b-instruct-v1:0',
    'us.amazon.nova-micro-v1:0',
    'codestral-2508',
    'devstral-2512',
    'command-a-03-2025',
    'nvidia.nemotron-super-3-120b',
  ])('are not read by %s', (name) => {
    expect(profileFor(name).media.imageTypes.size).toBe(0);
  });

  it.each([
    'deepseek-flash',
    'deepseek-v4-1-flash-1017',
    'deepseek-v4-flash-vision-exp',
    'deepseek-ai/DeepSeek-OCR',
    'glm-4.5v',
    'glm-5v-turbo',
    'glm-5.3',
    'kimi-k2.6',
    'MiniMax-M3',
    'qwen3-vl-235b-a22b-instruct',
    'qwen3-omni-30b-a3b-instruct',
    'qwen3.5-9b',
    'qwen3.8-27b',
    'qwen4-max',
    'llama-3.2-11b-vision-preview',
    'llama-4-scout',
    'us.amazon.nova-pro-v1:0',
    'mistral-large-2512',
    'devstral-small-2-24b-instruct-2512',
    'command-a-vision-07-2025',
    'nemotron-3-nano-omni-30b-a3b-reasoning',
    'some-model',
  ])('are read by %s', (name) => {
    expect(profileFor(name).media.imageTypes.size).toBeGreaterThan(0);
  });

  it('are read by a model that reads none if its operator says so', () => {
    const media = profileFor('glm-4.6', { chosen: 'zai/generic' }).media;
    expect(media.imageTypes.size).toBeGreaterThan(0);
  });
});

describe('two messages of the user in a row', () => {
  it.each(['mistralai/Ministral-3-8B-Instruct-2512', 'google/gemma-3-27b-it'])(
    'are one for %s, whose template takes no two',
    (name) => {
      expect(profileFor(name).conversation.strictAlternation).toBe(true);
    },
  );
});

it('Kimi’s schemas are Moonshot’s own at all sellers', () => {
  const sold = { baseUrl: 'https://openrouter.ai/api/v1' };
  for (const name of ['moonshotai/kimi-k3', 'moonshotai/kimi-k2.6', 'kimi-for-coding']) {
    expect(profileFor(name).toolSchema).toBe(MOONSHOT);
    expect(profileFor(name, sold).toolSchema).toBe(MOONSHOT);
  }
});
