import { refuse } from '../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../platform/json/json-value.ts';
import * as anthropic from '../anthropic/classify-error.ts';
import { errorBody, isWrongPlace } from '../error-body.ts';
import * as openai from '../openai-compatible/classify-error.ts';
import {
  CHANNEL_FAULT,
  CREDENTIAL_FAULT,
  MODEL_FAULT,
  NO_ACCESS,
  ofRequest,
  UPSTREAM_LIMITED,
  type Verdict,
} from '../verdict.ts';
import { errorMeaning, type ErrorMeaning } from './error-types.ts';

const VALIDATION_STATUS = 400;
/** AWS sends no Retry-After. */
const THROTTLED_RETRY_MS = 1_000;
const DAILY_QUOTA_RETRY_MS = 60_000;
const UNAVAILABLE_RETRY_MS = 5_000;

/** What AWS puts before the words of a model's own server. */
const MODEL_PREFIX = /^The model returned the following errors: /;
/** The words of InvokeModel and Converse; agents look for the first sentence alone. */
const INPUT_TOO_LONG = /^Input is too long\b/;
/** An account that AWS has not opened Bedrock to, or has closed it to; it comes under 400. */
const ACCOUNT_CLOSED = /^Operation not allowed\b/;

/** The same for one model: aws-samples/amazon-bedrock-audio-summarizer#3. */
const MODEL_CLOSED = /^Your account is not authorized to invoke this API operation\b/;

/** An API key of Bedrock that is wrong or too old; it comes as if it lacked access to the model. */
const KEY_REFUSED = /^(?:Authentication failed|Bearer Token has expired|Invalid API Key)/i;

/** ARNs and numbers of accounts, which are the operator's. */
const OPERATOR_IDS = /\barn:aws[\w-]*:[^\s"'`,;)\]]+|\b\d{12}\b/g;

/**
 * Judges a status other than 2xx.
 * @param errorType what `x-amzn-errortype` says; '' without one
 */
export function classifyError(
  status: number,
  retryAfterMs: number | null,
  body: Buffer,
  errorType = '',
): Verdict {
  if (isWrongPlace(status, body)) return CHANNEL_FAULT;
  const error = errorBody(body);
  const dialect = dialectOf(error);
  if (dialect !== undefined) return masked(dialect.classifyError(status, retryAfterMs, body));
  const meaning = errorMeaning(error, errorType);
  if (meaning === undefined) return masked(anthropic.classifyError(status, retryAfterMs, body));
  return judge(meaning, messageOf(error), retryAfterMs);
}

/** Judges an error under a 2xx, such as an exception in a stream. */
export function classifyReply(body: Buffer): Verdict {
  const error = errorBody(body);
  const dialect = dialectOf(error);
  if (dialect !== undefined) return masked(dialect.classifyReply(body));
  const meaning = errorMeaning(error, '');
  return meaning === undefined ? CHANNEL_FAULT : judge(meaning, messageOf(error), null);
}

/** The errors of Anthropic's and OpenAI's paths have the shapes of their vendors. */
function dialectOf({ type, error }: JsonObject): typeof anthropic | typeof openai | undefined {
  if (!isJsonObject(error)) return undefined;
  return type === 'error' ? anthropic : openai;
}

function messageOf(error: JsonObject): string {
  const message = stringOf(error['message']) || stringOf(error['Message']);
  return message.replace(MODEL_PREFIX, '');
}

function judge(meaning: ErrorMeaning, message: string, retryAfterMs: number | null): Verdict {
  switch (meaning) {
    case 'validation':
      return judgeValidation(message);
    case 'throttled': {
      const usualMs = /\bper day\b/.test(message) ? DAILY_QUOTA_RETRY_MS : THROTTLED_RETRY_MS;
      return limited('credential', retryAfterMs ?? usualMs);
    }
    case 'model_not_ready':
      return limited('credential', retryAfterMs ?? UNAVAILABLE_RETRY_MS);
    case 'unavailable':
      return limited('channel', retryAfterMs ?? UNAVAILABLE_RETRY_MS);
    case 'credential':
      return CREDENTIAL_FAULT;
    case 'no_access':
      return KEY_REFUSED.test(message) ? CREDENTIAL_FAULT : NO_ACCESS;
    case 'no_model':
      return MODEL_FAULT;
    case 'failed':
      return CHANNEL_FAULT;
  }
}

function judgeValidation(message: string): Verdict {
  if (ACCOUNT_CLOSED.test(message)) return CREDENTIAL_FAULT;
  if (MODEL_CLOSED.test(message)) return NO_ACCESS;
  if (INPUT_TOO_LONG.test(message)) {
    return ofRequest(refuse('context_length_exceeded', 'Input is too long.'));
  }
  // The words behind the prefix are Anthropic's own, and so are those of Bedrock about mappings.
  const body = Buffer.from(JSON.stringify({ message }));
  return masked(anthropic.classifyError(VALIDATION_STATUS, null, body));
}

function limited(scope: 'credential' | 'channel', retryAfterMs: number): Verdict {
  const refusal =
    scope === 'credential'
      ? refuse('upstream_rate_limited', UPSTREAM_LIMITED, { retryAfterMs })
      : refuse('no_channel_available', OVERLOADED, { retryAfterMs });
  return { health: 'limited', failover: true, scope, refusal };
}

const OVERLOADED =
  'The upstream that serves this model is overloaded. Nothing was charged; wait as long as Retry-After says.';

function masked(verdict: Verdict): Verdict {
  const { refusal } = verdict;
  const message = refusal.message.replace(OPERATOR_IDS, '…');
  return message === refusal.message ? verdict : { ...verdict, refusal: { ...refusal, message } };
}
