import type { Vendor } from '../rule-set.ts';
import { LLAMA_CPP as LLAMA_CPP_SCHEMA } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';

export const LLAMA_CPP: Vendor = {
  id: 'llama-cpp',
  label: 'llama.cpp',
  source: 'ggml-org/llama.cpp#20215; ggml-org/llama.cpp#19051',
  checkedOn: CHECKED_ON,
  hosts: [],
  rules: {
    topK: true,
    toolSchema: LLAMA_CPP_SCHEMA,
    strictSchema: LLAMA_CPP_SCHEMA,
    formatSchema: LLAMA_CPP_SCHEMA,
    media: { pdf: false },
  },
};
