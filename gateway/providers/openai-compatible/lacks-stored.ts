import { isJsonObject } from '../../platform/json/json-value.ts';
import { errorBody } from '../error-body.ts';

const NOT_FOUND_CODES: ReadonlySet<unknown> = new Set([
  'previous_response_not_found',
  'response_not_found',
]);
const MODEL_CODES: ReadonlySet<unknown> = new Set(['model_not_found', 'DeploymentNotFound']);
const NOT_FOUND = 404;

/** Recognises an upstream that has forgotten what was stored, which it reports with 400 or 404. */
export function lacksStored(status: number, body: Buffer): boolean {
  const reply = errorBody(body);
  // The last event of a stream has the whole response in it.
  const { error } = isJsonObject(reply['response']) ? reply['response'] : reply;
  const { code, param } = isJsonObject(error) ? error : {};
  const isReply = NOT_FOUND_CODES.has(code) || param === 'previous_response_id';
  return (status < 500 && isReply) || (status === NOT_FOUND && !MODEL_CODES.has(code));
}
