import { isOwnJsonObject, type OwnJsonObject } from '../../platform/json/json-value.ts';
import type { FailureFinder } from '../protocol.ts';
import { failedChoice } from './failed-choice.ts';

const ERROR_CHARACTERS_LOGGED = 200;

/**
 * Returns what is wrong with an event, for the log: it is an error, or no JSON object. Undefined
 * when it is a chunk.
 */
export function streamError(
  chunk: OwnJsonObject | undefined,
  eventName: string,
  findFailure: FailureFinder,
): string | undefined {
  if (chunk === undefined) return 'an event is not a JSON object';
  const { error, object, choices } = chunk;
  const failed = Array.isArray(choices) ? failedChoice(chunk) : findFailure(chunk);
  const named = (error !== undefined && error !== null) || object === 'error';
  if (!named && eventName !== 'error' && failed === undefined) return undefined;
  const reported = error ?? failedChoice(chunk)?.['error'] ?? findFailure(chunk);
  const details = isOwnJsonObject(reported) ? reported : chunk;
  const message = JSON.stringify(details['message'] ?? error ?? details);
  return `error event: ${message.slice(0, ERROR_CHARACTERS_LOGGED)}`;
}
