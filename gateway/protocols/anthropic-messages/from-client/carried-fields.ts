import { shapes } from '../../fields/shape.ts';

/** The fields that `readRequest` reads. All others are named as left out. */
export const CARRIED_FIELDS = shapes(
  `model stream max_tokens system temperature top_p top_k stop_sequences tool_choice safeguards`,
  [
    ['messages', shapes('role content')],
    ['tools', shapes('type name description input_schema strict cache_control defer_loading')],
    ['thinking', shapes('type budget_tokens display')],
    ['output_config', shapes('effort', [['format', shapes('type schema')]])],
    ['metadata', shapes('user_id')],
  ],
);
