import { contents, shapes } from '../../fields/shape.ts';

/** `BetaMessageIterationUsage` and its siblings. */
const ITERATION = shapes(
  `type model input_tokens output_tokens cache_creation_input_tokens cache_read_input_tokens`,
  [['cache_creation', 'flat']],
);

/** `BetaUsage` and `BetaMessageDeltaUsage`. */
export const USAGE_FIELDS = shapes(
  `input_tokens output_tokens cache_creation_input_tokens cache_read_input_tokens service_tier speed
   inference_geo`,
  [
    ['cache_creation', 'flat'],
    ['server_tool_use', 'flat'],
    ['output_tokens_details', 'flat'],
    ['iterations', ITERATION],
    ['fallback_credit', 'any'],
  ],
);

/** All kinds of `BetaContentBlock`. */
const BLOCK = contents(
  `type text citations thinking signature data id name input caller toolset_name tool_use_id content
   is_error server_name mcp_server_name tools tool_changes file_id encrypted_content from to trigger`,
);

/**
 * A reply of Messages: `BetaMessage` in Anthropic's SDK, from which all lists here are. It has what
 * `Message` has.
 */
export const MESSAGE_REPLY_FIELDS = shapes('id type role model stop_reason stop_sequence', [
  ['content', BLOCK],
  ['usage', USAGE_FIELDS],
  ...contents('stop_details container context_management diagnostics input_transformations'),
]);

/** All kinds of `BetaRawContentBlockDelta`, and `BetaRawMessageDeltaEvent.Delta`. */
const DELTA = contents(
  `type text partial_json citation thinking estimated_tokens signature content encrypted_content
   stop_reason stop_sequence stop_details container`,
);

/** All kinds of `BetaRawMessageStreamEvent`. */
export const EVENT_FIELDS = shapes('type index', [
  ['message', MESSAGE_REPLY_FIELDS],
  ['content_block', BLOCK],
  ['delta', DELTA],
  ['usage', USAGE_FIELDS],
  ...contents('context_management input_transformations'),
]);

/** Events of a stream that clients know, except for errors. */
export const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
]);
