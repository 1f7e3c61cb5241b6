/**
 * What an unknown model at an unknown vendor gets, by the upstream's protocol. An unknown target is
 * sent no advice that it may refuse. Weir itself refuses nothing in its name: where a request would
 * have to be refused, the target decides.
 */
import type { UpstreamProtocolId } from '../../protocols/protocol.ts';
import type {
  ConversationRules,
  MediaRules,
  NameRule,
  StrictLimits,
  TargetProfile,
} from '../../protocols/target-profile.ts';
import type { Effort } from './rule-set.ts';
import { CONSERVATIVE } from './schema-rules.ts';

/** Every printable ASCII character but the space. */
export const ANY_LETTER = '!-~';

/** All efforts: for models that take a budget of tokens, into which each is translated. */
export const ALL_EFFORTS: readonly Effort[] = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
];

/** What every vendor takes as the name of a tool. */
export const COMMON_NAME: NameRule = { letters: 'A-Za-z0-9_-', charactersMax: 64 };

export const NO_STRICT_LIMITS: StrictLimits = {
  toolsMax: Infinity,
  optionalPropertiesMax: Infinity,
  unionPropertiesMax: Infinity,
  depthMax: Infinity,
  propertiesMax: Infinity,
  recursion: true,
};

const COMMON_MEDIA: MediaRules = {
  imageTypes: new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  imageAddresses: true,
  pdf: true,
  pdfAddresses: false,
  audio: true,
  toolResultImages: false,
};

/** Templates of open models take one system message, as the first one. */
const PLAIN_CONVERSATION: ConversationRules = {
  lastAssistant: 'accepted',
  systemMessages: 'one_leading',
  startsWithUser: false,
  assistantBehindResults: false,
  strictAlternation: false,
  reasoningText: 'accepted',
};

const CHAT: TargetProfile = {
  familyKnown: false,
  refusedFields: [],
  thinking: 'effort',
  efforts: ['low', 'medium', 'high'],
  thinkingTokens: null,
  thinksByDefault: false,
  effortWithTools: 'accepted',
  effortField: 'reasoning_effort',
  encryptedReasoning: false,
  sampling: 'accepted',
  temperature: { min: 0, max: 2 },
  topPMin: 0,
  temperatureOrTopP: false,
  topK: false,
  penalties: true,
  seed: 'any',
  stopSequencesMax: 4,
  blankStopSequences: true,
  verbosity: false,
  outputLimitField: null,
  outputTokensMin: 1,
  outputTokensMax: Infinity,
  cacheKey: false,
  cacheBreakpoints: false,
  cachePoints: 'none',
  hourlyCache: false,
  streamedInputHasCache: false,
  anthropicFields: false,
  additionalEffortField: null,
  userIdCharactersMax: 0,
  developerRole: false,
  toolsMax: Infinity,
  toolName: COMMON_NAME,
  callId: { letters: ANY_LETTER, charactersMax: 64 },
  signedCalls: false,
  forcedTools: 'accepted',
  streamedTools: true,
  parallelSwitch: true,
  customTools: false,
  allowedTools: false,
  strictTools: false,
  jsonSchema: 'format',
  jsonObject: 'format',
  formatWithTools: true,
  toolSchema: CONSERVATIVE,
  strictSchema: CONSERVATIVE,
  formatSchema: CONSERVATIVE,
  strictLimits: NO_STRICT_LIMITS,
  media: COMMON_MEDIA,
  assistantImages: true,
  conversation: PLAIN_CONVERSATION,
  callInputs: 'objects',
};

/** Responses has no field for the seed, for penalties and for stop sequences. */
const RESPONSES: TargetProfile = {
  ...CHAT,
  callInputs: 'any',
  penalties: false,
  seed: 'refused',
  stopSequencesMax: 0,
  // OpenAI refuses a smaller limit.
  outputTokensMin: 16,
  assistantImages: false,
  media: { ...COMMON_MEDIA, pdfAddresses: true, audio: false, toolResultImages: true },
};

/** As Anthropic's first models; all servers that agents use know budgets of thinking. */
const MESSAGES: TargetProfile = {
  ...CHAT,
  thinking: 'budget',
  efforts: ALL_EFFORTS,
  thinkingTokens: { min: 1_024, max: 63_999 },
  sampling: 'without_thinking',
  temperature: { min: 0, max: 1 },
  temperatureOrTopP: true,
  topK: true,
  penalties: false,
  seed: 'refused',
  stopSequencesMax: Infinity,
  // "each stop sequence must contain non-whitespace".
  blankStopSequences: false,
  // A request with a key is cached as a whole.
  cacheKey: true,
  cacheBreakpoints: true,
  // The least that every client of the protocol relies on; agents always send an id.
  userIdCharactersMax: 256,
  callId: { letters: 'A-Za-z0-9_-', charactersMax: 64 },
  forcedTools: 'without_thinking',
  jsonSchema: 'tool',
  jsonObject: 'prompt',
  media: {
    ...COMMON_MEDIA,
    pdfAddresses: true,
    fileTypes: new Set(['application/pdf']),
    audio: false,
    toolResultImages: true,
  },
  assistantImages: false,
  conversation: {
    ...PLAIN_CONVERSATION,
    lastAssistant: 'without_trailing_space',
    systemMessages: 'leading',
    startsWithUser: true,
  },
  callInputs: 'any',
};

const GEMINI: TargetProfile = {
  ...CHAT,
  callInputs: 'any',
  thinking: 'none',
  efforts: [],
  topK: true,
  seed: 'int32',
  stopSequencesMax: 5,
  toolName: { letters: 'A-Za-z0-9_.-', firstLetters: 'A-Za-z_', charactersMax: 64 },
  streamedTools: true,
  parallelSwitch: false,
  // `allowedFunctionNames`.
  allowedTools: true,
  formatWithTools: false,
  media: {
    ...COMMON_MEDIA,
    imageTypes: new Set(['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif']),
    imageAddresses: false,
    // Videos.
    addressHosts: new Set(['youtube.com', 'www.youtube.com', 'youtu.be', 'www.youtu.be']),
  },
  conversation: {
    ...PLAIN_CONVERSATION,
    lastAssistant: 'refused',
    systemMessages: 'leading',
    startsWithUser: true,
  },
};

/** What a protocol has no field for, whatever a family or a vendor says of it elsewhere. */
export const PROTOCOL_LIMITS: Readonly<
  Partial<Record<UpstreamProtocolId, Partial<TargetProfile>>>
> = {
  'openai-responses': {
    topK: false,
    penalties: false,
    seed: 'refused',
    stopSequencesMax: 0,
    cacheBreakpoints: false,
  },
  'anthropic-messages': { penalties: false, seed: 'refused', verbosity: false },
  gemini: {
    verbosity: false,
    cacheKey: false,
    cacheBreakpoints: false,
    userIdCharactersMax: 0,
    streamedTools: true,
    parallelSwitch: false,
  },
};

/** Those of Converse; files that are texts are written as such. */
const DOCUMENT_TYPES: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]);

/**
 * Bedrock itself refuses the whole request for a field that the model has not. Stop sequences are
 * such a field, so Weir honours them where a model is not known to take them.
 */
const CONVERSE: TargetProfile = {
  ...CHAT,
  thinking: 'none',
  efforts: [],
  temperature: { min: 0, max: 1 },
  penalties: false,
  seed: 'refused',
  stopSequencesMax: 0,
  callId: { letters: 'A-Za-z0-9_-', charactersMax: 64 },
  forcedTools: 'refused',
  streamedTools: true,
  parallelSwitch: false,
  jsonSchema: 'tool',
  jsonObject: 'prompt',
  media: {
    ...COMMON_MEDIA,
    imageAddresses: false,
    fileTypes: DOCUMENT_TYPES,
    audio: false,
    toolResultImages: true,
  },
  assistantImages: false,
  conversation: {
    ...PLAIN_CONVERSATION,
    lastAssistant: 'without_trailing_space',
    systemMessages: 'leading',
    startsWithUser: true,
    // Only models that sign what they thought take it back.
    reasoningText: 'refused',
  },
  callInputs: 'any',
};

export const PROTOCOL_DEFAULTS: Readonly<Record<UpstreamProtocolId, TargetProfile>> = {
  'openai-chat': CHAT,
  'openai-responses': RESPONSES,
  'anthropic-messages': MESSAGES,
  gemini: GEMINI,
  'bedrock-converse': CONVERSE,
  // These write no conversation, so nothing of a profile is applied.
  'openai-completions': CHAT,
  'openai-embeddings': CHAT,
  'vertex-predict': CHAT,
  'openai-images': CHAT,
  'openai-moderations': CHAT,
  'openai-realtime': CHAT,
  'openai-transcriptions': CHAT,
  'openai-speech': CHAT,
  rerank: CHAT,
};
