import { contents, shapes } from '../../fields/shape.ts';
import { USAGE_FIELDS } from '../../openai-family/known-fields.ts';

/**
 * All kinds of `ResponseOutputItem` and `ResponseItem`; OpenRouter's reasoning has a `signature`
 * and a `format` besides.
 */
const ITEM = contents(
  `id type status role phase content queries results call_id name namespace arguments input output
   async caller created_by action actions pending_safety_checks acknowledged_safety_checks summary
   encrypted_content signature format code fingerprint result execution tools background error
   output_format quality revised_prompt size svg_usage container_id outputs environment
   max_output_length operation server_label approval_request_id approve reason reasoning text`,
);

/**
 * The fields of a response, and of a compacted one: `Response` and `CompactedResponse` in OpenAI's
 * SDK, and what its interface sends beyond it (`store`, penalties, `context_management`). `billing`
 * is left out: it is between the upstream and its customer.
 */
export const RESPONSE_REPLY_FIELDS = shapes(
  `id object created_at completed_at model status background max_output_tokens max_tool_calls
   output_text parallel_tool_calls previous_response_id prompt_cache_key prompt_cache_retention
   safety_identifier service_tier store temperature top_logprobs top_p truncation user
   frequency_penalty presence_penalty`,
  [
    ['output', ITEM],
    ['usage', USAGE_FIELDS],
    ...contents(
      `access_programs error incomplete_details instructions metadata tool_choice tools conversation
       image moderation prompt prompt_cache_diagnostics prompt_cache_options reasoning text
       tool_usage context_management`,
    ),
  ],
);

/** All kinds of `ResponseStreamEvent`. */
export const EVENT_FIELDS = contents(
  `type sequence_number item_id output_index content_index summary_index delta text arguments name
   code input refusal logprobs part annotation annotation_index obfuscation status output command
   command_index partial_image_b64 partial_image_index background output_format quality size
   message param error`,
  [
    ['response', RESPONSE_REPLY_FIELDS],
    ['item', ITEM],
  ],
);

/** The fields of stored objects: a conversation, a list of its items, one item, a deletion. */
export const STORED_FIELDS = shapes('object created_at deleted first_id last_id has_more', [
  ...ITEM,
  ['metadata', 'flat'],
  ['data', ITEM],
]);
