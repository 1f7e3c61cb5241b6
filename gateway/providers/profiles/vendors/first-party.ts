/** The vendors whose protocols Weir speaks, and the clouds that resell their models. */
import type { StrictLimits } from '../../../protocols/target-profile.ts';
import { ANY_LETTER } from '../protocol-defaults.ts';
import type { Rules, Vendor } from '../rule-set.ts';
import { OPENAI_STRICT, OPENAI_TOOLS } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';
const PYDANTIC = 'pydantic-ai-slim 2.68.0';

const OPENAI_STRICT_LIMITS: StrictLimits = {
  toolsMax: Infinity,
  optionalPropertiesMax: Infinity,
  unionPropertiesMax: Infinity,
  depthMax: 10,
  propertiesMax: 5_000,
  recursion: true,
};

/** What OpenAI and Azure know; every other vendor lacks some of it. */
const OPENAI: Rules = {
  cacheKey: true,
  userIdCharactersMax: 64,
  developerRole: true,
  callId: { letters: ANY_LETTER, charactersMax: 64 },
  strictTools: true,
  toolSchema: OPENAI_TOOLS,
  strictSchema: OPENAI_STRICT,
  formatSchema: OPENAI_STRICT,
  strictLimits: OPENAI_STRICT_LIMITS,
  conversation: { systemMessages: 'anywhere' },
};
const OPENAI_CHAT: Rules = { toolsMax: 128, conversation: { reasoningText: 'refused' } };

export const FIRST_PARTY_VENDORS: readonly Vendor[] = [
  {
    id: 'openai',
    label: 'OpenAI',
    source: `${PYDANTIC} profiles/openai.py; @ai-sdk/openai 4.0.118; camel-ai/camel#2215`,
    checkedOn: CHECKED_ON,
    hosts: ['api.openai.com', '*.api.openai.com'],
    rules: OPENAI,
    byProtocol: { 'openai-chat': OPENAI_CHAT },
  },
  {
    id: 'azure',
    label: 'Azure OpenAI',
    source: `${PYDANTIC} providers/azure.py; pydantic/pydantic-ai#6593, #10987; zed-industries/zed#52000`,
    checkedOn: CHECKED_ON,
    hosts: ['*.openai.azure.com', '*.services.ai.azure.com', '*.cognitiveservices.azure.com'],
    kinds: ['azure'],
    namedByOperator: true,
    rules: OPENAI,
    byProtocol: {
      'openai-chat': {
        ...OPENAI_CHAT,
        // Chat completions have no `file` parts here.
        media: { pdf: false },
      },
    },
  },
  {
    id: 'anthropic',
    label: 'Anthropic',
    source: `${PYDANTIC} profiles/anthropic.py; anthropics/claude-code#96152`,
    checkedOn: CHECKED_ON,
    hosts: ['api.anthropic.com'],
    rules: { toolName: { letters: 'A-Za-z0-9_-', charactersMax: 128 } },
  },
  {
    id: 'bedrock',
    label: 'Amazon Bedrock',
    source: `${PYDANTIC} providers/bedrock.py; anthropics/claude-code#5132; AWS inference-messages-api`,
    checkedOn: CHECKED_ON,
    hosts: ['bedrock-runtime.*.amazonaws.com', 'bedrock-runtime-fips.*.amazonaws.com'],
    rules: {
      media: { imageAddresses: false, pdfAddresses: false },
    },
  },
  {
    id: 'bedrock-mantle',
    label: 'Amazon Bedrock Mantle',
    source: `${PYDANTIC} providers/bedrock_mantle.py`,
    checkedOn: CHECKED_ON,
    hosts: ['bedrock-mantle.*.api.aws'],
    rules: {
      media: { imageAddresses: false, pdfAddresses: false },
    },
  },
  {
    id: 'gemini',
    label: 'Gemini API',
    source: `${PYDANTIC} profiles/google.py; google-genai 3.6.1`,
    checkedOn: CHECKED_ON,
    hosts: ['generativelanguage.googleapis.com'],
    rules: {},
  },
  {
    id: 'vertex',
    label: 'Vertex AI',
    source: `@ai-sdk/google 4.0.121 google-model-catalog.ts; langchain-ai/langchain-google#1088`,
    checkedOn: CHECKED_ON,
    hosts: [
      'aiplatform.googleapis.com',
      '*-aiplatform.googleapis.com',
      'aiplatform.*.rep.googleapis.com',
    ],
    rules: {},
    byProtocol: {
      gemini: { penalties: true, media: { imageAddresses: true, pdfAddresses: true } },
      'anthropic-messages': { media: { imageAddresses: false, pdfAddresses: false } },
    },
  },
];
