import { describe, expect, it } from 'vitest';
import {
  classifyError,
  classifyReply,
} from '../../../../gateway/providers/vertex/classify-error.ts';
import {
  claudeError,
  modelMissing,
  permissionDenied,
  platformError,
  UNAUTHENTICATED,
  type GoogleRefusal,
} from '../../../support/upstreams/fake-google/refusals.ts';

const RESOURCE = 'projects/test-project-1/locations/us-east5/publishers/anthropic/models/claude-x';

function judge({ status, body }: GoogleRefusal) {
  const [plain, wrapped] = [body, [body]].map((sent) =>
    classifyError(status, null, Buffer.from(JSON.stringify(sent))),
  );
  // The platform wraps errors of streams.
  expect(wrapped).toEqual(plain);
  return plain;
}

describe('an error of Vertex', () => {
  it.each([
    ['that the model is missing', modelMissing(RESOURCE)],
    [
      'that the region does not serve it',
      platformError(
        400,
        'INVALID_ARGUMENT',
        `Publisher Model \`${RESOURCE}\` is not servable in region us-east5.`,
      ),
    ],
    [
      'that there is no such location',
      platformError(400, 'FAILED_PRECONDITION', 'The location mars-east1 is not supported.'),
    ],
  ])('%s is about the mapping', (_of, refusal) => {
    expect(judge(refusal)).toMatchObject({ scope: 'model', failover: true, health: 'unknown' });
  });

  it.each([
    ['of a token', UNAUTHENTICATED],
    ['of a role', permissionDenied(RESOURCE)],
    [
      'of an interface that is switched off',
      platformError(
        403,
        'PERMISSION_DENIED',
        'Vertex AI API has not been used in project test-project-1 before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/aiplatform.googleapis.com/overview?project=test-project-1 then retry.',
        [{ reason: 'SERVICE_DISABLED' }],
      ),
    ],
  ])('%s is about the credential, and says nothing to customers', (_of, refusal) => {
    const verdict = judge(refusal);
    expect(verdict).toMatchObject({ scope: 'credential', failover: true });
    expect(verdict?.refusal.message).not.toContain('test-project-1');
  });

  it.each([
    'Resource exhausted, please try again later.',
    'Quota exceeded for aiplatform.googleapis.com/online_prediction_requests_per_base_model with base model: anthropic-claude. Please submit a quota increase request.',
    'Exceeded the Provisioned Throughput.',
  ])('%s is a limit', (message) => {
    const verdict = judge(platformError(429, 'RESOURCE_EXHAUSTED', message));
    expect(verdict).toMatchObject({ health: 'limited', failover: true, scope: 'credential' });
  });

  it.each([
    [500, 'INTERNAL'],
    [500, 'UNKNOWN'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
    [499, 'CANCELLED'],
  ])('%i %s is tried elsewhere', (code, status) => {
    expect(judge(platformError(code, status, 'It failed.'))).toMatchObject({ failover: true });
  });

  it('of a body over the limit has the words on which Claude Code compacts', () => {
    const message = 'The request size (31457281 bytes) exceeds 30.000MB limit.';
    expect(judge(platformError(400, 'INVALID_ARGUMENT', message))?.refusal).toMatchObject({
      refused: 'context_length_exceeded',
      message: 'Input is too long.',
    });
    expect(judge(claudeError(400, 'invalid_request_error', message))?.refusal.message).toBe(
      'Input is too long.',
    );
  });

  it('keeps projects and accounts to the operator', () => {
    const message =
      'Invalid resource projects/test-project-1/locations/us-east5 for weir@test-project-1.iam.gserviceaccount.com, project_number:123456.';
    const verdict = judge(platformError(400, 'INVALID_ARGUMENT', message));
    expect(verdict).toMatchObject({ scope: 'request' });
    expect(verdict?.refusal.message).not.toMatch(/test-project-1|123456/);
  });

  it('is read in the envelope of Claude', () => {
    const verdict = classifyError(
      400,
      null,
      Buffer.from(
        JSON.stringify(
          claudeError(400, 'invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum')
            .body,
        ),
      ),
    );
    expect(verdict.refusal).toMatchObject({
      refused: 'context_length_exceeded',
      message: 'prompt is too long: 9 tokens > 8 maximum',
    });
    const overloaded = claudeError(529, 'overloaded_error', 'Overloaded').body;
    expect(classifyReply(Buffer.from(JSON.stringify(overloaded)))).toMatchObject({
      health: 'limited',
    });
  });

  it("is read in the envelope of partners' models", () => {
    const body = { object: 'error', message: 'bad tools', type: 'BadRequestError', code: 400 };
    expect(classifyError(400, null, Buffer.from(JSON.stringify(body)))).toMatchObject({
      scope: 'request',
      refusal: { message: 'bad tools' },
    });
  });
});
