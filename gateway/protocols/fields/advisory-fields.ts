import type { NeutralRequest } from '../neutral-form/request.ts';
import type { UpstreamProtocolId } from '../protocol.ts';

/**
 * The origin of a field in the body of a translated request: a member of the neutral form;
 * something that the client writes alike (`client`); or Weir's own, which no client misses.
 */
type Origin = keyof NeutralRequest | 'client' | 'weir';

type Advice = Readonly<Record<string, Origin>>;

/**
 * The field that asks for a stream. Weir makes the client's stream of a whole reply where an
 * upstream streams a model to verified organisations alone.
 */
export const STREAM_FIELD = 'stream';
/** Fields that are refused without `STREAM_FIELD`. */
export const STREAM_ONLY_FIELDS: readonly string[] = ['stream_options'];

const CACHE_MARKS: Advice = {
  cache_control: 'client',
  'tools.cache_control': 'client',
  'tools.cache_control.scope': 'client',
  'tools.cache_control.ttl': 'client',
  'system.cache_control': 'client',
  'system.cache_control.scope': 'client',
  'system.cache_control.ttl': 'client',
  'messages.cache_control': 'client',
  'messages.content.cache_control': 'client',
  'messages.content.cache_control.scope': 'client',
  'messages.content.cache_control.ttl': 'client',
};

const SAMPLING: Advice = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  min_p: 'client',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  repetition_penalty: 'client',
  seed: 'seed',
  logit_bias: 'client',
};

const OPENAI: Advice = {
  [STREAM_FIELD]: 'weir',
  store: 'weir',
  stream_options: 'weir',
  metadata: 'client',
  user: 'userId',
  safety_identifier: 'userId',
  service_tier: 'client',
  parallel_tool_calls: 'parallelToolCalls',
  prompt_cache_key: 'cacheKey',
  prompt_cache_retention: 'client',
};

/**
 * Fields that a request can do without, by the protocol of the upstream. Paths are those of the
 * body; lists on the way are left out. Whatever is not here carries meaning: a refusal of it is the
 * client's to read.
 */
export const ADVISORY_FIELDS: Readonly<Record<UpstreamProtocolId, Advice>> = {
  'openai-chat': {
    ...SAMPLING,
    ...OPENAI,
    ...CACHE_MARKS,
    reasoning_effort: 'effort',
    'reasoning.effort': 'effort',
    'reasoning.enabled': 'effort',
    'reasoning.exclude': 'client',
    'thinking.type': 'effort',
    enable_thinking: 'effort',
    include_reasoning: 'client',
    reasoning_format: 'client',
    verbosity: 'verbosity',
    prediction: 'client',
    'tools.function.strict': 'client',
    'tools.function.cache_control': 'client',
    'messages.reasoning_content': 'client',
    'messages.reasoning': 'client',
    'messages.reasoning_details': 'client',
    // Names of participants, and members of replies that clients send back as they came.
    'messages.name': 'client',
    'messages.refusal': 'client',
    'messages.annotations': 'client',
    'messages.tool_calls.index': 'client',
  },
  'openai-completions': { ...SAMPLING, user: 'client', stream_options: 'weir' },
  'bedrock-converse': {
    'inferenceConfig.temperature': 'temperature',
    'inferenceConfig.topP': 'topP',
    'additionalModelRequestFields.top_k': 'topK',
    'outputConfig.effort': 'effort',
    serviceTier: 'client',
    requestMetadata: 'client',
  },
  'openai-embeddings': { user: 'client' },
  'vertex-predict': {},
  'openai-images': { user: 'client', moderation: 'client' },
  'openai-moderations': {},
  'openai-realtime': {},
  'openai-transcriptions': {},
  'openai-speech': { stream_format: 'weir' },
  rerank: { top_n: 'weir', max_tokens_per_doc: 'client', truncation: 'client' },
  'openai-responses': {
    ...SAMPLING,
    ...OPENAI,
    include: 'weir',
    'reasoning.effort': 'effort',
    'reasoning.summary': 'weir',
    'reasoning.generate_summary': 'client',
    'text.verbosity': 'verbosity',
    'tools.strict': 'client',
  },
  'anthropic-messages': {
    ...CACHE_MARKS,
    temperature: 'temperature',
    top_p: 'topP',
    top_k: 'topK',
    service_tier: 'client',
    context_management: 'client',
    'metadata.user_id': 'userId',
    'output_config.effort': 'effort',
    'thinking.type': 'effort',
    'thinking.budget_tokens': 'effort',
    'thinking.display': 'weir',
    'tool_choice.disable_parallel_tool_use': 'parallelToolCalls',
    'tools.strict': 'client',
    'tools.eager_input_streaming': 'client',
    'tools.input_examples': 'client',
    'tools.defer_loading': 'client',
  },
  gemini: {
    'generationConfig.temperature': 'temperature',
    'generationConfig.topP': 'topP',
    'generationConfig.topK': 'topK',
    'generationConfig.presencePenalty': 'presencePenalty',
    'generationConfig.frequencyPenalty': 'frequencyPenalty',
    'generationConfig.seed': 'seed',
    'generationConfig.thinkingConfig.thinkingBudget': 'effort',
    'generationConfig.thinkingConfig.thinkingLevel': 'effort',
    'generationConfig.thinkingConfig.includeThoughts': 'weir',
    serviceTier: 'client',
    labels: 'client',
  },
};
