import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const NVIDIA: Vendor = {
  id: 'nvidia',
  label: 'NVIDIA NIM',
  source: '@earendil-works/pi-ai 0.87.1 providers/data/nvidia.json; modelparams 0.0.53',
  checkedOn: CHECKED_ON,
  hosts: ['integrate.api.nvidia.com'],
  rules: {
    refusedFields: ['store', 'metadata', 'prompt_cache_key'],
    // Unknown fields of messages are refused.
    assistantImages: false,
    thinking: 'none',
    efforts: [],
    outputLimitField: 'max_tokens',
    outputTokensMax: 16_384,
    temperature: { min: 0, max: 1 },
    topPMin: 0.01,
    // Some of its models refuse them with status 422.
    penalties: false,
    media: { pdf: false },
  },
  families: [
    {
      of: ['nemotron-3'],
      source: 'modelparams 0.0.53',
      checkedOn: CHECKED_ON,
      // The models have 'low' or 'medium'; all have these.
      rules: { thinking: 'effort', efforts: ['none', 'high'], thinksByDefault: true },
    },
  ],
};
