import type { Vendor } from '../rule-set.ts';
import { CEREBRAS as CEREBRAS_SCHEMA } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';

export const CEREBRAS: Vendor = {
  id: 'cerebras',
  label: 'Cerebras',
  source:
    'pydantic-ai-slim 2.68.0 providers/cerebras.py; @earendil-works/pi-ai 0.87.1 providers/data/cerebras.json; agno-agi/agno#4508, agno-agi/agno#6013; musistudio/claude-code-router#708',
  checkedOn: CHECKED_ON,
  hosts: ['api.cerebras.ai'],
  rules: {
    refusedFields: ['store', 'metadata', 'prompt_cache_key'],
    // Unknown fields of messages are refused.
    assistantImages: false,
    thinking: 'none',
    efforts: [],
    outputLimitField: 'max_completion_tokens',
    parallelSwitch: false,
    toolSchema: CEREBRAS_SCHEMA,
    strictSchema: CEREBRAS_SCHEMA,
    formatSchema: CEREBRAS_SCHEMA,
    media: { pdf: false, audio: false },
    conversation: { reasoningText: 'refused' },
  },
  families: [
    {
      of: ['gpt-oss'],
      source:
        'pydantic-ai-slim 2.68.0 providers/cerebras.py; @earendil-works/pi-ai 0.87.1 providers/data/cerebras.json',
      checkedOn: CHECKED_ON,
      rules: { thinking: 'effort', efforts: ['low', 'medium', 'high'] },
    },
    {
      of: ['glm-5.3', 'kimi-k3'],
      source: 'pydantic-ai-slim 2.68.0 providers/cerebras.py',
      checkedOn: CHECKED_ON,
      rules: { thinking: 'effort', efforts: ['low', 'high', 'max'] },
    },
    {
      of: ['glm', 'qwen3.7'],
      source: 'modelparams 0.0.53; @earendil-works/pi-ai 0.87.1 providers/data/cerebras.json',
      checkedOn: CHECKED_ON,
      rules: {
        thinking: 'effort',
        efforts: ['none', 'low', 'medium', 'high'],
        thinksByDefault: true,
      },
    },
  ],
};
