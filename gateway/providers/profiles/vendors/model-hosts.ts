/** Vendors that serve others' models over chat completions. */
import type { Effort, Rules, Vendor } from '../rule-set.ts';
import { CEREBRAS, CONSERVATIVE, GROQ_STRICT } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';
const PYDANTIC = 'pydantic-ai-slim 2.68.0';
const PI = '@earendil-works/pi-ai 0.87.1';
const MODELPARAMS = 'modelparams 0.0.53';

/** Unknown fields of messages are refused. */
const KNOWN_FIELDS: Rules = { assistantImages: false };

const TO_HIGH: readonly Effort[] = ['low', 'medium', 'high'];
const NONE_TO_HIGH: readonly Effort[] = ['none', ...TO_HIGH];
const LOW_HIGH_MAX: readonly Effort[] = ['low', 'high', 'max'];

function effort(efforts: readonly Effort[]): Rules {
  return { thinking: 'effort', efforts };
}

export const MODEL_HOSTS: readonly Vendor[] = [
  {
    id: 'groq',
    label: 'Groq',
    source: `${PYDANTIC} providers/groq.py; @ai-sdk/groq 4.0.84; ${PI} providers/data/groq.json; letta-ai/letta#1272; beeai-framework/beeai-framework#1215`,
    checkedOn: CHECKED_ON,
    hosts: ['api.groq.com'],
    rules: {
      ...KNOWN_FIELDS,
      thinking: 'none',
      efforts: [],
      outputLimitField: 'max_completion_tokens',
      toolsMax: 128,
      strictTools: true,
      strictSchema: GROQ_STRICT,
      formatSchema: GROQ_STRICT,
      formatWithTools: false,
      media: { pdf: false, audio: false },
      conversation: { systemMessages: 'anywhere', reasoningText: 'refused' },
    },
    families: [
      {
        of: ['gpt-oss'],
        source: `${PYDANTIC} profiles/groq.py; ${PI} providers/data/groq.json`,
        checkedOn: CHECKED_ON,
        rules: { ...effort(TO_HIGH), forcedTools: 'accepted' },
      },
      {
        // Other efforts have no word here: `default` is what it does when it is told nothing.
        of: ['qwen3'],
        source: `${PYDANTIC} profiles/groq.py; @ai-sdk/groq 4.0.84 groq-model-catalog.ts`,
        checkedOn: CHECKED_ON,
        rules: { ...effort(['none']), thinksByDefault: true, jsonSchema: 'tool' },
      },
      {
        of: ['qwen3.7'],
        source: `${PI} providers/data/groq.json`,
        checkedOn: CHECKED_ON,
        rules: { ...effort(NONE_TO_HIGH), thinksByDefault: true, jsonSchema: 'tool' },
      },
      {
        of: ['llama', 'qwen2.5', 'mistral', 'deepseek-r1'],
        source: `${PYDANTIC} providers/groq.py`,
        checkedOn: CHECKED_ON,
        rules: { jsonSchema: 'tool' },
      },
    ],
  },
  {
    id: 'cerebras',
    label: 'Cerebras',
    source: `${PYDANTIC} providers/cerebras.py; ${PI} providers/data/cerebras.json; agno-agi/agno#4508, agno-agi/agno#6013; musistudio/claude-code-router#708`,
    checkedOn: CHECKED_ON,
    hosts: ['api.cerebras.ai'],
    rules: {
      ...KNOWN_FIELDS,
      thinking: 'none',
      efforts: [],
      outputLimitField: 'max_completion_tokens',
      parallelSwitch: false,
      toolSchema: CEREBRAS,
      strictSchema: CEREBRAS,
      formatSchema: CEREBRAS,
      media: { pdf: false, audio: false },
      conversation: { reasoningText: 'refused' },
    },
    families: [
      {
        of: ['gpt-oss'],
        source: `${PYDANTIC} providers/cerebras.py; ${PI} providers/data/cerebras.json`,
        checkedOn: CHECKED_ON,
        rules: effort(TO_HIGH),
      },
      {
        of: ['glm-5.3', 'kimi-k3'],
        source: `${PYDANTIC} providers/cerebras.py`,
        checkedOn: CHECKED_ON,
        rules: effort(LOW_HIGH_MAX),
      },
      {
        of: ['glm', 'qwen3.7'],
        source: `${MODELPARAMS}; ${PI} providers/data/cerebras.json`,
        checkedOn: CHECKED_ON,
        rules: { ...effort(NONE_TO_HIGH), thinksByDefault: true },
      },
    ],
  },
  {
    id: 'together',
    label: 'Together AI',
    source: `${PYDANTIC} providers/together.py; ${PI} providers/data/together.json`,
    checkedOn: CHECKED_ON,
    hosts: ['api.together.xyz', 'api.together.ai'],
    rules: {
      ...KNOWN_FIELDS,
      outputLimitField: 'max_tokens',
      effortField: 'reasoning_enabled',
      efforts: ['none', 'high'],
      media: { pdf: false },
    },
    families: [
      {
        of: ['gpt-oss'],
        source: `${PI} providers/data/together.json`,
        checkedOn: CHECKED_ON,
        rules: { effortField: 'reasoning_effort', efforts: TO_HIGH },
      },
      {
        of: ['deepseek-v4'],
        source: `${PYDANTIC} providers/together.py`,
        checkedOn: CHECKED_ON,
        rules: { forcedTools: 'refused' },
      },
      {
        of: ['minimax'],
        source: `${PI} providers/data/together.json`,
        checkedOn: CHECKED_ON,
        rules: { thinking: 'none', efforts: [] },
      },
    ],
  },
  {
    id: 'fireworks',
    label: 'Fireworks AI',
    source: `${PYDANTIC} providers/fireworks.py; ${PI} providers/data/fireworks.json; vercel/ai#18306`,
    checkedOn: CHECKED_ON,
    hosts: ['api.fireworks.ai'],
    rules: { ...KNOWN_FIELDS, cacheKey: true, strictTools: true, media: { pdf: false } },
    families: [
      {
        of: ['deepseek-v4'],
        source: `${PI} providers/data/fireworks.json`,
        checkedOn: CHECKED_ON,
        rules: {},
        byProtocol: {
          'openai-chat': { efforts: ['none', 'low', 'high', 'max'] },
          'anthropic-messages': { thinking: 'adaptive', efforts: ['none', 'low', 'high', 'max'] },
        },
      },
      {
        of: ['glm-5.2'],
        source: `${PI} providers/data/fireworks.json`,
        checkedOn: CHECKED_ON,
        rules: {},
        byProtocol: { 'openai-chat': { efforts: ['none', 'high', 'max'] } },
      },
      {
        of: ['kimi-k3'],
        source: `${PI} providers/data/fireworks.json`,
        checkedOn: CHECKED_ON,
        rules: { conversation: { reasoningText: 'required', systemMessages: 'anywhere' } },
      },
      {
        of: ['gpt-oss', 'minimax'],
        source: `${PI} providers/data/fireworks.json`,
        checkedOn: CHECKED_ON,
        rules: {},
        byProtocol: { 'anthropic-messages': { thinking: 'adaptive', efforts: TO_HIGH } },
      },
      {
        of: ['qwen3.7'],
        source: `${PI} providers/data/fireworks.json`,
        checkedOn: CHECKED_ON,
        rules: {},
        byProtocol: {
          'openai-chat': { efforts: ['none', 'low', 'medium'] },
          'anthropic-messages': { thinking: 'adaptive', efforts: ['none', 'low', 'medium'] },
        },
      },
    ],
  },
  {
    id: 'nvidia',
    label: 'NVIDIA NIM',
    source: `${PI} providers/data/nvidia.json; ${MODELPARAMS}`,
    checkedOn: CHECKED_ON,
    hosts: ['integrate.api.nvidia.com'],
    rules: {
      ...KNOWN_FIELDS,
      thinking: 'none',
      efforts: [],
      outputLimitField: 'max_tokens',
      temperature: { min: 0, max: 1 },
      topPMin: 0.01,
      // Some of its models refuse them with status 422.
      penalties: false,
      toolSchema: CONSERVATIVE,
      media: { pdf: false },
    },
    families: [
      {
        of: ['nemotron-3'],
        source: MODELPARAMS,
        checkedOn: CHECKED_ON,
        // The models have `low` or `medium`; all have these.
        rules: { ...effort(['none', 'high']), thinksByDefault: true },
      },
    ],
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    source: `${PYDANTIC} providers/openrouter.py; ${PI} dist/api/openai-completions.js`,
    checkedOn: CHECKED_ON,
    hosts: ['openrouter.ai'],
    rules: {
      outputLimitField: 'max_tokens',
      userIdCharactersMax: 128,
      allowedTools: false,
      customTools: false,
      assistantImages: true,
    },
    byProtocol: {
      'openai-chat': {
        effortField: 'reasoning',
        // It maps what a model does not know to the nearest, but `none` is an error for some.
        efforts: ['minimal', 'low', 'medium', 'high', 'xhigh'],
        media: { pdfAddresses: true },
      },
    },
    families: [
      {
        of: [
          'gpt-5.1',
          'gpt-5.2',
          'gpt-5.4',
          'gpt-5.5',
          'gpt-5.6',
          'gpt-6',
          'claude-3.7',
          'claude-opus-4',
          'claude-opus-4.1',
          'claude-4.5',
          'claude-4.6',
          'claude-opus-4.7',
          'claude-opus-4.8',
          'claude-sonnet-5',
          'claude-opus-5',
          'gemini-2.5-flash',
          'grok-4.3',
          'deepseek',
          'deepseek-v4',
          'qwen3',
          'qwen3.7',
          'glm',
          'glm-5.2',
          'kimi-k2.5',
        ],
        source: `${PYDANTIC} providers/openrouter.py`,
        checkedOn: CHECKED_ON,
        rules: {},
        byProtocol: {
          'openai-chat': { efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] },
        },
      },
    ],
  },
];
