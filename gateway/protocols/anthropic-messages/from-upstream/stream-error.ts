import { isOwnJsonObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { FailureFinder } from '../../protocol.ts';
import { DONE_MARK } from '../../sse/reply-form.ts';

const ERROR_CHARACTERS_LOGGED = 200;

/**
 * Returns what is wrong with an event, for the log: it is an error, or no JSON object. Undefined
 * when nothing is; an undefined event is then one to skip.
 */
export function streamError(
  event: OwnJsonObject | undefined,
  {
    type,
    data,
    findFailure,
  }: { readonly type: string; readonly data: Buffer; readonly findFailure: FailureFinder },
): string | undefined {
  if (event === undefined) {
    const text = data.toString('utf8').trim();
    const empty = text === '' || text === DONE_MARK || type === 'ping';
    return empty ? undefined : 'an event is not a JSON object';
  }
  const failed = type === 'error' || isOwnJsonObject(event['error']);
  if (!failed && findFailure(event) === undefined) return undefined;
  const { error } = event;
  const message = isOwnJsonObject(error) ? error['message'] : error;
  return `error event: ${JSON.stringify(message ?? event).slice(0, ERROR_CHARACTERS_LOGGED)}`;
}
