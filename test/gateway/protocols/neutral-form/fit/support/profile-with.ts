import type {
  ConversationRules,
  MediaRules,
  SchemaRules,
  TargetProfile,
} from '../../../../../../gateway/protocols/target-profile.ts';

const ANY_SCHEMA: SchemaRules = {
  keywords: null,
  otherKeywords: 'describe',
  formats: null,
  closedObjects: false,
  allRequired: false,
  refs: 'accepted',
  refSiblings: 'accepted',
  oneOf: 'accepted',
  typeLists: 'accepted',
  typesRequired: false,
  besideAnyOf: 'accepted',
  constant: 'accepted',
  rootAlternatives: true,
  enumValues: 'any',
  undeclaredRequired: true,
  lookaround: true,
  minItemsMax: Infinity,
};

/** Takes all that can be written. */
const LIBERAL: TargetProfile = {
  familyKnown: true,
  refusedFields: [],
  thinking: 'effort',
  efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  thinkingTokens: null,
  thinksByDefault: false,
  effortWithTools: 'accepted',
  effortField: 'reasoning_effort',
  encryptedReasoning: true,
  sampling: 'accepted',
  temperature: { min: 0, max: 2 },
  topPMin: 0,
  temperatureOrTopP: false,
  topK: true,
  penalties: true,
  seed: 'any',
  stopSequencesMax: Infinity,
  blankStopSequences: true,
  verbosity: true,
  outputLimitField: null,
  outputTokensMin: 1,
  outputTokensMax: Infinity,
  cacheKey: true,
  cacheBreakpoints: true,
  cachePoints: 'anywhere',
  hourlyCache: true,
  streamedInputHasCache: false,
  anthropicFields: false,
  additionalEffortField: null,
  userIdCharactersMax: 256,
  developerRole: true,
  toolsMax: Infinity,
  toolName: { letters: '!-~', charactersMax: Infinity },
  callId: { letters: '!-~', charactersMax: Infinity },
  signedCalls: false,
  forcedTools: 'accepted',
  streamedTools: true,
  parallelSwitch: true,
  customTools: true,
  allowedTools: true,
  strictTools: true,
  jsonSchema: 'format',
  jsonObject: 'format',
  formatWithTools: true,
  toolSchema: ANY_SCHEMA,
  strictSchema: ANY_SCHEMA,
  formatSchema: ANY_SCHEMA,
  strictLimits: {
    toolsMax: Infinity,
    optionalPropertiesMax: Infinity,
    unionPropertiesMax: Infinity,
    depthMax: Infinity,
    propertiesMax: Infinity,
    recursion: true,
  },
  media: {
    imageTypes: new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    imageAddresses: true,
    pdf: true,
    pdfAddresses: true,
    audio: true,
    toolResultImages: true,
  },
  assistantImages: true,
  conversation: {
    lastAssistant: 'accepted',
    systemMessages: 'anywhere',
    startsWithUser: false,
    assistantBehindResults: false,
    strictAlternation: false,
    reasoningText: 'accepted',
  },
  callInputs: 'any',
};

type Given = Partial<Omit<TargetProfile, 'media' | 'conversation'>> & {
  readonly media?: Partial<MediaRules>;
  readonly conversation?: Partial<ConversationRules>;
};

/** A target that takes everything but what is named. */
export function profileWith({ media, conversation, ...given }: Given): TargetProfile {
  return {
    ...LIBERAL,
    ...given,
    media: { ...LIBERAL.media, ...media },
    conversation: { ...LIBERAL.conversation, ...conversation },
  };
}

/** Names and ids as the strictest vendors take them. */
export const OPENAI_NAME = { letters: 'A-Za-z0-9_-', charactersMax: 64 } as const;
export const GEMINI_NAME = {
  letters: 'A-Za-z0-9_.:-',
  firstLetters: 'A-Za-z_',
  charactersMax: 64,
} as const;
export const MISTRAL_ID = { letters: 'A-Za-z0-9', charactersMin: 9, charactersMax: 9 } as const;
