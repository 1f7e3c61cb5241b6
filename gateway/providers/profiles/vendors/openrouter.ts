import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const OPENROUTER: Vendor = {
  id: 'openrouter',
  label: 'OpenRouter',
  source:
    'pydantic-ai-slim 2.68.0 providers/openrouter.py; @earendil-works/pi-ai 0.87.1 dist/api/openai-completions.js',
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
      // It maps what a model does not know to the nearest, but 'none' is an error for some.
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
      source: 'pydantic-ai-slim 2.68.0 providers/openrouter.py',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: {
        'openai-chat': { efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] },
      },
    },
  ],
};
