import { describe, expect, it } from 'vitest';
import {
  classifyError,
  classifyReply,
} from '../../../../gateway/providers/gemini/classify-error.ts';

const TYPE = 'type.googleapis.com/google.rpc.';
const CHANNEL = { health: 'failed', failover: true, scope: 'channel' };
const CREDENTIAL = { health: 'failed', failover: true, scope: 'credential' };
const LIMITED = { health: 'limited', failover: true, scope: 'credential' };
const CLIENT = { health: 'unknown', failover: false };

function judge(status: number, error: object) {
  const [plain, listed] = [{ error }, [{ error }]].map((body) =>
    classifyError(status, null, Buffer.from(JSON.stringify(body))),
  );
  // Google puts the errors of streams into a list.
  expect(listed).toEqual(plain);
  return plain;
}

describe('an error of Gemini', () => {
  it.each([
    [400, { details: [{ '@type': `${TYPE}ErrorInfo`, reason: 'API_KEY_INVALID' }] }],
    [400, { message: 'API key not valid. Please pass a valid API key.' }],
    [
      400,
      { status: 'FAILED_PRECONDITION', message: 'User location is not supported for the API use.' },
    ],
    [401, { status: 'UNAUTHENTICATED' }],
    [403, { status: 'PERMISSION_DENIED' }],
    [429, { message: 'Your prepayment credits are depleted. Please go to AI Studio.' }],
  ])('%i %j is about our credential', (status, error) => {
    expect(judge(status, error)).toMatchObject({
      ...CREDENTIAL,
      refusal: { refused: 'upstream_error' },
    });
  });

  it.each([
    [{ details: [{ '@type': `${TYPE}RetryInfo`, retryDelay: '12.5s' }] }, 12_500],
    [{ details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProject' }] }] }, 600_000],
    [{ status: 'RESOURCE_EXHAUSTED' }, 1_000],
  ])('429 %j rests for %i ms', (error, retryAfterMs) => {
    expect(judge(429, error)).toMatchObject({ ...LIMITED, refusal: { retryAfterMs } });
  });

  it.each([
    [500, { status: 'INTERNAL' }],
    [503, { status: 'UNAVAILABLE', message: 'The model is overloaded.' }],
  ])('%i %j is the channel’s', (status, error) => {
    expect(judge(status, error)).toMatchObject(CHANNEL);
  });

  it.each([404, 410])('%i is about the model', (status) => {
    expect(judge(status, { message: 'models/x is not found' })).toMatchObject({
      health: 'unknown',
      failover: true,
      scope: 'model',
    });
  });

  it('about the request is told in its own words, without the operator’s project', () => {
    const fieldViolations = [{ field: 'contents', description: 'bad' }];
    const error = {
      message: 'Invalid value at contents, consumer projects/123456',
      details: [{ '@type': `${TYPE}BadRequest`, fieldViolations }],
    };
    expect(judge(400, error)).toMatchObject({
      ...CLIENT,
      refusal: {
        refused: 'upstream_rejected',
        message: 'Invalid value at contents, consumer projects/…',
        param: 'contents',
      },
    });
  });

  it.each([
    ['Your project does not exist', 'Your project does not exist'],
    ['API not enabled in project my-own-1 or 42', 'API not enabled in project … or 42'],
    ['no such thing in project 123456', 'no such thing in project …'],
  ])('%j is told as %j: a project has digits or hyphens', (message, told) => {
    expect(judge(400, { message })).toMatchObject({ refusal: { message: told } });
  });

  it('about a prompt that is too long has the code that tools look for', () => {
    const message =
      'The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).';
    expect(judge(400, { message })).toMatchObject({
      ...CLIENT,
      refusal: { refused: 'context_length_exceeded', message },
    });
  });

  it.each([
    [{ promptFeedback: { blockReason: 'SAFETY' } }, { refused: 'content_policy_violation' }],
    [{ error: { code: 400, message: 'no' } }, { refused: 'upstream_rejected' }],
  ])('under a 200, %j, is no channel’s fault', (body, refusal) => {
    const verdict = classifyReply(Buffer.from(JSON.stringify(body)));
    expect(verdict).toMatchObject({ ...CLIENT, refusal });
  });

  it('a call that the model garbled may go better elsewhere, and rests no channel', () => {
    const body = { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] };
    const verdict = classifyReply(Buffer.from(JSON.stringify(body)));
    expect(verdict).toMatchObject({ health: 'unknown', failover: true });
  });

  it('that is HTML is the channel’s', () => {
    expect(classifyReply(Buffer.from('<html>'))).toMatchObject(CHANNEL);
    expect(classifyError(502, null, Buffer.from('<html>'))).toMatchObject(CHANNEL);
  });
});
