import { ALL_EFFORTS } from '../protocol-defaults.ts';
import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const ZAI: Vendor = {
  id: 'zai',
  label: 'Z.AI',
  source:
    'pydantic-ai-slim 2.68.0 profiles/zai.py, providers/zai.py; modelparams 0.0.53; @earendil-works/pi-ai 0.87.1 dist/api/openai-completions.js; anomalyco/opencode#2557',
  checkedOn: CHECKED_ON,
  hosts: ['api.z.ai', 'open.bigmodel.cn'],
  rules: {
    refusedFields: ['store'],
    // Unknown fields of messages are refused.
    assistantImages: false,
    outputLimitField: 'max_tokens',
    temperature: { min: 0, max: 1 },
    topPMin: 0.01,
    penalties: false,
    seed: 'refused',
    // Instructions alone are refused.
    conversation: { startsWithUser: true },
  },
  byProtocol: {
    'openai-chat': {
      stopSequencesMax: 1,
      parallelSwitch: false,
      forcedTools: 'refused',
      jsonSchema: 'prompt',
    },
  },
  families: [
    {
      of: ['glm'],
      source: 'modelparams 0.0.53',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: { 'openai-chat': { effortField: 'thinking', efforts: ['none', 'high'] } },
    },
    {
      of: ['glm-5.2'],
      source: 'pydantic-ai-slim 2.68.0 profiles/zai.py; modelparams 0.0.53',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: {
        'openai-chat': { effortField: 'thinking_with_effort', efforts: ALL_EFFORTS },
      },
    },
  ],
};
