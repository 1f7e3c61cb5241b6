import type { Vendor } from '../rule-set.ts';
import { GROQ_STRICT } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';

export const GROQ: Vendor = {
  id: 'groq',
  label: 'Groq',
  source:
    'pydantic-ai-slim 2.68.0 providers/groq.py; @ai-sdk/groq 4.0.84; @earendil-works/pi-ai 0.87.1 providers/data/groq.json; letta-ai/letta#1272; beeai-framework/beeai-framework#1215',
  checkedOn: CHECKED_ON,
  hosts: ['api.groq.com'],
  rules: {
    refusedFields: ['store', 'metadata', 'prompt_cache_key', 'logit_bias'],
    // Unknown fields of messages are refused.
    assistantImages: false,
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
      source:
        'pydantic-ai-slim 2.68.0 profiles/groq.py; @earendil-works/pi-ai 0.87.1 providers/data/groq.json',
      checkedOn: CHECKED_ON,
      rules: { thinking: 'effort', efforts: ['low', 'medium', 'high'], forcedTools: 'accepted' },
    },
    {
      // Other efforts have no word here: it thinks as much as it likes.
      of: ['qwen3'],
      source: 'pydantic-ai-slim 2.68.0 profiles/groq.py; @ai-sdk/groq 4.0.84 groq-model-catalog.ts',
      checkedOn: CHECKED_ON,
      rules: { thinking: 'effort', efforts: ['none'], thinksByDefault: true, jsonSchema: 'tool' },
    },
    {
      of: ['qwen3.7'],
      source: '@earendil-works/pi-ai 0.87.1 providers/data/groq.json',
      checkedOn: CHECKED_ON,
      rules: {
        thinking: 'effort',
        efforts: ['none', 'low', 'medium', 'high'],
        thinksByDefault: true,
        jsonSchema: 'tool',
      },
    },
    {
      of: ['llama', 'qwen2.5', 'mistral', 'deepseek-r1'],
      source: 'pydantic-ai-slim 2.68.0 providers/groq.py',
      checkedOn: CHECKED_ON,
      rules: { jsonSchema: 'tool' },
    },
  ],
};
