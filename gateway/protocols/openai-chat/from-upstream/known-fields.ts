import { contents, Shapes, shapes } from '../../fields/shape.ts';
import { MESSAGE_FIELDS, USAGE_FIELDS } from '../../openai-family/known-fields.ts';

/** LiteLLM's, of which clients send these back; the others describe the upstream. */
const CARRIED_BY_LITELLM = contents(
  'thought_signature thought_signatures thinking_blocks reasoning_content citations',
);

const TOOL_CALL = contents('id index type extra_content thought_signature', [
  ['function', contents('name arguments thought_signature')],
  ['custom', contents('name input')],
  ['provider_specific_fields', CARRIED_BY_LITELLM],
]);

/**
 * The fields of a message, and so of a delta: those that a client may send back, and those that are
 * only read. `context` is Azure's for its own data, `executed_tools` Groq's, `search_results`
 * Perplexity's.
 */
const REPLY_MESSAGE = new Shapes([
  ...MESSAGE_FIELDS,
  ...contents('context executed_tools search_results signature', [
    ['tool_calls', TOOL_CALL],
    ['provider_specific_fields', CARRIED_BY_LITELLM],
  ]),
]);

/** vLLM adds `stop_reason` and `token_ids`, SGLang `matched_stop`, Azure results of filters. */
const CHOICE = contents(
  `index finish_reason logprobs stop_reason matched_stop token_ids prompt_token_ids
   prompt_logprobs content_filter_results content_filter_result content_filter_offsets seed
   raw_output`,
  [
    ['message', REPLY_MESSAGE],
    ['delta', REPLY_MESSAGE],
    ['usage', USAGE_FIELDS],
  ],
);

/**
 * The fields of a chat completion and of a chunk of one: OpenAI's published fields
 * (`ChatCompletion` and `ChatCompletionChunk` of its SDK), and what other vendors document of the
 * reply itself: sources (Perplexity, xAI, Zhipu, DashScope), filters (Azure, Zhipu, MiniMax), the
 * run of a server of one's own (vLLM, llama.cpp). Fields that show who served it are left out:
 * `provider` (OpenRouter), `extra_fields` (Bifrost), `x_groq`, `_hidden_params` and top-level
 * `provider_specific_fields` (LiteLLM), `__verbose` (llama.cpp, with the path of the model),
 * `model_info` and `runtime` (LM Studio).
 */
export const CHAT_REPLY_FIELDS = shapes(
  'id object created model service_tier system_fingerprint obfuscation request_id',
  [
    ['choices', CHOICE],
    ['usage', USAGE_FIELDS],
    ...contents(
      `metadata moderation citations search_results images related_questions videos web_search
       search_info content_filter prompt_filter_results prompt_annotations input_sensitive
       output_sensitive input_sensitive_type output_sensitive_type prompt_logprobs
       prompt_token_ids prompt_progress timings`,
    ),
  ],
);
