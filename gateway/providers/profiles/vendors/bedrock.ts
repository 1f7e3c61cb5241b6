import { OPENAI_FAMILIES } from '../families/openai.ts';
import type { Vendor } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';

export const BEDROCK: Vendor = {
  id: 'bedrock',
  label: 'Amazon Bedrock',
  source:
    'pydantic-ai-slim 2.68.0 providers/bedrock.py; anthropics/claude-code#5132; AWS inference-messages-api',
  checkedOn: CHECKED_ON,
  kinds: ['bedrock'],
  hosts: ['bedrock-runtime.*.amazonaws.com', 'bedrock-runtime-fips.*.amazonaws.com'],
  rules: {
    assistantImages: false,
    callId: { letters: 'A-Za-z0-9_.:-', charactersMax: 64 },
    media: { imageAddresses: false, pdfAddresses: false },
  },
  byProtocol: {
    'anthropic-messages': { callId: { letters: 'A-Za-z0-9_-', charactersMax: 64 } },
    'bedrock-converse': { callId: { letters: 'A-Za-z0-9_-', charactersMax: 64 } },
  },
  families: [
    {
      // A stream of gpt-5.6 reported 4,995 input tokens, 4,993 of them written to a cache; the same
      // reply as a whole reported 2.
      of: OPENAI_FAMILIES.map(({ id }) => id),
      source: 'maximhq/bifrost#6942',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: { 'bedrock-converse': { streamedInputHasCache: true } },
    },
    {
      // Compiled schemas are withheld here from these models alone.
      of: ['claude-opus-4.1', 'claude-fable-5', 'claude-fable-5.1'],
      source: 'pydantic-ai-slim 2.68.0 providers/_bedrock_model_names.py',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: { 'anthropic-messages': { jsonSchema: 'tool', strictTools: false } },
    },
    {
      // "Tool call id was a but must be a-z, A-Z, 0-9, with a length of 9."
      of: ['mistral-large-4', 'mistral-medium', 'mistral'],
      source: 'anomalyco/opencode#48843; vercel/ai#11802',
      checkedOn: CHECKED_ON,
      rules: {},
      byProtocol: {
        'bedrock-converse': {
          callId: { letters: 'A-Za-z0-9', charactersMin: 9, charactersMax: 9 },
        },
      },
    },
  ],
};
