import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';

/**
 * What MiniMax's numbers mean, in OpenAI's names:
 * https://platform.minimax.io/docs/api-reference/errorcode. Zhipu's are texts.
 */
const NAMES: ReadonlyMap<unknown, string> = new Map([
  [1002, 'rate_limit_exceeded'],
  [1004, 'invalid_api_key'],
  [1008, 'insufficient_quota'],
  [1026, 'content_policy_violation'],
  [1027, 'content_policy_violation'],
  [1039, 'context_length_exceeded'],
  [1041, 'rate_limit_exceeded'],
  [1042, 'invalid_request_error'],
  [2013, 'invalid_request_error'],
  [2045, 'rate_limit_exceeded'],
  [2049, 'invalid_api_key'],
  [2056, 'rate_limit_exceeded'],
]);

/** The error of a reply of MiniMax, as an error object; undefined when the reply has none. */
export function minimaxError(reply: JsonObject): JsonObject | undefined {
  const told = minimaxFailure(reply);
  return told && { code: NAMES.get(told['status_code']), message: told['status_msg'] };
}

/**
 * What MiniMax says of a request that has failed, `{status_code, status_msg}`: under a 200, next to
 * choices that are null. Undefined in any other reply or chunk.
 * github.com/MiniMax-AI/MiniMax-01/issues/15
 */
export function minimaxFailure({ base_resp: told }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(told)) return undefined;
  const { status_code: number } = told;
  return typeof number === 'number' && number !== 0 ? told : undefined;
}
