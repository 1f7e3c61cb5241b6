import { describe, expect, it } from 'vitest';
import { profileName } from '../../../../gateway/providers/profiles/profile-of.ts';
import { META as META_SCHEMA } from '../../../../gateway/providers/profiles/schema-rules.ts';
import type { Rules } from '../../../../gateway/providers/profiles/rule-set.ts';
import { profileFor, targetOf } from './profile-for.ts';

describe('the vendor of a channel', () => {
  it.each([
    ['openai', 'https://api.openai.com/v1'],
    ['openai', 'https://eu.api.openai.com/v1'],
    ['azure', 'https://weir.openai.azure.com/openai/v1'],
    ['azure', 'https://weir.services.ai.azure.com/models'],
    ['anthropic', 'https://api.anthropic.com'],
    ['bedrock', 'https://bedrock-runtime.us-east-1.amazonaws.com/anthropic'],
    ['bedrock', 'https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com/openai/v1'],
    ['bedrock-mantle', 'https://bedrock-mantle.eu-west-1.api.aws/openai/v1'],
    ['gemini', 'https://generativelanguage.googleapis.com'],
    ['vertex', 'https://aiplatform.googleapis.com/v1'],
    ['vertex', 'https://us-east5-aiplatform.googleapis.com/v1'],
    ['vertex', 'https://aiplatform.eu.rep.googleapis.com/v1'],
    ['mistral', 'https://api.mistral.ai/v1'],
    ['xai', 'https://api.x.ai/v1'],
    ['deepseek', 'https://api.deepseek.com/anthropic'],
    ['moonshot', 'https://api.moonshot.cn/v1'],
    ['moonshot', 'https://api.moonshot.ai/anthropic'],
    ['dashscope', 'https://dashscope.aliyuncs.com/compatible-mode/v1'],
    ['dashscope', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1'],
    ['zai', 'https://api.z.ai/api/paas/v4'],
    ['zai', 'https://open.bigmodel.cn/api/anthropic'],
    ['minimax', 'https://api.minimax.io/v1'],
    ['meta', 'https://api.meta.ai/v1'],
    ['xiaomi', 'https://api.xiaomimimo.com/v1'],
    ['xiaomi', 'https://token-plan-cn.xiaomimimo.com/anthropic'],
    ['perplexity', 'https://api.perplexity.ai'],
    ['cohere', 'https://api.cohere.ai/compatibility/v1'],
    ['groq', 'https://api.groq.com/openai/v1'],
    ['cerebras', 'https://API.cerebras.ai:443/v1'],
    ['together', 'https://api.together.xyz/v1'],
    ['fireworks', 'https://api.fireworks.ai/inference/v1'],
    ['nvidia', 'https://integrate.api.nvidia.com/v1'],
    ['openrouter', 'https://openrouter.ai/api/v1'],
  ])('is %s at %s', (vendor, baseUrl) => {
    expect(profileName(targetOf('a-model', { baseUrl }))).toBe(`${vendor}/generic`);
  });

  it.each([
    'https://models.example.com/v1',
    'http://localhost:11434/v1',
    'https://api.groq.com.example.com/v1',
    'https://notapi.groq.com/v1',
    'https://example.com/api.groq.com',
    'no address',
    '',
  ])('is unknown at %j', (baseUrl) => {
    expect(profileName(targetOf('a-model', { baseUrl }))).toBe('generic');
  });

  it('is Azure for channels of that kind, wherever they are', () => {
    const baseUrl = 'https://proxy.example.com';
    expect(profileName(targetOf('prod', { kind: 'azure', baseUrl }))).toBe('azure/generic');
  });
});

const AT = {
  openai: 'https://api.openai.com/v1',
  azure: 'https://weir.openai.azure.com/openai/v1',
  bedrock: 'https://bedrock-runtime.us-east-1.amazonaws.com/anthropic',
  vertex: 'https://us-east5-aiplatform.googleapis.com/v1',
  mistral: 'https://api.mistral.ai/v1',
  xai: 'https://api.x.ai/v1',
  deepseek: 'https://api.deepseek.com',
  moonshot: 'https://api.moonshot.ai/v1',
  dashscope: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
  zai: 'https://api.z.ai/api/paas/v4',
  minimax: 'https://api.minimax.io/v1',
  meta: 'https://api.meta.ai/v1',
  xiaomi: 'https://api.xiaomimimo.com/v1',
  perplexity: 'https://api.perplexity.ai',
  cohere: 'https://api.cohere.ai/compatibility/v1',
  groq: 'https://api.groq.com/openai/v1',
  cerebras: 'https://api.cerebras.ai/v1',
  together: 'https://api.together.xyz/v1',
  fireworks: 'https://api.fireworks.ai/inference/v1',
  nvidia: 'https://integrate.api.nvidia.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
} as const;

const MUSE = ['minimal', 'low', 'medium', 'high', 'xhigh'] as const;
const MUSE_MAX = [...MUSE, 'max'] as const;
const UP_TO_XHIGH = ['none', 'low', 'medium', 'high', 'xhigh'] as const;

/** Vendor, model, what its chat completions take of it. */
const CHAT: readonly (readonly [keyof typeof AT, string, Rules])[] = [
  [
    'openai',
    'gpt-5.1',
    {
      cacheKey: true,
      userIdCharactersMax: 64,
      developerRole: true,
      verbosity: true,
      toolsMax: 128,
    },
  ],
  ['openai', 'gpt-5.1', { outputLimitField: 'max_completion_tokens', customTools: true }],
  ['azure', 'prod-gpt-5.2', { efforts: UP_TO_XHIGH, cacheKey: true, media: { pdf: false } }],
  ['azure', 'prod', { thinking: 'none', outputLimitField: 'max_completion_tokens' }],
  ['azure', 'Mistral-Large-3', { outputLimitField: 'max_tokens', cacheKey: false }],
  ['azure', 'grok-4-1', { penalties: false, stopSequencesMax: 0, developerRole: false }],
  ['azure', 'Kimi-K2.6', { cacheKey: false }],
  ['mistral', 'mistral-small-latest', { efforts: ['none', 'high'], seed: 'refused' }],
  ['mistral', 'mistral-large-4', { efforts: ['low', 'medium', 'high'] }],
  ['mistral', 'mistral-large-latest', { thinking: 'none', outputLimitField: 'max_tokens' }],
  ['mistral', 'zai-glm-5-3', { efforts: ['low', 'high', 'max'] }],
  [
    'mistral',
    'codestral-latest',
    {
      callId: { letters: 'A-Za-z0-9', charactersMin: 9, charactersMax: 9 },
      cacheKey: true,
      conversation: { assistantBehindResults: true, reasoningText: 'refused' },
    },
  ],
  ['xai', 'grok-4.7', { efforts: ['low', 'medium', 'high', 'xhigh'], penalties: false }],
  ['xai', 'grok-4.3', { efforts: ['none', 'low', 'medium', 'high'], stopSequencesMax: 0 }],
  ['xai', 'grok-4.20-0309-reasoning', { thinking: 'none', toolsMax: 200, strictTools: true }],
  [
    'deepseek',
    'deepseek-v4-pro',
    {
      outputLimitField: 'max_tokens',
      effortField: 'thinking_with_effort',
      efforts: ['none', 'low', 'high', 'max'],
      forcedTools: 'without_thinking',
      jsonSchema: 'prompt',
      seed: 'refused',
      conversation: { reasoningText: 'required' },
    },
  ],
  ['moonshot', 'kimi-k2.6', { effortField: 'thinking', sampling: 'refused', strictTools: false }],
  ['moonshot', 'kimi-k2.7-code', { thinking: 'none', forcedTools: 'refused' }],
  ['moonshot', 'kimi-k3', { efforts: ['low', 'high', 'max'], forcedTools: 'accepted' }],
  ['dashscope', 'qwen3-max', { effortField: 'enable_thinking', jsonSchema: 'prompt' }],
  ['dashscope', 'qwen3.7-plus', { jsonSchema: 'format', forcedTools: 'without_thinking' }],
  ['zai', 'glm-4.6', { effortField: 'thinking', temperature: { min: 0, max: 1 }, topPMin: 0.01 }],
  ['zai', 'glm-5.2', { effortField: 'thinking_with_effort', jsonSchema: 'prompt' }],
  ['zai', 'glm-5.3', { effortField: 'reasoning_effort', efforts: ['low', 'high', 'max'] }],
  [
    'minimax',
    'MiniMax-M3',
    {
      thinking: 'none',
      temperature: { min: 0.01, max: 1 },
      outputLimitField: 'max_completion_tokens',
      conversation: { systemMessages: 'one_leading' },
    },
  ],
  ['meta', 'muse-spark-1.3', { forcedTools: 'only_auto', stopSequencesMax: 0, efforts: MUSE_MAX }],
  ['meta', 'muse-spark-1.3-contributor', { efforts: MUSE, toolSchema: META_SCHEMA }],
  [
    'xiaomi',
    'mimo-v2.6-pro',
    {
      effortField: 'thinking',
      efforts: ['none', 'high'],
      conversation: { reasoningText: 'required' },
      media: { toolResultImages: false },
    },
  ],
  ['xiaomi', 'mimo-v2.5-pro', { media: { imageTypes: new Set() } }],
  ['perplexity', 'sonar-pro', { toolsMax: 0, conversation: { strictAlternation: true } }],
  ['cohere', 'command-a-03-2025', { thinking: 'none', strictTools: false }],
  [
    'groq',
    'openai/gpt-oss-120b',
    {
      efforts: ['low', 'medium', 'high'],
      cacheKey: false,
      developerRole: false,
      toolsMax: 128,
      formatWithTools: false,
      conversation: { reasoningText: 'refused' },
    },
  ],
  ['groq', 'qwen/qwen3.6-27b', { efforts: ['none'] }],
  ['groq', 'qwen/qwen3.8-27b', { efforts: ['none', 'low', 'medium', 'high'] }],
  ['groq', 'llama-3.3-70b-versatile', { thinking: 'none', jsonSchema: 'tool' }],
  ['cerebras', 'zai-glm-5.3', { efforts: ['low', 'high', 'max'], parallelSwitch: false }],
  ['cerebras', 'gpt-oss-120b', { efforts: ['low', 'medium', 'high'], cacheKey: false }],
  ['cerebras', 'llama3.1-8b', { thinking: 'none', outputLimitField: 'max_completion_tokens' }],
  ['together', 'deepseek-ai/DeepSeek-V4-Pro', { forcedTools: 'refused' }],
  ['together', 'Qwen/Qwen3.6-Plus', { effortField: 'reasoning_enabled' }],
  ['fireworks', 'accounts/fireworks/models/glm-5p2', { efforts: ['none', 'high', 'max'] }],
  ['fireworks', 'accounts/fireworks/models/llama-v3p3', { thinking: 'none', cacheKey: true }],
  ['nvidia', 'meta/llama-3.2-11b', { penalties: false, cacheKey: false, strictTools: false }],
  ['openrouter', 'openai/gpt-5.5', { outputLimitField: 'max_tokens', effortField: 'reasoning' }],
  ['openrouter', 'x/unknown', { userIdCharactersMax: 128, allowedTools: false }],
];

describe('chat completions of', () => {
  it.each(CHAT)('%s with %s', (vendor, model, expected) => {
    expect(profileFor(model, { baseUrl: AT[vendor] })).toMatchObject(expected);
  });
});

describe('Messages of', () => {
  const protocol = 'anthropic-messages';
  const kind = 'anthropic';

  it('Anthropic: longer names of tools than elsewhere', () => {
    const baseUrl = 'https://api.anthropic.com';
    const name = { letters: 'A-Za-z0-9_-', charactersMax: 128 };
    expect(profileFor('claude-opus-5', { kind, protocol, baseUrl }).toolName).toEqual(name);
    expect(profileFor('claude-opus-5', { kind, protocol }).toolName.charactersMax).toBe(64);
  });

  it('Bedrock: no addresses, and compiled schemas from fewer models', () => {
    const at = { kind, protocol, baseUrl: AT.bedrock } as const;
    const older = profileFor('us.anthropic.claude-opus-4-1-20250805-v1:0', at);
    expect(older).toMatchObject({
      jsonSchema: 'tool',
      media: { imageAddresses: false, pdf: true },
    });
    expect(profileFor('us.anthropic.claude-opus-4-6-v1', at).jsonSchema).toBe('format');
  });

  it('Vertex: a compiler that gives up earlier', () => {
    const at = { kind, protocol, baseUrl: AT.vertex } as const;
    expect(profileFor('claude-opus-4-6', at)).toMatchObject({
      strictLimits: { optionalPropertiesMax: 10, toolsMax: 20 },
      media: { imageAddresses: false },
    });
  });

  it('Moonshot: as on its chat completions, the fixed temperature', () => {
    const baseUrl = 'https://api.moonshot.cn/anthropic';
    expect(profileFor('kimi-k3', { kind, protocol, baseUrl })).toMatchObject({
      thinking: 'budget',
      sampling: 'refused',
    });
  });
});
