import { contents, shapes } from '../../fields/shape.ts';
import { USAGE_FIELDS } from '../../openai-family/known-fields.ts';

const CHOICE = contents(
  `text index finish_reason logprobs reasoning reasoning_content stop_reason matched_stop token_ids
   prompt_token_ids prompt_logprobs content_filter_results content_filter_result
   content_filter_offsets seed raw_output`,
  [['usage', USAGE_FIELDS]],
);

/**
 * The fields of a completion and of a chunk of one: OpenAI's published fields (`Completion` of its
 * SDK), and what Azure, vLLM, SGLang and llama.cpp document of the reply itself.
 */
export const COMPLETION_REPLY_FIELDS = shapes(
  'id object created model service_tier system_fingerprint obfuscation request_id',
  [
    ['choices', CHOICE],
    ['usage', USAGE_FIELDS],
    ...contents(
      'prompt_filter_results prompt_annotations prompt_logprobs prompt_token_ids timings',
    ),
  ],
);
