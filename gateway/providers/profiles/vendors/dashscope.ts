import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const DASHSCOPE: Vendor = {
  id: 'dashscope',
  label: 'Alibaba DashScope',
  source:
    '@ai-sdk/alibaba 2.0.58; pydantic-ai-slim 2.68.0 providers/alibaba.py; modelparams 0.0.53; agentscope-ai/agentscope-java#613',
  checkedOn: CHECKED_ON,
  hosts: [
    'dashscope.aliyuncs.com',
    'dashscope-*.aliyuncs.com',
    '*.dashscope.aliyuncs.com',
    'coding-*.dashscope.aliyuncs.com',
  ],
  rules: {
    // Unknown fields of messages are refused.
    assistantImages: false,
    outputLimitField: 'max_tokens',
    temperature: { min: 0, max: 1.9 },
    topPMin: 0.01,
    penalties: false,
    forcedTools: 'without_thinking',
    media: { pdf: false },
    // Instructions alone are refused.
    conversation: { startsWithUser: true },
  },
  byProtocol: {
    'openai-chat': {
      effortField: 'enable_thinking',
      efforts: ['none', 'high'],
      jsonSchema: 'prompt',
    },
  },
  families: [
    {
      of: ['qwen3.7'],
      source: '@ai-sdk/alibaba 2.0.58 supports-json-schema-output.ts',
      checkedOn: CHECKED_ON,
      rules: { thinksByDefault: true },
      byProtocol: { 'openai-chat': { jsonSchema: 'format', jsonObject: 'prompt' } },
    },
    {
      // These think by default, and a JSON object is refused alongside thinking.
      of: [
        'deepseek-v4',
        'deepseek-r1',
        'deepseek',
        'glm-5.3',
        'glm-5.2',
        'glm',
        'kimi-k3',
        'kimi-k2.7',
      ],
      source: 'modelparams 0.0.53',
      checkedOn: CHECKED_ON,
      rules: { thinksByDefault: true },
      byProtocol: { 'openai-chat': { jsonObject: 'prompt' } },
    },
  ],
};
