import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const OLLAMA: Vendor = {
  id: 'ollama',
  label: 'Ollama',
  source: 'pydantic-ai-slim 2.68.0 providers/ollama.py; pydantic/pydantic-ai#4116',
  checkedOn: CHECKED_ON,
  hosts: ['ollama.com'],
  rules: {
    outputLimitField: 'max_tokens',
    strictTools: false,
    media: { imageAddresses: false, pdf: false, audio: false },
  },
  families: [
    {
      of: ['qwen3', 'qwen3.7', 'deepseek-v4', 'glm'],
      source: 'pydantic-ai-slim 2.68.0 providers/ollama.py',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: { 'openai-chat': { efforts: ['none', 'low', 'medium', 'high'] } },
    },
  ],
};
