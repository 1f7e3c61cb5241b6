import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const TOGETHER: Vendor = {
  id: 'together',
  label: 'Together AI',
  source:
    'pydantic-ai-slim 2.68.0 providers/together.py; @earendil-works/pi-ai 0.87.1 providers/data/together.json',
  checkedOn: CHECKED_ON,
  hosts: ['api.together.xyz', 'api.together.ai'],
  rules: {
    refusedFields: ['store'],
    // Unknown fields of messages are refused.
    assistantImages: false,
    outputLimitField: 'max_tokens',
    effortField: 'reasoning_enabled',
    efforts: ['none', 'high'],
    media: { pdf: false },
  },
  families: [
    {
      of: ['gpt-oss'],
      source: '@earendil-works/pi-ai 0.87.1 providers/data/together.json',
      checkedOn: CHECKED_ON,
      rules: { effortField: 'reasoning_effort', efforts: ['low', 'medium', 'high'] },
    },
    {
      of: ['deepseek-v4'],
      source: 'pydantic-ai-slim 2.68.0 providers/together.py',
      checkedOn: CHECKED_ON,
      rules: { forcedTools: 'refused' },
    },
    {
      of: ['minimax'],
      source: '@earendil-works/pi-ai 0.87.1 providers/data/together.json',
      checkedOn: CHECKED_ON,
      rules: { thinking: 'none', efforts: [] },
    },
  ],
};
