import { UPSTREAM_RETRY_AFTER_MS_MAX } from '../platform/errors/refusal.ts';
import type { JsonObject } from '../platform/json/json-value.ts';
import { extractMessage } from './error-message.ts';

/**
 * Codes of limits that last for hours or days: ChatGPT's plans, Zhipu's calls of a day and use of
 * five hours, a week or a month (https://docs.bigmodel.cn/cn/faq/api-code).
 */
const LONG_LIMITS: ReadonlySet<unknown> = new Set([
  'usage_limit_reached',
  '1304',
  '1308',
  '1310',
  '1316',
]);

/**
 * OpenAI's and Groq's words: "Please try again in 9m38.016s"; Gemini's: "Please retry in 30.6s";
 * Azure's: "Please retry after 60 seconds".
 */
const WAIT =
  /\b(?:try again|retry) (?:in|after) (?:(\d{1,4})h)?(?:(\d{1,4})m(?!s))?(?:(\d{1,6}(?:\.\d{1,9})?) ?(m?s)(?:econds?)?\b)?/;

/**
 * Returns how long a limit lasts by the error itself, for upstreams that send no Retry-After, as in
 * a stream; undefined if the error does not say.
 */
export function limitWaitMs(error: JsonObject): number | undefined {
  const { code, type, resets_in_seconds: seconds } = error;
  if (typeof seconds === 'number' && seconds > 0) return seconds * 1_000;
  if (LONG_LIMITS.has(code) || LONG_LIMITS.has(type)) return UPSTREAM_RETRY_AFTER_MS_MAX;
  const found = WAIT.exec(extractMessage(error) ?? '');
  if (found === null) return undefined;
  const [, hours = '0', minutes = '0', last = '0', unit] = found;
  const lastMs = Number(last) * (unit === 'ms' ? 1 : 1_000);
  const waitMs = Math.ceil((Number(hours) * 60 + Number(minutes)) * 60_000 + lastMs);
  return waitMs > 0 ? waitMs : undefined;
}
