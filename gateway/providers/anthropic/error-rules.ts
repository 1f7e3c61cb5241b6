import type { ErrorCode } from '@weir/shared/api/error-catalogue';
import { isJsonObject, stringOf, type JsonObject } from '../../platform/json/json-value.ts';
import { isContextOverflow, isFlagged } from '../named-status.ts';

/**
 * The status that each of Anthropic's error types has by itself: errors in a stream come under 200.
 */
const STATUSES_BY_TYPE: ReadonlyMap<unknown, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

/**
 * Returns the status that an error has by its type; undefined when the type is none of Anthropic's.
 */
export function statusOf(error: JsonObject): number | undefined {
  return STATUSES_BY_TYPE.get(error['type']);
}

/** Codes of the operator's account that the vendor's SDK has an error class of its own for. */
const ACCOUNT_CODE = /^(?:cmek|organization|parent_organization|workspace)_/;

export function isAboutAccount({ details }: JsonObject): boolean {
  return isJsonObject(details) && ACCOUNT_CODE.test(stringOf(details['error_code']));
}

/**
 * Thinking of another account, model or prefix. Claude Code looks for these words, too, and sends
 * the request again without thinking; other clients do not.
 */
const THINKING_REFUSED =
  /^(?:messages\.\d+\.content\.\d+: )?(?:Invalid `signature` in `thinking` block|Invalid `data` in `redacted_thinking` block|`thinking` or `redacted_thinking` blocks .* cannot be modified)/;

export function isAboutThinking(message: string): boolean {
  return THINKING_REFUSED.test(message);
}

/** Returns the code under which clients of every protocol look for what a 400 says. */
export function codeOf(error: JsonObject, message: string): ErrorCode {
  if (isContextOverflow(error)) return 'context_length_exceeded';
  // Anthropic's filter of prompts and replies comes under 400.
  const blocked =
    error['type'] === 'policy_blocked' ||
    isFlagged(error) ||
    message.startsWith('Output blocked by content filtering policy');
  return blocked ? 'content_policy_violation' : 'upstream_rejected';
}
