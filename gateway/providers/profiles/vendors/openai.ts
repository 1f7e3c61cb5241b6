import { ANY_LETTER } from '../protocol-defaults.ts';
import type { Rules, Vendor } from '../rule-set.ts';
import { OPENAI_STRICT, OPENAI_TOOLS } from '../schema-rules.ts';

/** OpenAI and Azure know these fields; every other vendor lacks some of them. */
export const OPENAI_RULES: Rules = {
  cacheKey: true,
  userIdCharactersMax: 64,
  developerRole: true,
  callId: { letters: ANY_LETTER, charactersMax: 64 },
  strictTools: true,
  toolSchema: OPENAI_TOOLS,
  strictSchema: OPENAI_STRICT,
  formatSchema: OPENAI_STRICT,
  strictLimits: {
    toolsMax: Infinity,
    optionalPropertiesMax: Infinity,
    unionPropertiesMax: Infinity,
    depthMax: 10,
    propertiesMax: 5_000,
    recursion: true,
  },
  conversation: { systemMessages: 'anywhere' },
};

export const OPENAI_CHAT_RULES: Rules = {
  toolsMax: 128,
  assistantImages: false,
  conversation: { reasoningText: 'refused' },
};

export const OPENAI: Vendor = {
  id: 'openai',
  label: 'OpenAI',
  source: 'pydantic-ai-slim 2.68.0 profiles/openai.py; @ai-sdk/openai 4.0.118; camel-ai/camel#2215',
  checkedOn: '2026-11-28',
  hosts: ['api.openai.com', '*.api.openai.com'],
  rules: OPENAI_RULES,
  byProtocol: { 'openai-chat': OPENAI_CHAT_RULES },
};
