import { describe, expect, it } from 'vitest';
import {
  classifyError,
  classifyReply,
} from '../../../../gateway/providers/bedrock/classify-error.ts';
import { AWS_ERRORS, type AwsError } from '../../../support/upstreams/fake-aws/aws-error.ts';

type Name = keyof typeof AWS_ERRORS;

const REQUEST = { health: 'unknown', failover: false, scope: 'request' };
const CREDENTIAL = { health: 'failed', failover: true, scope: 'credential' };
const MAPPING = { health: 'unknown', failover: true, scope: 'model' };
const NO_ACCESS = { health: 'unknown', failover: true, scope: 'credential_model' };
const CHANNEL = { health: 'failed', failover: true, scope: 'channel' };
const limited = (scope: string, retryAfterMs: number) => ({
  health: 'limited',
  failover: true,
  scope,
  refusal: { retryAfterMs },
});

const VERDICTS: readonly (readonly [Name, object])[] = [
  ['tooLong', { ...REQUEST, refusal: { refused: 'context_length_exceeded' } }],
  ['tooLongByModel', { ...REQUEST, refusal: { refused: 'context_length_exceeded' } }],
  ['malformed', { ...REQUEST, refusal: { refused: 'upstream_rejected' } }],
  ['onDemand', MAPPING],
  ['noSuchModel', MAPPING],
  ['notFound', MAPPING],
  ['endOfLife', MAPPING],
  ['closedAccount', CREDENTIAL],
  ['incomplete', CREDENTIAL],
  ['requestExpired', CREDENTIAL],
  ['badApiKey', CREDENTIAL],
  ['badToken', CREDENTIAL],
  ['expiredToken', CREDENTIAL],
  ['badSignature', CREDENTIAL],
  ['noAccess', NO_ACCESS],
  ['noModelAccess', NO_ACCESS],
  ['formMissing', NO_ACCESS],
  ['modelTimeout', CHANNEL],
  ['modelError', CHANNEL],
  ['internal', CHANNEL],
  ['throttled', limited('credential', 1_000)],
  ['throttledForADay', limited('credential', 60_000)],
  ['quota', limited('credential', 1_000)],
  ['notReady', limited('credential', 5_000)],
  ['unavailable', limited('channel', 5_000)],
];

function byHeader({ status, type, message }: AwsError) {
  const header = `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/`;
  return classifyError(status, null, Buffer.from(JSON.stringify({ message })), header);
}

describe('Bedrock’s errors', () => {
  it('are all judged', () => {
    expect(VERDICTS.map(([name]) => name).toSorted()).toEqual(Object.keys(AWS_ERRORS).toSorted());
  });

  it.each(VERDICTS)('%s', (name, verdict) => {
    const error = AWS_ERRORS[name];
    expect(byHeader(error)).toMatchObject(verdict);
    const { status, type, message } = error;
    // The type may be in the body, as of other AWS services, and in capitals or not.
    const named = { __type: `com.amazon.coral.service#${type}`, Message: message };
    expect(classifyError(status, null, Buffer.from(JSON.stringify(named)))).toMatchObject(verdict);
    const inStream = { __type: type.charAt(0).toLowerCase() + type.slice(1), message };
    expect(classifyReply(Buffer.from(JSON.stringify(inStream)))).toMatchObject(verdict);
  });

  it.each([
    ['tooLong', 'Input is too long.'],
    ['tooLongByModel', 'prompt is too long: 210000 tokens > 200000 maximum'],
  ] as const)('%s arrives in the words by which agents shorten a conversation', (name, words) => {
    expect(byHeader(AWS_ERRORS[name]).refusal.message).toBe(words);
  });

  it('name no account of the operator’s', () => {
    const message =
      'Profile arn:aws-us-gov:bedrock:us-gov-west-1:123456789012:inference-profile/us.x of account 123456789012 takes no "top_k".';
    const { refusal } = byHeader({ status: 400, type: 'ValidationException', message });
    expect(refusal.message).toBe('Profile … of account … takes no "top_k".');
    for (const error of Object.values(AWS_ERRORS)) {
      expect(byHeader(error).refusal.message).not.toMatch(/123456789012|arn:/);
    }
  });

  it('of a thinking that another account has signed can be sent without it', () => {
    const message =
      'The model returned the following errors: messages.1.content.0: Invalid `signature` in `thinking` block';
    expect(byHeader({ status: 400, type: 'ValidationException', message })).toMatchObject({
      proofsRefused: true,
    });
  });

  it.each([
    [
      { type: 'error', error: { type: 'rate_limit_error', message: 'Slow.' } },
      429,
      { health: 'limited', scope: 'credential' },
    ],
    [
      { error: { message: 'No model.', type: 'invalid_request_error', code: 'model_not_found' } },
      404,
      { scope: 'model' },
    ],
    [
      {
        error: {
          message: 'Too long for arn:aws:bedrock:us-east-1:123456789012:x/y here.',
          type: 'invalid_request_error',
          code: 'invalid_value',
        },
      },
      400,
      { scope: 'request', refusal: { message: 'Too long for … here.' } },
    ],
  ])('of the other interfaces are those of their vendors: %j', (body, status, verdict) => {
    expect(classifyError(status, null, Buffer.from(JSON.stringify(body)))).toMatchObject(verdict);
  });

  it.each([
    [500, '{}', CHANNEL],
    [403, '{"message":"Forbidden"}', CREDENTIAL],
    [429, '{"message":"Slow down"}', { health: 'limited', scope: 'credential' }],
    [404, '<html>', { scope: 'model' }],
    [400, '<html>', CHANNEL],
  ])('without a type are judged by their status: %i %s', (status, body, verdict) => {
    expect(classifyError(status, null, Buffer.from(body))).toMatchObject(verdict);
  });
});
