import { CLAUDE_FAMILIES, CLAUDE_STRICT_LIMITS } from '../families/claude.ts';
import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const VERTEX: Vendor = {
  id: 'vertex',
  label: 'Vertex AI',
  source:
    '@ai-sdk/google 4.0.121 google-model-catalog.ts; langchain-ai/langchain-google#1088; @anthropic-ai/vertex-sdk 1.1.3',
  checkedOn: CHECKED_ON,
  hosts: [
    'aiplatform.googleapis.com',
    '*-aiplatform.googleapis.com',
    'aiplatform.*.rep.googleapis.com',
  ],
  kinds: ['vertex'],
  rules: {},
  byProtocol: {
    gemini: { penalties: true, media: { imageAddresses: true, pdfAddresses: true } },
    'anthropic-messages': {
      refusedFields: ['tags'],
      media: { imageAddresses: false, pdfAddresses: false },
    },
  },
  families: [
    {
      // The compiler gives up earlier here.
      of: CLAUDE_FAMILIES.map(({ id }) => id),
      source: '@ai-sdk/anthropic 4.0.105 supports-native-structured-output-schema.ts',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: {
        'anthropic-messages': {
          strictLimits: { ...CLAUDE_STRICT_LIMITS, optionalPropertiesMax: 10 },
        },
      },
    },
  ],
};
