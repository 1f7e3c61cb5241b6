/** Servers that operators run themselves: no address tells them, so an operator chooses one. */
import type { Vendor } from '../rule-set.ts';
import { LLAMA_CPP, VLLM } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';
const PYDANTIC = 'pydantic-ai-slim 2.68.0';

export const OWN_SERVERS: readonly Vendor[] = [
  {
    id: 'ollama',
    label: 'Ollama',
    source: `${PYDANTIC} providers/ollama.py; pydantic/pydantic-ai#4116`,
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
        source: `${PYDANTIC} providers/ollama.py`,
        checkedOn: CHECKED_ON,
        rules: {},
        byProtocol: { 'openai-chat': { efforts: ['none', 'low', 'medium', 'high'] } },
      },
    ],
  },
  {
    id: 'vllm',
    label: 'vLLM',
    source: `${PYDANTIC} providers/vllm.py; pydantic/pydantic-ai#5812; vllm-project/vllm#10463, vllm-project/vllm#30390`,
    checkedOn: CHECKED_ON,
    hosts: [],
    rules: {
      topK: true,
      strictTools: true,
      toolSchema: VLLM,
      strictSchema: VLLM,
      formatSchema: VLLM,
      media: { pdf: false },
      conversation: { systemMessages: 'one_leading' },
    },
    families: [
      {
        of: ['qwen3', 'deepseek-v4'],
        source: `${PYDANTIC} providers/vllm.py`,
        checkedOn: CHECKED_ON,
        rules: {},
        byProtocol: { 'openai-chat': { efforts: ['none', 'low', 'medium', 'high'] } },
      },
    ],
  },
  {
    id: 'sglang',
    label: 'SGLang',
    source: 'vllm-project/vllm#30390 (both compile schemas with xgrammar)',
    checkedOn: CHECKED_ON,
    hosts: [],
    rules: {
      topK: true,
      strictTools: true,
      toolSchema: VLLM,
      strictSchema: VLLM,
      formatSchema: VLLM,
      media: { pdf: false },
      conversation: { systemMessages: 'one_leading' },
    },
  },
  {
    id: 'llama-cpp',
    label: 'llama.cpp',
    source: 'ggml-org/llama.cpp#20215; ggml-org/llama.cpp#19051',
    checkedOn: CHECKED_ON,
    hosts: [],
    rules: {
      topK: true,
      toolSchema: LLAMA_CPP,
      strictSchema: LLAMA_CPP,
      formatSchema: LLAMA_CPP,
      media: { pdf: false },
    },
  },
];
