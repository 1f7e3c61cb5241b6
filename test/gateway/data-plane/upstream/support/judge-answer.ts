import type { UpstreamFailure } from '../../../../../gateway/platform/errors/upstream-failure.ts';
import {
  classifyError,
  classifyReply,
} from '../../../../../gateway/providers/openai-compatible/classify-error.ts';
import { verdictOn, type Verdict } from '../../../../../gateway/providers/verdict.ts';

/** Returns the verdict on an upstream's reply with this status and body. */
export function judgeAnswer(status: number, body: unknown): Verdict {
  return classifyError(
    status,
    null,
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  );
}

/** The verdict on a failure at an OpenAI-compatible upstream. */
export function verdictOf(failure: UpstreamFailure): Verdict {
  return verdictOn(failure, { classifyReply });
}

/** The verdict on a prompt that an upstream has flagged. */
export const FLAGGED = {
  health: 'unknown',
  failover: false,
  refusal: { refused: 'content_policy_violation' },
};
