import { expect, it } from 'vitest';
import { judgeAnswer } from '../../data-plane/upstream/support/judge-answer.ts';

const VERIFY =
  'Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization. If you just verified, it can take up to 15 minutes for access to propagate.';

/** As OpenAI replies to an organisation that has not proven its identity. */
function unverified(to: string, param: string | null): object {
  return {
    error: {
      message: `Your organization must be verified to ${to}. ${VERIFY}`,
      type: 'invalid_request_error',
      param,
      code: param === null ? 'model_not_found' : 'unsupported_value',
    },
  };
}

it.each([
  ['stream', 'stream this model'],
  ['reasoning.summary', 'generate reasoning summaries'],
])('an account that is not verified for %s can serve the model without it', (param, to) => {
  const { refusal, ...verdict } = judgeAnswer(400, unverified(to, param));
  expect(verdict).toEqual({ health: 'unknown', failover: true, scope: 'request' });
  expect(refusal).toMatchObject({ refused: 'unsupported_value', param });
  // The client's own organisation is another one.
  expect(refusal.message).toBe(
    `The upstream account of this model must be verified to ${to}. Nothing was charged; send the request without it.`,
  );
});

it.each([400, 403, 404])('an account that may not use the model says so with %i', (status) => {
  const verdict = judgeAnswer(status, unverified('use the model `gpt-5`', null));
  expect(verdict).toMatchObject({ health: 'unknown', failover: true, scope: 'credential_model' });
  expect(verdict.refusal.message).not.toMatch(/organi|account/i);
});
