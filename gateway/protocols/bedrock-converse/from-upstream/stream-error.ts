import {
  EXCEPTION_EVENT,
  EXCEPTION_TYPE_MEMBER,
} from '../../../platform/event-stream/frame-to-sse.ts';
import { stringOf, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { FailureFinder } from '../../protocol.ts';

const ERROR_CHARACTERS_LOGGED = 200;

/** Returns what is wrong with an event, for the log; undefined when nothing is. */
export function streamError(
  event: OwnJsonObject | undefined,
  { name, findFailure }: { readonly name: string; readonly findFailure: FailureFinder },
): string | undefined {
  if (event === undefined) return 'an event is not a JSON object';
  const { [EXCEPTION_TYPE_MEMBER]: type, message } = event;
  const failed = name === EXCEPTION_EVENT || typeof type === 'string';
  if (!failed && findFailure(event) === undefined) return undefined;
  const text = [type, message].map(stringOf).filter((one) => one !== '');
  const shown = text.length === 0 ? JSON.stringify(event) : text.join(': ');
  return `error event: ${shown.slice(0, ERROR_CHARACTERS_LOGGED)}`;
}
