/** Vendors that serve the models they make, mostly over chat completions. */
import { ALL_EFFORTS } from '../protocol-defaults.ts';
import type { Rules, Vendor } from '../rule-set.ts';
import { MOONSHOT, XAI } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';
const PYDANTIC = 'pydantic-ai-slim 2.68.0';
const PI = '@earendil-works/pi-ai 0.87.1 dist/api/openai-completions.js';
const MODELPARAMS = 'modelparams 0.0.53';

/** Unknown fields of messages are refused. */
const KNOWN_FIELDS: Rules = { assistantImages: false };

/** Kimi models have one temperature and one top_p each, and refuse any other. */
const KIMI_THINKING: Rules = {
  thinksByDefault: true,
  sampling: 'refused',
  conversation: { reasoningText: 'required', systemMessages: 'anywhere' },
};

export const MODEL_MAKERS: readonly Vendor[] = [
  {
    id: 'mistral',
    label: 'Mistral',
    source: `@ai-sdk/mistral 4.0.87; ${MODELPARAMS}; editor-code-assistant/eca#231; mistralai/mistral-common#169`,
    checkedOn: CHECKED_ON,
    hosts: ['api.mistral.ai', 'codestral.mistral.ai'],
    rules: {
      ...KNOWN_FIELDS,
      outputLimitField: 'max_tokens',
      temperature: { min: 0, max: 1.5 },
      topPMin: 0.01,
      // It is called `random_seed` here, and `seed` is an error.
      seed: 'refused',
      cacheKey: true,
      strictTools: true,
      callId: { letters: 'A-Za-z0-9', charactersMin: 9, charactersMax: 9 },
      conversation: {
        lastAssistant: 'refused',
        systemMessages: 'anywhere',
        assistantBehindResults: true,
        reasoningText: 'refused',
      },
    },
    families: [
      {
        of: ['mistral-medium'],
        source: '@ai-sdk/mistral 4.0.87 mistral-model-catalog.ts',
        checkedOn: CHECKED_ON,
        rules: { thinking: 'effort', efforts: ['none', 'high'] },
      },
      {
        of: ['mistral-large-4'],
        source: '@ai-sdk/mistral 4.0.87 mistral-model-catalog.ts; modelparams 0.0.53',
        checkedOn: CHECKED_ON,
        rules: {
          thinking: 'effort',
          efforts: ['low', 'medium', 'high'],
          thinksByDefault: true,
          temperature: { min: 0.1, max: 1.5 },
        },
      },
      {
        of: ['glm-5.2'],
        source: '@ai-sdk/mistral 4.0.87 mistral-model-catalog.ts',
        checkedOn: CHECKED_ON,
        rules: { efforts: ['none', 'high'] },
      },
      {
        of: ['glm-5.3', 'glm'],
        source: '@ai-sdk/mistral 4.0.87 mistral-model-catalog.ts',
        checkedOn: CHECKED_ON,
        rules: { efforts: ['low', 'high', 'max'] },
      },
    ],
  },
  {
    id: 'xai',
    label: 'xAI',
    source: `@ai-sdk/xai 5.0.12; ${MODELPARAMS}; ${PI}; docs.x.ai/docs/guides/structured-outputs`,
    checkedOn: CHECKED_ON,
    hosts: ['api.x.ai', '*.api.x.ai'],
    rules: {
      ...KNOWN_FIELDS,
      outputLimitField: 'max_completion_tokens',
      topPMin: 0.01,
      penalties: false,
      toolsMax: 200,
      strictTools: true,
      toolSchema: XAI,
      strictSchema: XAI,
      formatSchema: XAI,
      media: { imageTypes: new Set(['image/png', 'image/jpeg']), pdf: false, audio: false },
      conversation: { systemMessages: 'anywhere', reasoningText: 'refused' },
    },
    byProtocol: { 'openai-responses': { encryptedReasoning: true } },
  },
  {
    id: 'deepseek',
    label: 'DeepSeek',
    source: `${PYDANTIC} providers/deepseek.py; @ai-sdk/deepseek 3.0.56; ${MODELPARAMS}; ${PI}`,
    checkedOn: CHECKED_ON,
    hosts: ['api.deepseek.com'],
    rules: {
      ...KNOWN_FIELDS,
      // `max_completion_tokens` is ignored without a word.
      outputLimitField: 'max_tokens',
      penalties: false,
      seed: 'refused',
    },
    byProtocol: {
      'openai-chat': { effortField: 'thinking_with_effort', jsonSchema: 'prompt' },
    },
    families: [
      {
        of: ['deepseek-v4'],
        source: `${PYDANTIC} providers/deepseek.py; @ai-sdk/deepseek 3.0.56`,
        checkedOn: CHECKED_ON,
        rules: {
          thinksByDefault: true,
          sampling: 'without_thinking',
          forcedTools: 'without_thinking',
          conversation: { reasoningText: 'required' },
        },
        byProtocol: {
          'openai-chat': { efforts: ['none', 'low', 'high', 'max'] },
          'openai-responses': { efforts: ['none', 'low', 'high', 'max'] },
        },
      },
      {
        of: ['deepseek-r1'],
        source: `${PYDANTIC} providers/deepseek.py`,
        checkedOn: CHECKED_ON,
        rules: {
          sampling: 'refused',
          forcedTools: 'refused',
          conversation: { reasoningText: 'required' },
        },
        byProtocol: { 'openai-chat': { efforts: ['high', 'max'] } },
      },
      {
        of: ['deepseek'],
        source: MODELPARAMS,
        checkedOn: CHECKED_ON,
        rules: { sampling: 'without_thinking', forcedTools: 'without_thinking' },
        byProtocol: { 'openai-chat': { efforts: ['none', 'high', 'max'] } },
      },
    ],
  },
  {
    id: 'moonshot',
    label: 'Moonshot AI',
    source: `${PYDANTIC} providers/moonshotai.py; @ai-sdk/moonshotai 3.0.60; ${MODELPARAMS}; HKUDS/nanobot#3939`,
    checkedOn: CHECKED_ON,
    hosts: ['api.moonshot.ai', 'api.moonshot.cn', 'api.kimi.com'],
    rules: {
      ...KNOWN_FIELDS,
      seed: 'refused',
      temperature: { min: 0, max: 1 },
      forcedTools: 'refused',
      toolSchema: MOONSHOT,
      formatSchema: MOONSHOT,
    },
    families: [
      {
        of: ['kimi-k3'],
        source: `@ai-sdk/moonshotai 3.0.60; ${MODELPARAMS}`,
        checkedOn: CHECKED_ON,
        rules: { ...KIMI_THINKING, forcedTools: 'accepted' },
      },
      {
        of: ['kimi-k2.7'],
        source: `${PYDANTIC} providers/moonshotai.py; @ai-sdk/moonshotai 3.0.60`,
        checkedOn: CHECKED_ON,
        rules: KIMI_THINKING,
        // It always thinks and cannot be told how much.
        byProtocol: { 'openai-chat': { thinking: 'none', efforts: [] } },
      },
      {
        of: ['kimi-k2.5'],
        source: `${PYDANTIC} providers/moonshotai.py; @ai-sdk/moonshotai 3.0.60`,
        checkedOn: CHECKED_ON,
        rules: KIMI_THINKING,
        byProtocol: { 'openai-chat': { effortField: 'thinking', efforts: ['none', 'high'] } },
      },
      {
        of: ['moonshot-v1'],
        source: MODELPARAMS,
        checkedOn: CHECKED_ON,
        rules: { forcedTools: 'accepted' },
      },
    ],
  },
  {
    id: 'dashscope',
    label: 'Alibaba DashScope',
    source: `@ai-sdk/alibaba 2.0.58; ${PYDANTIC} providers/alibaba.py; ${MODELPARAMS}`,
    checkedOn: CHECKED_ON,
    hosts: [
      'dashscope.aliyuncs.com',
      'dashscope-*.aliyuncs.com',
      '*.dashscope.aliyuncs.com',
      'coding-*.dashscope.aliyuncs.com',
    ],
    rules: {
      ...KNOWN_FIELDS,
      outputLimitField: 'max_tokens',
      temperature: { min: 0, max: 1.9 },
      topPMin: 0.01,
      penalties: false,
      forcedTools: 'without_thinking',
      media: { pdf: false },
    },
    byProtocol: {
      'openai-chat': {
        effortField: 'enable_thinking',
        efforts: ['none', 'high'],
        jsonSchema: 'prompt',
      },
    },
    families: [
      {
        of: ['qwen3.7'],
        source: '@ai-sdk/alibaba 2.0.58 supports-json-schema-output.ts',
        checkedOn: CHECKED_ON,
        rules: { thinksByDefault: true },
        byProtocol: { 'openai-chat': { jsonSchema: 'format', jsonObject: 'prompt' } },
      },
      {
        // These think by default, and a JSON object is refused beside thinking.
        of: [
          'deepseek-v4',
          'deepseek-r1',
          'deepseek',
          'glm-5.3',
          'glm-5.2',
          'glm',
          'kimi-k3',
          'kimi-k2.7',
        ],
        source: MODELPARAMS,
        checkedOn: CHECKED_ON,
        rules: { thinksByDefault: true },
        byProtocol: { 'openai-chat': { jsonObject: 'prompt' } },
      },
    ],
  },
  {
    id: 'zai',
    label: 'Z.AI',
    source: `${PYDANTIC} profiles/zai.py, providers/zai.py; ${MODELPARAMS}; ${PI}; anomalyco/opencode#2557`,
    checkedOn: CHECKED_ON,
    hosts: ['api.z.ai', 'open.bigmodel.cn'],
    rules: {
      ...KNOWN_FIELDS,
      outputLimitField: 'max_tokens',
      temperature: { min: 0, max: 1 },
      topPMin: 0.01,
      penalties: false,
      seed: 'refused',
    },
    byProtocol: {
      'openai-chat': {
        stopSequencesMax: 1,
        parallelSwitch: false,
        forcedTools: 'refused',
        jsonSchema: 'prompt',
      },
    },
    families: [
      {
        of: ['glm'],
        source: MODELPARAMS,
        checkedOn: CHECKED_ON,
        rules: {},
        byProtocol: { 'openai-chat': { effortField: 'thinking', efforts: ['none', 'high'] } },
      },
      {
        of: ['glm-5.2'],
        source: `${PYDANTIC} profiles/zai.py; ${MODELPARAMS}`,
        checkedOn: CHECKED_ON,
        rules: {},
        byProtocol: {
          'openai-chat': { effortField: 'thinking_with_effort', efforts: ALL_EFFORTS },
        },
      },
    ],
  },
  {
    id: 'minimax',
    label: 'MiniMax',
    source: `${MODELPARAMS}; QwenLM/qwen-code#11834`,
    checkedOn: CHECKED_ON,
    hosts: ['api.minimax.io', 'api.minimaxi.com', 'api.minimax.chat', 'api.minimaxi.chat'],
    rules: {
      ...KNOWN_FIELDS,
      outputLimitField: 'max_completion_tokens',
      temperature: { min: 0.01, max: 1 },
      topPMin: 0.01,
      penalties: false,
      seed: 'refused',
      stopSequencesMax: 0,
    },
    byProtocol: {
      // The models always think and cannot be told how much.
      'openai-chat': { thinking: 'none', efforts: [], jsonSchema: 'prompt', jsonObject: 'prompt' },
    },
  },
  {
    id: 'perplexity',
    label: 'Perplexity',
    source: `${MODELPARAMS}; litellm 1.110.2 llms/perplexity`,
    checkedOn: CHECKED_ON,
    hosts: ['api.perplexity.ai'],
    rules: {
      ...KNOWN_FIELDS,
      thinking: 'none',
      efforts: [],
      outputLimitField: 'max_tokens',
      penalties: false,
      seed: 'refused',
      stopSequencesMax: 0,
      toolsMax: 0,
      jsonObject: 'prompt',
      conversation: {
        systemMessages: 'one_leading',
        startsWithUser: true,
        strictAlternation: true,
        reasoningText: 'refused',
      },
    },
    families: [
      {
        of: ['sonar-deep-research'],
        source: MODELPARAMS,
        checkedOn: CHECKED_ON,
        rules: { thinking: 'effort', efforts: ['minimal', 'low', 'medium', 'high'] },
      },
    ],
  },
  {
    id: 'cohere',
    label: 'Cohere',
    source: `${MODELPARAMS}; litellm 1.110.2 llms/cohere`,
    checkedOn: CHECKED_ON,
    hosts: ['api.cohere.com', 'api.cohere.ai'],
    rules: {
      ...KNOWN_FIELDS,
      thinking: 'none',
      efforts: [],
      topPMin: 0.01,
      parallelSwitch: false,
      conversation: { reasoningText: 'refused' },
    },
  },
];
