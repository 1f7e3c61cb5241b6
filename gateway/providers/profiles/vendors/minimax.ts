import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const MINIMAX: Vendor = {
  id: 'minimax',
  label: 'MiniMax',
  source: 'modelparams 0.0.53; QwenLM/qwen-code#11834',
  checkedOn: CHECKED_ON,
  hosts: ['api.minimax.io', 'api.minimaxi.com', 'api.minimax.chat', 'api.minimaxi.chat'],
  rules: {
    // Unknown fields of messages are refused.
    assistantImages: false,
    outputLimitField: 'max_completion_tokens',
    temperature: { min: 0.01, max: 1 },
    topPMin: 0.01,
    penalties: false,
    seed: 'refused',
    stopSequencesMax: 0,
  },
  byProtocol: {
    // The models always think and cannot be told how much.
    'openai-chat': { thinking: 'none', efforts: [], jsonSchema: 'prompt', jsonObject: 'prompt' },
  },
};
