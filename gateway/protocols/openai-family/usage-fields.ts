import { shapes } from '../fields/shape.ts';

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
