import { contents, shapes, type Shape } from '../fields/shape.ts';

/** The sampling fields of both chat completions and completions. */
const SAMPLING =
  'frequency_penalty logprobs max_tokens n presence_penalty seed stop stream temperature top_p user';

/**
 * Fields that vLLM, SGLang, TGI and their hosts document alongside OpenAI's. None of them has a
 * price.
 */
const SERVER_SAMPLING =
  'top_k min_p top_a typical_p repetition_penalty length_penalty min_tokens ignore_eos ' +
  'stop_token_ids bad_words skip_special_tokens spaces_between_special_tokens ' +
  'include_stop_str_in_output truncate_prompt_tokens prompt_logprobs allowed_token_ids ' +
  'add_special_tokens add_generation_prompt continue_final_message detokenize no_stop_trim ' +
  'return_tokens_as_token_ids return_token_ids priority cache_salt request_id echo ' +
  'guided_regex guided_choice guided_grammar guided_decoding_backend guided_whitespace_pattern ' +
  'regex ebnf grammar separate_reasoning stream_reasoning';

export const STREAM_OPTIONS = shapes(
  'include_usage include_obfuscation continuous_usage_stats chunk_include_usage',
);

const SHARED: readonly (readonly [string, Shape])[] = [
  ['logit_bias', 'flat'],
  ['stream_options', STREAM_OPTIONS],
  ['guided_json', 'any'],
  ['json_schema', 'any'],
  ['chat_template_kwargs', 'flat'],
  [
    'structured_outputs',
    shapes('regex choice grammar json_object whitespace_pattern', [
      ['json', 'any'],
      ['structural_tag', 'any'],
    ]),
  ],
];

const RESPONSE_FORMAT = shapes('type strict name grammar', [
  ['json_schema', 'any'],
  ['schema', 'any'],
  ['structural_tag', 'any'],
  ['structures', 'any'],
  ['triggers', 'any'],
]);

export const PART_FIELDS = contents(
  `type text refusal image_url input_audio file video_url video audio_url image input_image input_text
   input_file file_url cache_control annotations thinking signature data format detail document
   source title context document_url reference_ids prompt_cache_breakpoint min_pixels max_pixels
   fps index id name uuid reasoning summary encrypted_content extra_content`,
);

export const MESSAGE_FIELDS = contents(
  `role name tool_call_id tool_calls function_call refusal audio reasoning_content reasoning
   reasoning_details reasoning_text reasoning_opaque thinking_blocks prefix partial weight
   cache_control id type status index extra_content provider_specific_fields annotations images
   citations object tools phase prompt_cache_breakpoint`,
  [['content', PART_FIELDS]],
);

export const TOOL_FIELDS = contents(
  `type function custom name description parameters input_schema strict cache_control format
   defer_loading`,
);

const TOOL_CHOICE = shapes('type name mode disable_parallel_tool_use', [
  ['function', 'flat'],
  ['custom', 'flat'],
  ['allowed_tools', shapes('mode', [['tools', 'any']])],
]);

/** Google's, which its OpenAI-compatible interface reads there. */
const GOOGLE_BODY = shapes('', [
  [
    'google',
    shapes('', [['thinking_config', shapes('thinking_budget thinking_level include_thoughts')]]),
  ],
]);

/** OpenAI's published fields, and those that other vendors document and charge nothing for. */
export const CHAT_FIELDS = shapes(
  `model ${SAMPLING} ${SERVER_SAMPLING} max_completion_tokens modalities parallel_tool_calls
   prompt_cache_key prompt_cache_retention reasoning_effort safety_identifier store top_logprobs
   verbosity enable_thinking thinking_budget preserve_thinking include_reasoning reasoning_format
   reasoning_split reasoning_history reasoning_budget disable_reasoning transforms session_id
   safe_prompt random_seed prompt_mode do_sample tool_stream user_id mask_sensitive_info
   incremental_output result_format vl_high_resolution_images safety_mode disable_tool_validation
   citation_options prompt_truncation_length context_length_exceeded_behavior raw_output
   perf_metrics_in_response language return_full_text`,
  [
    ...SHARED,
    ['messages', MESSAGE_FIELDS],
    ['tools', TOOL_FIELDS],
    ['functions', 'any'],
    ['tool_choice', TOOL_CHOICE],
    ['function_call', 'flat'],
    ['response_format', RESPONSE_FORMAT],
    ['audio', shapes('format', [['voice', 'flat']])],
    ['prediction', shapes('type', [['content', 'any']])],
    ['metadata', 'flat'],
    ['moderation', 'flat'],
    ['prompt_cache_options', 'flat'],
    ['reasoning', shapes('effort max_tokens exclude enabled summary')],
    ['thinking', shapes('type budget_tokens clear_thinking keep display')],
    ['documents', 'any'],
    [
      'translation_options',
      shapes('source_lang target_lang domains', [
        ['terms', 'any'],
        ['tm_list', 'any'],
      ]),
    ],
    ['extra_body', GOOGLE_BODY],
  ],
);

export const COMPLETION_FIELDS = shapes(
  `model prompt best_of suffix max_completion_tokens ${SAMPLING} ${SERVER_SAMPLING}`,
  [...SHARED, ['response_format', RESPONSE_FORMAT]],
);

/** OpenAI's, and those of Cohere, Voyage, Jina, NVIDIA, DashScope and vLLM. */
export const EMBEDDING_FIELDS = shapes(
  `model input encoding_format dimensions user stream input_type truncate truncation output_dtype
   output_dimension task late_chunking normalized normalize embedding_type embedding_types
   text_type instruct instruction truncate_prompt_tokens add_special_tokens priority modality
   output_type dense_embedding_dimension request_id`,
  [['stream_options', STREAM_OPTIONS]],
);

const PROMPT_DETAILS = shapes(
  `cached_tokens cache_write_tokens cache_creation_tokens cache_creation_input_tokens
   cached_creation_tokens audio_tokens image_tokens text_tokens video_tokens`,
  [
    ['cache_write_tokens_details', 'flat'],
    ['cache_creation', 'flat'],
    ['cache_creation_token_details', 'flat'],
  ],
);

const OUTPUT_DETAILS = shapes(
  `reasoning_tokens audio_tokens image_tokens text_tokens video_tokens accepted_prediction_tokens
   rejected_prediction_tokens`,
);

/**
 * Counts that OpenAI publishes for chat, completions, embeddings and Responses (`CompletionUsage`,
 * `ResponseUsage` of its SDK), and those of others: DeepSeek and Moonshot (caches), Anthropic's
 * words in translations of it, xAI and Perplexity (searches), Mistral (audio), Groq (times, in the
 * types of its SDK). What an upstream reports about its price, its route or its machine has no
 * place here.
 */
export const USAGE_FIELDS = shapes(
  `prompt_tokens completion_tokens total_tokens input_tokens output_tokens reasoning_tokens
   cached_tokens prompt_cache_hit_tokens prompt_cache_miss_tokens cache_write_tokens
   cache_read_input_tokens cache_creation_input_tokens prompt_audio_seconds num_sources_used
   num_server_side_tools_used num_search_queries search_context_size citation_tokens queue_time
   prompt_time completion_time total_time`,
  [
    ['prompt_tokens_details', PROMPT_DETAILS],
    ['input_tokens_details', PROMPT_DETAILS],
    ['completion_tokens_details', OUTPUT_DETAILS],
    ['output_tokens_details', OUTPUT_DETAILS],
    ['cache_creation', 'flat'],
    ['server_tool_use', 'flat'],
    ['server_side_tool_usage_details', 'flat'],
  ],
);
