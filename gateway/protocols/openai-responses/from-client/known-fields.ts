import { shapes } from '../../fields/shape.ts';

const FORMAT = shapes('type name strict description', [['schema', 'any']]);

/**
 * The published fields of Responses, and those that other vendors document and charge nothing for.
 */
export const RESPONSE_FIELDS = shapes(
  `model instructions max_output_tokens max_tool_calls parallel_tool_calls prompt_cache_key
   prompt_cache_retention safety_identifier store stream temperature top_logprobs top_p top_k
   truncation user include previous_response_id background access_programs session_id
   presence_penalty frequency_penalty seed min_p repetition_penalty stop enable_thinking
   thinking_budget request_id`,
  [
    ['input', 'any'],
    ['tools', 'any'],
    ['conversation', 'flat'],
    ['prompt', 'any'],
    ['tool_choice', shapes('type name mode namespace server_label', [['tools', 'any']])],
    [
      'reasoning',
      shapes('effort summary generate_summary context mode max_tokens enabled exclude'),
    ],
    ['text', shapes('verbosity', [['format', FORMAT]])],
    ['stream_options', shapes('include_obfuscation include_usage')],
    ['metadata', 'flat'],
    ['client_metadata', 'flat'],
    ['moderation', 'flat'],
    ['image', 'flat'],
    ['prompt_cache_options', 'flat'],
    ['context_management', 'flat'],
    ['thinking', shapes('type budget_tokens')],
    ['chat_template_kwargs', 'flat'],
  ],
);
