import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const COHERE: Vendor = {
  id: 'cohere',
  label: 'Cohere',
  source: 'modelparams 0.0.53; litellm 1.110.2 llms/cohere',
  checkedOn: CHECKED_ON,
  hosts: ['api.cohere.com', 'api.cohere.ai'],
  rules: {
    // Unknown fields of messages are refused.
    assistantImages: false,
    thinking: 'none',
    efforts: [],
    topPMin: 0.01,
    parallelSwitch: false,
    conversation: { reasoningText: 'refused' },
  },
};
