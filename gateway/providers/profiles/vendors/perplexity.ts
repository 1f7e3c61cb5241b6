import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const PERPLEXITY: Vendor = {
  id: 'perplexity',
  label: 'Perplexity',
  source: 'modelparams 0.0.53; litellm 1.110.2 llms/perplexity',
  checkedOn: CHECKED_ON,
  hosts: ['api.perplexity.ai'],
  rules: {
    refusedFields: ['seed'],
    // Unknown fields of messages are refused.
    assistantImages: false,
    thinking: 'none',
    efforts: [],
    outputLimitField: 'max_tokens',
    penalties: false,
    seed: 'refused',
    stopSequencesMax: 0,
    toolsMax: 0,
    jsonObject: 'prompt',
    conversation: {
      systemMessages: 'one_leading',
      startsWithUser: true,
      strictAlternation: true,
      reasoningText: 'refused',
    },
  },
  families: [
    {
      of: ['sonar-deep-research'],
      source: 'modelparams 0.0.53',
      checkedOn: CHECKED_ON,
      rules: { thinking: 'effort', efforts: ['minimal', 'low', 'medium', 'high'] },
    },
  ],
};
