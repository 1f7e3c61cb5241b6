import { refuse } from '../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../platform/json/json-value.ts';
import * as anthropic from '../anthropic/classify-error.ts';
import { errorBody, isWrongPlace } from '../error-body.ts';
import * as gemini from '../gemini/classify-error.ts';
import * as openai from '../openai-compatible/classify-error.ts';
import { CHANNEL_FAULT, MODEL_FAULT, ofRequest, type Verdict } from '../verdict.ts';

/** Claude Code compacts the conversation on these words, and on no others for the same. */
const TOO_LARGE = ofRequest(refuse('context_length_exceeded', 'Input is too long.'));
/** github.com/anthropics/claude-code, 2.1.331: the text of a 400 for a body over 30 MB. */
const SIZE_LIMIT = /^The request size \(\d+ bytes\) exceeds [\d.]+MB limit/;

/**
 * The project or the location does not have the model, whatever the status: genkit-ai/genkit#4688,
 * langchain-ai/langchain-google#593, Google's page of errors.
 */
const MODEL_MISSING =
  /^Project \S+ is not allowed to use Publisher Model|^Publisher Model .* (?:was not found|is not servable|is not supported|not found)|^The location .* is not supported|^(?:The )?[Mm]odel .* is not (?:available|supported) in (?:the )?(?:region|location)/;

/** Google's accounts have their project in their name. */
const SERVICE_ACCOUNT = /[\w.+-]+@[\w.-]+\.gserviceaccount\.com/g;

/**
 * Judges a status other than 2xx. On one channel the platform answers in Google's envelope, Claude
 * in Anthropic's, and partners' models in OpenAI's.
 */
export function classifyError(status: number, retryAfterMs: number | null, body: Buffer): Verdict {
  if (isWrongPlace(status, body)) return CHANNEL_FAULT;
  const reply = errorBody(body);
  const known = knownError(reply);
  return known ?? withoutAccounts(judgeOf(reply).classifyError(status, retryAfterMs, body));
}

/** Judges a body under a 2xx that is no reply. */
export function classifyReply(body: Buffer): Verdict {
  const reply = errorBody(body);
  return knownError(reply) ?? withoutAccounts(judgeOf(reply).classifyReply(body));
}

function knownError({ error }: JsonObject): Verdict | undefined {
  const message = isJsonObject(error) ? stringOf(error['message']) : '';
  if (SIZE_LIMIT.test(message)) return TOO_LARGE;
  return MODEL_MISSING.test(message) ? MODEL_FAULT : undefined;
}

function judgeOf(reply: JsonObject): Pick<typeof gemini, 'classifyError' | 'classifyReply'> {
  const { type, error, object, choices } = reply;
  if (type === 'error') return anthropic;
  const isGoogles = isJsonObject(error) && typeof error['status'] === 'string';
  if (isGoogles || (object === undefined && choices === undefined)) return gemini;
  return openai;
}

function withoutAccounts(verdict: Verdict): Verdict {
  const { refusal } = verdict;
  if (!refusal.message.includes('gserviceaccount')) return verdict;
  const message = refusal.message.replace(SERVICE_ACCOUNT, '…');
  return { ...verdict, refusal: { ...refusal, message } };
}
