import {
  judgeStatus,
  type Verdict,
} from '../../../../../gateway/providers/openai-compatible/judge.ts';

/** What is made of an upstream's answer with this status and body. */
export function judgeAnswer(status: number, body: unknown): Verdict {
  const head = {
    status,
    contentType: 'application/json',
    retryAfterMs: null,
    upstreamRequestId: null,
  };
  return judgeStatus(head, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
}

/** The verdict on a prompt that an upstream has flagged. */
export const FLAGGED = {
  health: 'unknown',
  failover: false,
  refusal: { refused: 'content_policy_violation' },
};
