import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';

/**
 * What MiniMax says of a request that has failed, `{status_code, status_msg}`: under a 200, beside choices that are null. Undefined in any
 * other reply or chunk. github.com/MiniMax-AI/MiniMax-01/issues/15
 */
export function minimaxFailure({ base_resp: told }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(told)) return undefined;
  const { status_code: number } = told;
  return typeof number === 'number' && number !== 0 ? told : undefined;
}
