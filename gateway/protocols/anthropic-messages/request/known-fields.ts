import { shapes } from '../../fields/shape.ts';

const FORMAT = shapes('type name strict', [['schema', 'any']]);
const OUTPUT_CONFIG = shapes('effort', [
  ['format', FORMAT],
  ['task_budget', 'flat'],
]);

export const THINKING_FIELDS = shapes('type budget_tokens display');

/**
 * The published fields of Messages and its betas, and those of vLLM and SGLang, which serve it too.
 */
export const MESSAGES_FIELDS = shapes(
  `model max_tokens stop_sequences stream temperature top_k top_p anthropic_version
   anthropic_beta betas reasoning_effort tags safeguards min_p repetition_penalty seed`,
  [
    [
      'messages',
      shapes('role id', [
        ['content', 'any'],
        ['cache_control', 'flat'],
        ['output_config', OUTPUT_CONFIG],
      ]),
    ],
    ['system', 'any'],
    ['tools', 'any'],
    ['tool_choice', 'flat'],
    ['thinking', THINKING_FIELDS],
    ['output_config', OUTPUT_CONFIG],
    ['output_format', FORMAT],
    ['metadata', 'flat'],
    ['diagnostics', 'flat'],
    ['cache_control', 'flat'],
    ['context_management', shapes('', [['edits', 'any']])],
    ['chat_template_kwargs', 'flat'],
  ],
);
