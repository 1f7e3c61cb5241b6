import { shapes } from '../../fields/shape.ts';

/** The fields that `readRequest` reads. All others are named as left out. */
export const CARRIED_FIELDS = shapes(
  `model stream max_tokens max_completion_tokens n temperature top_p top_k presence_penalty
   frequency_penalty seed stop logprobs top_logprobs parallel_tool_calls reasoning_effort verbosity
   safety_identifier user prompt_cache_key modalities audio prediction functions
   tool_choice`,
  [
    [
      'messages',
      shapes(
        `role content refusal audio function_call tool_calls tool_call_id is_error images
         reasoning_content reasoning reasoning_details cache_control prompt_cache_breakpoint`,
      ),
    ],
    ['tools', shapes('type function custom name description parameters strict cache_control')],
    ['stream_options', shapes('include_usage')],
    ['reasoning', shapes('effort max_tokens exclude enabled')],
    ['response_format', shapes('type', [['json_schema', shapes('name schema strict')]])],
  ],
);
