import type { Vendor } from '../rule-set.ts';
import { VLLM as VLLM_SCHEMA } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';

export const VLLM: Vendor = {
  id: 'vllm',
  label: 'vLLM',
  source:
    'pydantic-ai-slim 2.68.0 providers/vllm.py; pydantic/pydantic-ai#5812; vllm-project/vllm#10463, vllm-project/vllm#30390',
  checkedOn: CHECKED_ON,
  hosts: [],
  rules: {
    topK: true,
    strictTools: true,
    toolSchema: VLLM_SCHEMA,
    strictSchema: VLLM_SCHEMA,
    formatSchema: VLLM_SCHEMA,
    media: { pdf: false },
    conversation: { systemMessages: 'one_leading' },
  },
  families: [
    {
      of: ['qwen3', 'deepseek-v4'],
      source: 'pydantic-ai-slim 2.68.0 providers/vllm.py',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: { 'openai-chat': { efforts: ['none', 'low', 'medium', 'high'] } },
    },
  ],
};
