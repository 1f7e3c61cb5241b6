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
  prompt_cache_options: 'client',
  chat_template_kwargs: 'client',
  enable_thinking: 'effort',
  thinking_budget: 'effort',
  request_id: 'client',
  session_id: 'client',
};

/** The places in which servers of chat completions look for thinking. */
const THINKING: Advice = {
  reasoning: 'effort',
  'reasoning.effort': 'effort',
  'reasoning.enabled': 'effort',
  'reasoning.max_tokens': 'effort',
  'reasoning.exclude': 'client',
  'reasoning.summary': 'weir',
  thinking: 'effort',
  'thinking.type': 'effort',
  'thinking.budget_tokens': 'effort',
  'thinking.display': 'weir',
};

/**
 * Fields that a request can do without, by the protocol of the upstream. Paths are those of the
 * body; lists on the way are left out. `path=value` is the field with this value alone, which is
 * its default. An object that is named here can be left out whole; inside it, only what is named
 * here can be. Whatever is not here carries meaning: a refusal of it is the client's to read.
 */
export const ADVISORY_FIELDS: Readonly<Record<UpstreamProtocolId, Advice>> = {
  'openai-chat': {
    ...SAMPLING,
    ...OPENAI,
    ...CACHE_MARKS,
    ...THINKING,
    'thinking.keep': 'client',
    'thinking.clear_thinking': 'client',
    reasoning_effort: 'effort',
    reasoning_budget: 'effort',
    disable_reasoning: 'effort',
    preserve_thinking: 'client',
    include_reasoning: 'client',
    reasoning_format: 'client',
    reasoning_history: 'client',
    reasoning_split: 'weir',
    // Google's thinking alone may be in it.
    extra_body: 'client',
    verbosity: 'verbosity',
    prediction: 'client',
    tool_stream: 'client',
    user_id: 'userId',
    'n=1': 'weir',
    'logprobs=false': 'weir',
    'tool_choice=auto': 'weir',
    'response_format.type=text': 'weir',
    'tools.function.strict': 'client',
    'tools.function.cache_control': 'client',
    'messages.reasoning_content': 'client',
    'messages.reasoning': 'client',
    'messages.reasoning_details': 'client',
    'messages.reasoning_text': 'client',
    'messages.reasoning_opaque': 'client',
    // Names of participants, and members of replies that clients send back as they came.
    'messages.name': 'client',
    'messages.refusal': 'client',
    'messages.annotations': 'client',
    'messages.tool_calls.index': 'client',
    'messages.tool_calls.extra_content': 'client',
    'messages.content.prompt_cache_breakpoint': 'client',
    'messages.audio=null': 'client',
    'messages.extra_content': 'client',
    'messages.function_call=null': 'client',
    'messages.id': 'client',
    'messages.provider_specific_fields': 'client',
    'messages.tool_calls=null': 'client',
  },
  'openai-completions': { ...SAMPLING, user: 'client', stream_options: 'weir' },
  'bedrock-converse': {
    'inferenceConfig.temperature': 'temperature',
    'inferenceConfig.topP': 'topP',
    'additionalModelRequestFields.top_k': 'topK',
    'additionalModelRequestFields.thinking': 'effort',
    'additionalModelRequestFields.thinking.type': 'effort',
    'additionalModelRequestFields.thinking.budget_tokens': 'effort',
    'additionalModelRequestFields.thinking.display': 'weir',
    'additionalModelRequestFields.reasoning': 'effort',
    'additionalModelRequestFields.reasoning_config': 'effort',
    'additionalModelRequestFields.reasoning_effort': 'effort',
    'outputConfig.effort': 'effort',
    serviceTier: 'client',
    requestMetadata: 'client',
    'system.cachePoint': 'client',
    'system.cachePoint.ttl': 'client',
    'messages.content.cachePoint': 'client',
    'messages.content.cachePoint.ttl': 'client',
    'toolConfig.tools.cachePoint': 'client',
    'toolConfig.tools.cachePoint.ttl': 'client',
    'toolConfig.tools.toolSpec.strict': 'client',
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
    ...THINKING,
    include: 'weir',
    'reasoning.generate_summary': 'client',
    'reasoning.context': 'client',
    'reasoning.mode': 'client',
    'text.verbosity': 'verbosity',
    'text.format.type=text': 'weir',
    client_metadata: 'client',
    context_management: 'client',
    'background=false': 'weir',
    'tool_choice=auto': 'weir',
    'top_logprobs=0': 'weir',
    'truncation=disabled': 'weir',
    'tools.strict': 'client',
    'tools.defer_loading': 'client',
    'tools.search_content_types': 'client',
    // Members of replies that clients send back as they came.
    'input.phase': 'client',
    'input.status': 'client',
    'input.caller': 'client',
    'input.content.annotations': 'client',
    'input.content.logprobs': 'client',
    'input.content.prompt_cache_breakpoint': 'client',
  },
  'anthropic-messages': {
    ...CACHE_MARKS,
    temperature: 'temperature',
    top_p: 'topP',
    top_k: 'topK',
    service_tier: 'client',
    context_management: 'client',
    diagnostics: 'client',
    chat_template_kwargs: 'client',
    reasoning_effort: 'client',
    metadata: 'userId',
    'output_config.effort': 'effort',
    'output_config.task_budget': 'client',
    thinking: 'effort',
    'thinking.type': 'effort',
    'thinking.budget_tokens': 'effort',
    'thinking.display': 'weir',
    'tool_choice.type=auto': 'weir',
    'tool_choice.disable_parallel_tool_use': 'parallelToolCalls',
    'tools.strict': 'client',
    'tools.eager_input_streaming': 'client',
    'tools.input_examples': 'client',
    'tools.defer_loading': 'client',
    'tools.type=custom': 'weir',
    'messages.content.content.cache_control': 'client',
    // Members of replies that clients send back as they came.
    'messages.id': 'client',
    'messages.content.caller': 'client',
    'messages.content.citations=null': 'client',
  },
  gemini: {
    'generationConfig.temperature': 'temperature',
    'generationConfig.topP': 'topP',
    'generationConfig.topK': 'topK',
    'generationConfig.presencePenalty': 'presencePenalty',
    'generationConfig.frequencyPenalty': 'frequencyPenalty',
    'generationConfig.seed': 'seed',
    'generationConfig.mediaResolution': 'client',
    'generationConfig.enableEnhancedCivicAnswers': 'client',
    'generationConfig.thinkingConfig': 'effort',
    'generationConfig.thinkingConfig.thinkingBudget': 'effort',
    'generationConfig.thinkingConfig.thinkingLevel': 'effort',
    'generationConfig.thinkingConfig.includeThoughts': 'weir',
    serviceTier: 'client',
    labels: 'client',
    'toolConfig.functionCallingConfig.streamFunctionCallArguments': 'client',
    // Calls are paired by name and order without them.
    'contents.parts.functionCall.id': 'weir',
    'contents.parts.functionResponse.id': 'weir',
    'contents.parts.thoughtSignature': 'client',
  },
};
