import type { Rules, Vendor } from '../rule-set.ts';
import { MOONSHOT as MOONSHOT_SCHEMA } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';

/** Kimi models have one temperature and one top_p each, and refuse any other. */
const KIMI_THINKING: Rules = {
  thinksByDefault: true,
  sampling: 'refused',
  conversation: { reasoningText: 'required', systemMessages: 'anywhere' },
};

export const MOONSHOT: Vendor = {
  id: 'moonshot',
  label: 'Moonshot AI',
  source:
    'pydantic-ai-slim 2.68.0 providers/moonshotai.py; @ai-sdk/moonshotai 3.0.60; modelparams 0.0.53; HKUDS/nanobot#3939',
  checkedOn: CHECKED_ON,
  hosts: ['api.moonshot.ai', 'api.moonshot.cn', 'api.kimi.com'],
  rules: {
    refusedFields: ['store', 'seed', 'top_k'],
    // Unknown fields of messages are refused.
    assistantImages: false,
    seed: 'refused',
    temperature: { min: 0, max: 1 },
    forcedTools: 'refused',
    toolSchema: MOONSHOT_SCHEMA,
    formatSchema: MOONSHOT_SCHEMA,
  },
  families: [
    {
      of: ['kimi-k3'],
      source: '@ai-sdk/moonshotai 3.0.60; modelparams 0.0.53',
      checkedOn: CHECKED_ON,
      rules: { ...KIMI_THINKING, forcedTools: 'accepted' },
    },
    {
      of: ['kimi-k2.7'],
      source: 'pydantic-ai-slim 2.68.0 providers/moonshotai.py; @ai-sdk/moonshotai 3.0.60',
      checkedOn: CHECKED_ON,
      rules: KIMI_THINKING,
      // It always thinks and cannot be told how much.
      byProtocol: { 'openai-chat': { thinking: 'none', efforts: [] } },
    },
    {
      of: ['kimi-k2.5'],
      source:
        'pydantic-ai-slim 2.68.0 providers/moonshotai.py; @ai-sdk/moonshotai 3.0.60; modelparams 0.0.53',
      checkedOn: CHECKED_ON,
      rules: KIMI_THINKING,
      byProtocol: {
        'openai-chat': {
          effortField: 'thinking',
          efforts: ['none', 'high'],
          // `response_format` is text or json_object; forced tools are refused with thinking.
          jsonSchema: 'prompt',
        },
      },
    },
    {
      of: ['moonshot-v1'],
      source: 'modelparams 0.0.53',
      checkedOn: CHECKED_ON,
      rules: { forcedTools: 'accepted' },
    },
  ],
};
