import type { JsonObject } from '../../platform/json/json-value.ts';

/** Where an error may say which status it would have had, the surest first. */
const STATUS_KEYS = ['status_code', 'code', 'http_code', 'status', 'type'] as const;

/** Names of errors whose status matters: whose fault it is, and whether waiting helps. */
const STATUSES_BY_NAME: ReadonlyMap<unknown, number> = new Map([
  ['context_length_exceeded', 400],
  ['content_policy_violation', 400],
  ['unsupported_parameter', 400],
  ['unsupported_value', 400],
  ['content_filter', 400],
  ['data_inspection_failed', 400],
  ['sensitive_words_detected', 400],
  ['1301', 400],
  ['Arrearage', 400],
  ['invalid_request_error', 400],
  ['INVALID_ARGUMENT', 400],
  ['invalid_api_key', 401],
  ['model_not_found', 404],
  ['insufficient_quota', 429],
  ['exceeded_current_quota_error', 429],
  ['1113', 429],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['RESOURCE_EXHAUSTED', 429],
  // Codes of a response that failed: OpenAI's Responses.
  ['invalid_prompt', 400],
  ['cyber_policy', 400],
  ['bio_policy', 400],
  ['server_error', 500],
  ['server_is_overloaded', 503],
]);

/**
 * The status that an error under a 200 would have had by itself; undefined when it does not tell.
 * Streams begin before their servers know how they go, and some servers answer 200 to everything.
 */
export function statusOf(error: JsonObject): number | undefined {
  for (const key of STATUS_KEYS) {
    const value = error[key];
    const status = STATUSES_BY_NAME.get(value) ?? Number(value);
    if (Number.isInteger(status) && status >= 400 && status < 600) return status;
  }
  return undefined;
}
