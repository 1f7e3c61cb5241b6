import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const FIREWORKS: Vendor = {
  id: 'fireworks',
  label: 'Fireworks AI',
  source:
    'pydantic-ai-slim 2.68.0 providers/fireworks.py; @earendil-works/pi-ai 0.87.1 providers/data/fireworks.json; vercel/ai#18306',
  checkedOn: CHECKED_ON,
  hosts: ['api.fireworks.ai'],
  rules: {
    refusedFields: ['store', 'metadata'],
    // Unknown fields of messages are refused.
    assistantImages: false,
    cacheKey: true,
    strictTools: true,
    media: { pdf: false },
  },
  families: [
    {
      of: ['deepseek-v4'],
      source: '@earendil-works/pi-ai 0.87.1 providers/data/fireworks.json',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: {
        'openai-chat': { efforts: ['none', 'low', 'high', 'max'] },
        'anthropic-messages': { thinking: 'adaptive', efforts: ['none', 'low', 'high', 'max'] },
      },
    },
    {
      of: ['glm-5.2'],
      source: '@earendil-works/pi-ai 0.87.1 providers/data/fireworks.json',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: { 'openai-chat': { efforts: ['none', 'high', 'max'] } },
    },
    {
      of: ['kimi-k3'],
      source: '@earendil-works/pi-ai 0.87.1 providers/data/fireworks.json',
      checkedOn: CHECKED_ON,
      rules: { conversation: { reasoningText: 'required', systemMessages: 'anywhere' } },
    },
    {
      of: ['gpt-oss', 'minimax'],
      source: '@earendil-works/pi-ai 0.87.1 providers/data/fireworks.json',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: {
        'anthropic-messages': { thinking: 'adaptive', efforts: ['low', 'medium', 'high'] },
      },
    },
    {
      of: ['qwen3.7'],
      source: '@earendil-works/pi-ai 0.87.1 providers/data/fireworks.json',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: {
        'openai-chat': { efforts: ['none', 'low', 'medium'] },
        'anthropic-messages': { thinking: 'adaptive', efforts: ['none', 'low', 'medium'] },
      },
    },
  ],
};
