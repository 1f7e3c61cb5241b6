import { redactSecrets } from '@weir/shared/redact-secrets';
import type { RequestSummary } from './request-log.ts';

/** The outcome of nearly every request. */
const COMMON_OUTCOME = ',"stream":false,"httpStatus":200,"status":"completed","attempts":1';
const COMMON_STREAM_OUTCOME = ',"stream":true,"httpStatus":200,"status":"completed","attempts":1';

/** Longer names are no model's; `slice` does not copy shorter ones. */
const MODEL_LETTERS_MAX = 200;

const NEEDS_ESCAPING = /[^\x20-\x7e]|["\\]/;
/** Characters that PostgreSQL refuses in text: the zero byte, and unpaired surrogates. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

/**
 * Returns what is logged about a request: JSON members, each with a comma before it. Its line in
 * the log and its entry in the request history share them, as each is made for every request.
 *
 * Put together by hand of few pieces, because each costs as much as fifty letters when they become
 * one text.
 */
export function requestMembers(trace: RequestSummary, latencyMs: number): string {
  const { principal, model, channelId, place, tokens, startedAtMs, firstByteAtMs } = trace;
  let members = principal === null ? '' : `,${principal.logged}`;
  if (model !== null) {
    members += `,"model":${quoted(redactSecrets(model).slice(0, MODEL_LETTERS_MAX))}`;
  }
  members += outcomeJson(trace);
  if (channelId !== null) members += `,"channelId":"${channelId}"`;
  if (place != null) members += `,"place":${quoted(place)}`;
  if (tokens !== null) members += `,"inputTokens":${tokens.input},"outputTokens":${tokens.output}`;
  members += `,"costNanoUsd":${trace.costNanoUsd}`;
  if (firstByteAtMs !== null) members += `,"firstByteMs":${firstByteAtMs - startedAtMs}`;
  return `${members},"latencyMs":${latencyMs}`;
}

function outcomeJson(trace: RequestSummary): string {
  const { stream, httpStatus, status, attempts, refused, upstreamFailure } = trace;
  const noted = refused !== null || upstreamFailure !== null || trace.estimated || trace.capped;
  if (httpStatus === 200 && status === 'completed' && attempts === 1 && !noted) {
    return stream ? COMMON_STREAM_OUTCOME : COMMON_OUTCOME;
  }
  let text = `,"stream":${String(stream)},"httpStatus":${httpStatus},"status":"${status}","attempts":${attempts}`;
  if (refused !== null) text += `,"refused":"${refused}"`;
  if (upstreamFailure !== null)
    text += `,"upstreamFailure":${quoted(redactSecrets(upstreamFailure))}`;
  if (trace.estimated) text += ',"estimated":true';
  if (trace.capped) text += ',"capped":true';
  return text;
}

/** A text as JSON that PostgreSQL can store. */
export function quoted(text: string): string {
  return NEEDS_ESCAPING.test(text)
    ? JSON.stringify(text.replace(UNSTORABLE, '\ufffd'))
    : `"${text}"`;
}
