import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const DEEPSEEK: Vendor = {
  id: 'deepseek',
  label: 'DeepSeek',
  source:
    'pydantic-ai-slim 2.68.0 providers/deepseek.py; @ai-sdk/deepseek 3.0.56; modelparams 0.0.53; @earendil-works/pi-ai 0.87.1 dist/api/openai-completions.js',
  checkedOn: CHECKED_ON,
  hosts: ['api.deepseek.com'],
  rules: {
    // Unknown fields of messages are refused.
    assistantImages: false,
    // 'max_completion_tokens' is ignored without a word.
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
      source: 'pydantic-ai-slim 2.68.0 providers/deepseek.py; @ai-sdk/deepseek 3.0.56',
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
      source: 'pydantic-ai-slim 2.68.0 providers/deepseek.py',
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
      source: 'modelparams 0.0.53',
      checkedOn: CHECKED_ON,
      rules: { sampling: 'without_thinking', forcedTools: 'without_thinking' },
      byProtocol: { 'openai-chat': { efforts: ['none', 'high', 'max'] } },
    },
  ],
};
