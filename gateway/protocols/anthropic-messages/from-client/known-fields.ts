import { shapes } from '../../fields/shape.ts';

const FORMAT = shapes('type name strict', [['schema', 'any']]);
const OUTPUT_CONFIG = shapes('effort', [
  ['format', FORMAT],
  ['task_budget', 'flat'],
]);

/** Tools of the client's, and those of Anthropic's that are offered. */
const TOOL = shapes(
  `type name description strict defer_loading eager_input_streaming allowed_callers max_uses
   allowed_domains blocked_domains max_content_tokens use_cache response_inclusion max_characters
   display_width_px display_height_px display_number enable_zoom`,
  [
    ['input_schema', 'any'],
    ['input_examples', 'any'],
    ['configs', 'any'],
    ['url_sources', 'any'],
    ['cache_control', 'flat'],
    ['citations', 'flat'],
    ['user_location', 'flat'],
  ],
);

/** An instruction to the upstream to shorten a conversation. */
const EDIT = shapes('type exclude_tools clear_tool_inputs instructions pause_after_compaction', [
  ['trigger', 'flat'],
  ['keep', 'flat'],
  ['clear_at_least', 'flat'],
]);

export const THINKING_FIELDS = shapes('type budget_tokens display', [['block_binding', 'flat']]);

/**
 * The published fields of Messages and its betas, and those of vLLM and SGLang, which serve it too.
 */
export const MESSAGES_FIELDS = shapes(
  `model max_tokens stop_sequences stream temperature top_k top_p anthropic_version
   anthropic_beta betas reasoning_effort tags safeguards min_p repetition_penalty seed`,
  [
    [
      'messages',
      shapes('role id clear_at', [
        ['content', 'any'],
        ['cache_control', 'flat'],
        ['output_config', OUTPUT_CONFIG],
      ]),
    ],
    ['system', 'any'],
    ['tools', TOOL],
    ['tool_choice', 'flat'],
    ['thinking', THINKING_FIELDS],
    ['output_config', OUTPUT_CONFIG],
    ['output_format', FORMAT],
    ['metadata', 'flat'],
    ['diagnostics', 'flat'],
    ['compaction', 'flat'],
    ['cache_control', 'flat'],
    ['context_management', shapes('', [['edits', EDIT]])],
    ['chat_template_kwargs', 'flat'],
  ],
);
