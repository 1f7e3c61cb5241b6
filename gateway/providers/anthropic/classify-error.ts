import {
  refuse,
  UPSTREAM_RETRY_AFTER_MS_MAX,
  type Refusal,
} from '../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';
import { errorBody, errorOf, isWrongPlace } from '../error-body.ts';
import { namedStatus } from '../named-status.ts';
import {
  CHANNEL_FAULT,
  CREDENTIAL_FAULT,
  CREDENTIAL_STATUSES,
  MESSAGE_LETTERS_MAX,
  MODEL_FAULT,
  MODEL_STATUSES,
  ofRequest,
  OVER_ACCOUNT_LIMIT,
  REQUEST_TOO_LARGE,
  type Verdict,
} from '../verdict.ts';
import { codeOf, isAboutAccount, isAboutThinking, statusOf } from './error-rules.ts';

const TOO_MANY = 429;
/** Anthropic as a whole is busy: none of our credentials is to blame. */
const OVERLOADED = 529;
const TOO_LARGE = 413;

/** How long a channel that reports an overload is not asked for; its own Retry-After is rare. */
const OVERLOADED_RETRY_MS = 5_000;
const LIMITED_RETRY_MS = 1_000;

/** A long context that our account there has not paid for; it comes as a limit: sub2api#572. */
const LONG_CONTEXT = /^Extra usage is required for (?:long context requests|1M context)/;

/** Anthropic's names for the operator's organisation and workspace, and those of its requests. */
const OPERATOR_IDS = /\b(?:org|wrkspc|req)_\w{8,}|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** Judges a status other than 2xx. */
export function classifyError(status: number, retryAfterMs: number | null, body: Buffer): Verdict {
  return isWrongPlace(status, body)
    ? CHANNEL_FAULT
    : judge(errorOf(errorBody(body)), status, retryAfterMs);
}

/**
 * Judges an error under a 2xx, such as the first event of a stream, as under the status of its
 * type.
 */
export function classifyReply(body: Buffer): Verdict {
  const error = errorOf(errorBody(body));
  const status = statusOf(error) ?? namedStatus(error);
  return status === undefined ? CHANNEL_FAULT : judge(error, status, null);
}

function judge(error: JsonObject, reported: number, retryAfterMs: number | null): Verdict {
  const status = namedStatus(error) ?? reported;
  const message = typeof error['message'] === 'string' ? error['message'] : '';
  if (status === TOO_MANY) {
    if (LONG_CONTEXT.test(message)) return OVER_ACCOUNT_LIMIT;
    return limited('upstream_rate_limited', retryAfterMs ?? LIMITED_RETRY_MS);
  }
  if (status === OVERLOADED)
    return limited('no_channel_available', retryAfterMs ?? OVERLOADED_RETRY_MS);
  if (CREDENTIAL_STATUSES.has(status)) {
    return error['type'] === 'policy_blocked'
      ? ofRequest(rejected(error, message))
      : CREDENTIAL_FAULT;
  }
  if (MODEL_STATUSES.has(status)) return MODEL_FAULT;
  if (status >= 500 || status < 400 || status === 408) return CHANNEL_FAULT;
  if (status === 409) return { ...CHANNEL_FAULT, health: 'unknown' };
  if (status === TOO_LARGE) return REQUEST_TOO_LARGE;
  if (isAboutAccount(error)) return CREDENTIAL_FAULT;
  const verdict = ofRequest(rejected(error, message));
  return isAboutThinking(message) ? { ...verdict, proofsRefused: true } : verdict;
}

function limited(
  code: 'no_channel_available' | 'upstream_rate_limited',
  retryAfterMs: number,
): Verdict {
  const refusal = refuse(code, LIMITED_MESSAGES[code], {
    retryAfterMs: Math.min(retryAfterMs, UPSTREAM_RETRY_AFTER_MS_MAX),
  });
  const scope = code === 'upstream_rate_limited' ? 'credential' : 'channel';
  return { health: 'limited', failover: true, scope, refusal };
}

const LIMITED_MESSAGES = {
  upstream_rate_limited:
    'The upstream that serves this model is limiting requests. Wait as long as Retry-After says.',
  no_channel_available:
    'The upstream that serves this model is overloaded. Nothing was charged; wait as long as Retry-After says.',
};

/** Characters of an error's details as JSON. Anthropic's own have a code and a few names. */
const DETAILS_CHARACTERS_MAX = 2_000;

/**
 * Returns the `details` of an Anthropic error, by whose `error_code` its SDKs go on by themselves;
 * undefined when it has no code. Only plain values and lists of them are taken over.
 * @param clean removes what customers must not see from a text
 */
function errorDetails(
  { details }: JsonObject,
  clean: (text: string) => string,
): JsonObject | undefined {
  if (!isJsonObject(details) || typeof details['error_code'] !== 'string') return undefined;
  const plain = Object.entries(details).filter(([, value]) =>
    Array.isArray(value) ? value.every(isPlain) : isPlain(value),
  );
  const json = clean(JSON.stringify(Object.fromEntries(plain)));
  if (json.length > DETAILS_CHARACTERS_MAX) return { error_code: details['error_code'] };
  return JSON.parse(json) as JsonObject;
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

/**
 * The upstream refused the request itself. Its words stay as they are: Claude Code acts on many of
 * them, such as "prompt is too long: …".
 */
function rejected(error: JsonObject, message: string): Refusal {
  const words = message === '' ? 'The upstream refused the request as invalid.' : message;
  const clean = (text: string): string => text.replace(OPERATOR_IDS, '…');
  const vendorDetails = errorDetails(error, clean);
  return refuse(codeOf(error, words), clean(words).slice(0, MESSAGE_LETTERS_MAX), {
    ...(vendorDetails === undefined ? {} : { vendorDetails }),
  });
}
