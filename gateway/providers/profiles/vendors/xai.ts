import type { Vendor } from '../rule-set.ts';
import { XAI as XAI_SCHEMA } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';

export const XAI: Vendor = {
  id: 'xai',
  label: 'xAI',
  source:
    '@ai-sdk/xai 5.0.12; modelparams 0.0.53; @earendil-works/pi-ai 0.87.1 dist/api/openai-completions.js; docs.x.ai/docs/guides/structured-outputs',
  checkedOn: CHECKED_ON,
  hosts: ['api.x.ai', '*.api.x.ai'],
  rules: {
    refusedFields: ['store'],
    // Unknown fields of messages are refused.
    assistantImages: false,
    outputLimitField: 'max_completion_tokens',
    topPMin: 0.01,
    penalties: false,
    toolsMax: 200,
    strictTools: true,
    toolSchema: XAI_SCHEMA,
    strictSchema: XAI_SCHEMA,
    formatSchema: XAI_SCHEMA,
    media: { imageTypes: new Set(['image/png', 'image/jpeg']), pdf: false, audio: false },
    conversation: { systemMessages: 'anywhere', reasoningText: 'refused' },
  },
  byProtocol: { 'openai-responses': { encryptedReasoning: true } },
};
