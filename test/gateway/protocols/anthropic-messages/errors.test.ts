import { expect, it, describe } from 'vitest';
import { refuse } from '../../../../gateway/platform/errors/refusal.ts';
import { anthropicMessages } from '../../../../gateway/protocols/anthropic-messages/protocol.ts';
import { renderError } from '../../../../gateway/protocols/anthropic-messages/to-client/render-error.ts';

function body(...args: Parameters<typeof renderError>): unknown {
  return JSON.parse(renderError(...args).bytes.toString()) as unknown;
}

describe('errors in Anthropic’s shape', () => {
  it.each([
    ['invalid_value', 400, 'invalid_request_error', false],
    ['missing_api_key', 401, 'authentication_error', false],
    ['insufficient_balance', 402, 'billing_error', false],
    ['model_not_allowed', 403, 'permission_error', false],
    ['model_not_found', 404, 'not_found_error', false],
    ['request_too_large', 413, 'request_too_large', false],
    ['rate_limit_exceeded', 429, 'rate_limit_error', false],
    ['internal_error', 500, 'api_error', true],
    ['upstream_error', 502, 'api_error', true],
    ['no_channel_available', 529, 'overloaded_error', true],
    ['upstream_timeout', 504, 'timeout_error', true],
  ] as const)('%s is %i %s', (code, status, type, shouldRetry) => {
    const refusal = refuse(code, 'Why.');
    expect(renderError(refusal)).toMatchObject({ status, shouldRetry });
    expect(body(refusal, 'id-1')).toEqual({
      type: 'error',
      error: { type, message: 'Why.', details: { error_code: code } },
      request_id: 'id-1',
    });
  });

  it('tells tool runners that they may go on without a thread', () => {
    const refusal = refuse('invalid_value', 'Why.', { param: 'thread' });
    expect(body(refusal)).toMatchObject({
      error: { details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } },
    });
  });

  it('passes on what the vendor’s SDKs act on', () => {
    const vendorDetails = { error_code: 'tool_name_conflict' };
    const refusal = refuse('upstream_rejected', 'Why.', { vendorDetails });
    expect(body(refusal)).toMatchObject({ error: { details: vendorDetails } });
  });

  it('says that a limit passes by waiting', () => {
    const limited = refuse('rate_limit_exceeded', 'Wait.', { retryAfterMs: 2_000 });
    expect(renderError(limited).shouldRetry).toBe(true);
  });

  it.each([
    [
      'prompt is too long: 210000 tokens > 200000 maximum',
      'prompt is too long: 210000 tokens > 200000 maximum',
    ],
    [
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
      'prompt is too long: 130001 tokens > 128000 maximum',
    ],
    [
      'The input token count (5) exceeds the maximum number of tokens allowed (4).',
      'prompt is too long: 5 tokens > 4 maximum',
    ],
    ['Prompt exceeds max length', 'prompt is too long: Prompt exceeds max length'],
  ])('tells Claude Code to compact when an upstream says %s', (words, told) => {
    expect(body(refuse('context_length_exceeded', words))).toMatchObject({
      error: { message: told },
    });
  });
});

describe('paths that protocols share', () => {
  const shares = (headers: Record<string, string>): boolean | undefined =>
    anthropicMessages.sharesPath?.({ path: '/v1/models', header: (name) => headers[name] ?? '' });

  it.each([
    [{ 'anthropic-version': '2023-06-01', authorization: 'Bearer x' }, true],
    [{ 'x-api-key': 'x' }, true],
    [{ 'x-api-key': 'x', authorization: 'Bearer x' }, false],
    [{ authorization: 'Bearer x' }, false],
    [{}, false],
  ])('%o', (headers, expected) => {
    expect(shares(headers)).toBe(expected);
  });
});
