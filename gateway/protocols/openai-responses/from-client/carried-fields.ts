import { shapes } from '../../fields/shape.ts';

/**
 * The fields that `readRequest` reads or the reply repeats. All others are named as left out.
 */
export const CARRIED_FIELDS = shapes(
  `model stream instructions input tools tool_choice parallel_tool_calls max_output_tokens
   temperature top_p top_logprobs safety_identifier user prompt_cache_key previous_response_id
   conversation background prompt include metadata`,
  [
    ['reasoning', shapes('effort summary generate_summary')],
    ['text', shapes('verbosity', [['format', shapes('type name schema strict')]])],
  ],
);
