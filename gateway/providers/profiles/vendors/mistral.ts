import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const MISTRAL: Vendor = {
  id: 'mistral',
  label: 'Mistral',
  source:
    '@ai-sdk/mistral 4.0.87; modelparams 0.0.53; editor-code-assistant/eca#231; mistralai/mistral-common#169',
  checkedOn: CHECKED_ON,
  hosts: ['api.mistral.ai', 'codestral.mistral.ai'],
  rules: {
    refusedFields: [
      // Usage is in the last chunk without it (dnakov/anon-kode#53).
      'stream_options',
      'store',
      'user',
      'service_tier',
      'verbosity',
      'logit_bias',
      'prompt_cache_retention',
    ],
    // Unknown fields of messages are refused.
    assistantImages: false,
    outputLimitField: 'max_tokens',
    temperature: { min: 0, max: 1.5 },
    topPMin: 0.01,
    // It is called 'random_seed' here, and 'seed' is an error.
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
};
