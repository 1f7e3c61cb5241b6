import { isOwnJsonObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { FailureFinder } from '../../protocol.ts';

const ERROR_CHARACTERS_LOGGED = 200;

/**
 * Finish reasons that say that the upstream failed: no program takes them for the end of half a
 * reply. `error`: OpenRouter, Mistral. `network_error`: Zhipu, docs.bigmodel.cn.
 * `insufficient_system_resource`: DeepSeek, api-docs.deepseek.com. `abort`: vLLM and SGLang, for a
 * request that was dropped there.
 */
const FAILED_REASONS: ReadonlySet<unknown> = new Set([
  'error',
  'network_error',
  'insufficient_system_resource',
  'abort',
]);

/** The first of a reply's or chunk's choices that failed; undefined when none did. */
export function failedChoice({ choices }: OwnJsonObject): OwnJsonObject | undefined {
  if (!Array.isArray(choices)) return undefined;
  for (const choice of choices as unknown[]) {
    if (isOwnJsonObject(choice) && FAILED_REASONS.has(choice['finish_reason'])) return choice;
  }
  return undefined;
}

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
