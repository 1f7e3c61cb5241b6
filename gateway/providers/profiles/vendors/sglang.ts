import type { Vendor } from '../rule-set.ts';
import { VLLM } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';

export const SGLANG: Vendor = {
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
};
