import type { ErrorCode } from '@weir/shared/api/error-catalogue';
import {
  refuse,
  UPSTREAM_RETRY_AFTER_MS_MAX,
  type Refusal,
} from '../../platform/errors/refusal.ts';
import { isJsonObject, parseOwnObject, type JsonObject } from '../../platform/json/json-value.ts';
import { errorMeaning, type ErrorMeaning } from './error-rules.ts';
import { statusOf } from './error-status.ts';
import { minimaxError } from './minimax-error.ts';
import { errorBody, innerError, isWrongPlace } from '../error-body.ts';
import { extractMessage, isFieldName } from '../error-message.ts';
import { limitWaitMs } from '../limit-wait.ts';
import { isContextOverflow, isFlagged, namedStatus } from '../named-status.ts';
import {
  CHANNEL_FAULT,
  CREDENTIAL_FAULT,
  CREDENTIAL_STATUSES,
  MESSAGE_LETTERS_MAX,
  MODEL_FAULT,
  MODEL_STATUSES,
  NO_ACCESS,
  ofRequest,
  OVER_ACCOUNT_LIMIT,
  REQUEST_TOO_LARGE,
  UPSTREAM_LIMITED,
  type Verdict,
} from '../verdict.ts';

/** In words of our own: some upstreams' name the operator's account. */
const INPUT_FLAGGED = refuse(
  'content_policy_violation',
  'The moderation of the upstream that serves this model has flagged the input. Nothing was charged; change the input.',
);

const ABILITY_MISSING = refuse(
  'upstream_rejected',
  'The upstream that serves this model cannot do all of what the request asks for. Nothing was charged; leave out tools, images or fields that the model does not accept.',
);

type FixedMeaning = Exclude<ErrorMeaning, 'path_unserved' | 'request_fault' | 'unverified'>;

const VERDICTS: Readonly<Record<FixedMeaning, Verdict>> = {
  ability_missing: { ...ofRequest(ABILITY_MISSING), failover: true },
  credential_fault: CREDENTIAL_FAULT,
  input_flagged: ofRequest(INPUT_FLAGGED),
  no_access: NO_ACCESS,
  over_account_limit: OVER_ACCOUNT_LIMIT,
};

/** Returns the verdict on an error whose body says what it means. */
function verdictOf(meaning: ErrorMeaning, error: JsonObject): Verdict {
  switch (meaning) {
    case 'path_unserved':
      return { ...MODEL_FAULT, refusal: rejected(error) };
    case 'request_fault':
      return ofRequest(rejected(error));
    case 'unverified':
      // The operator's account at another upstream may be verified.
      return { ...ofRequest(unverified(error)), failover: true };
    default:
      return VERDICTS[meaning];
  }
}

/** 498 is Groq's, for a tier that has no room left. */
const LIMITED_STATUSES: ReadonlySet<number> = new Set([429, 498]);

/**
 * Codes of OpenAI's by which agents leave a parameter out, or choose another value, and ask again.
 */
const KEPT_CODES: ReadonlyMap<unknown, ErrorCode> = new Map<unknown, ErrorCode>([
  ['unsupported_parameter', 'unsupported_parameter'],
  ['unsupported_value', 'unsupported_value'],
]);

/** OpenAI's and Groq's names for the operator's organisation and project. */
const OPERATOR_IDS = /\b(?:org|proj)[-_]\w{16,}/g;

/**
 * An error under a 2xx is judged as under the status that it should have had: a prompt that is at
 * fault rests no channel.
 */
export function classifyReply(body: Buffer): Verdict {
  const reply = errorBody(body);
  const error = errorOf(reply);
  const status = statusOf(error) ?? statusOf(reply) ?? namedStatus(error);
  return status === undefined ? CHANNEL_FAULT : judge(error, status, null);
}

/**
 * Judges a status other than 2xx. `body` is the error body as far as it was read. An upstream's
 * 401, 402, 403 and 404 are about our credential, our money there or our model mapping: the client
 * can do nothing about them and must not see them as its own. A 400 is about the request, a 429
 * passes by waiting. Where a vendor means something else by them, its body tells (error-rules.ts).
 */
export function classifyError(status: number, retryAfterMs: number | null, body: Buffer): Verdict {
  if (isWrongPlace(status, body)) return CHANNEL_FAULT;
  return judge(errorOf(errorBody(body)), status, retryAfterMs);
}

function judge(outer: JsonObject, reported: number, retryAfterMs: number | null): Verdict {
  const relayed = relayedError(outer);
  const error = relayed ?? outer;
  const meaning = errorMeaning(reported, outer) ?? errorMeaning(reported, error);
  if (meaning !== undefined) return verdictOf(meaning, error);
  const named = namedStatus(error);
  // The account of the vendor behind an upstream is not ours.
  const isOthersAccount = relayed !== undefined && CREDENTIAL_STATUSES.has(named ?? 0);
  const status = isOthersAccount ? reported : (named ?? reported);
  if (LIMITED_STATUSES.has(status)) {
    const refusal = refuse('upstream_rate_limited', UPSTREAM_LIMITED, {
      retryAfterMs: Math.min(
        retryAfterMs ?? limitWaitMs(error) ?? 1_000,
        UPSTREAM_RETRY_AFTER_MS_MAX,
      ),
    });
    return { health: 'limited', failover: true, scope: 'credential', refusal };
  }
  if (MODEL_STATUSES.has(status)) return MODEL_FAULT;
  if (status === 408 || status === 409 || status >= 500 || status < 400) {
    return status === 409 ? { ...CHANNEL_FAULT, health: 'unknown' } : CHANNEL_FAULT;
  }
  if (CREDENTIAL_STATUSES.has(status)) return CREDENTIAL_FAULT;
  if (status === 413) return REQUEST_TOO_LARGE;
  const verdict = ofRequest(rejected(error));
  // Reasoning of another organisation.
  return error['code'] === 'invalid_encrypted_content'
    ? { ...verdict, proofsRefused: true }
    : verdict;
}

/**
 * Returns the error of the vendor that an upstream has called, which OpenRouter puts into
 * `metadata.raw` as text; undefined if there is none.
 * https://openrouter.ai/docs/api-reference/errors
 */
function relayedError({ metadata }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(metadata) || typeof metadata['raw'] !== 'string') return undefined;
  const reply = parseOwnObject(Buffer.from(metadata['raw']));
  if (reply === undefined) return undefined;
  return isJsonObject(reply['error']) ? reply['error'] : reply;
}

/**
 * The upstream refused the request itself (400, 413, 415, 422 …): its words tell the client what to
 * change.
 */
function rejected(error: JsonObject): Refusal {
  const words = extractMessage(error) ?? 'The upstream refused the request as invalid.';
  const param = error['param'];
  return refuse(
    codeOf(error),
    words.replace(OPERATOR_IDS, '…').slice(0, MESSAGE_LETTERS_MAX),
    typeof param === 'string' && param !== '' && isFieldName(param) ? { param } : {},
  );
}

/** The vendor's words address the operator, whose organisation is not the client's. */
function unverified(error: JsonObject): Refusal {
  const refusal = rejected(error);
  const [sentence = ''] = refusal.message.split('. ', 1);
  const message = sentence.replace(/^Your organization/, 'The upstream account of this model');
  return { ...refusal, message: `${message}. Nothing was charged; send the request without it.` };
}

/**
 * Tools look for codes: they shorten a conversation that is too long, and tell that a prompt was
 * flagged.
 */
function codeOf(error: JsonObject): ErrorCode {
  if (isContextOverflow(error)) return 'context_length_exceeded';
  if (isFlagged(error)) return 'content_policy_violation';
  return KEPT_CODES.get(error['code']) ?? 'upstream_rejected';
}

/**
 * The error object of a reply, or that of its choice that failed; the reply itself when it has
 * none.
 */
function errorOf(reply: JsonObject): JsonObject {
  const choices: readonly unknown[] = Array.isArray(reply['choices']) ? reply['choices'] : [];
  // The last event of a stream of Responses has the whole response in it.
  for (const place of [reply, reply['response'], ...choices]) {
    if (isJsonObject(place) && isJsonObject(place['error'])) return innerError(place['error']);
  }
  // Cloudflare's are a list.
  const errors: readonly unknown[] = Array.isArray(reply['errors']) ? reply['errors'] : [];
  return minimaxError(reply) ?? errors.find(isJsonObject) ?? reply;
}
