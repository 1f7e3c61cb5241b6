import { describe, expect, it } from 'vitest';
import {
  classifyError,
  classifyReply,
} from '../../../../gateway/providers/anthropic/classify-error.ts';
import { anthropic } from '../../../../gateway/providers/anthropic/provider.ts';

function error(type: string, message = 'Why.'): Buffer {
  return Buffer.from(JSON.stringify({ type: 'error', error: { type, message } }));
}

describe('Anthropic’s errors', () => {
  it.each([
    [429, 'rate_limit_error', { health: 'limited', failover: true, scope: 'credential' }],
    [529, 'overloaded_error', { health: 'limited', failover: true, scope: 'channel' }],
    [500, 'api_error', { health: 'failed', failover: true, scope: 'channel' }],
    [401, 'authentication_error', { health: 'failed', failover: true, scope: 'credential' }],
    [403, 'permission_error', { health: 'failed', failover: true, scope: 'credential' }],
    [404, 'not_found_error', { health: 'unknown', failover: true, scope: 'model' }],
    [400, 'invalid_request_error', { health: 'unknown', failover: false }],
    [
      413,
      'request_too_large',
      { health: 'unknown', failover: false, refusal: { refused: 'request_too_large' } },
    ],
  ])('%i %s', (status, type, verdict) => {
    expect(classifyError(status, null, error(type))).toMatchObject(verdict);
    // The same as the first event of a stream.
    expect(classifyReply(error(type))).toMatchObject(verdict);
  });

  it('says when a limit is over', () => {
    const { refusal } = classifyError(429, 30_000, error('rate_limit_error'));
    expect(refusal).toMatchObject({ refused: 'upstream_rate_limited', retryAfterMs: 30_000 });
  });

  it.each([
    'Your credit balance is too low to access the Anthropic API.',
    'This organization has been disabled.',
    'You have reached your specified API usage limits.',
  ])('takes "%s" for the operator’s matter', (message) => {
    const verdict = classifyError(400, null, error('invalid_request_error', message));
    expect(verdict).toMatchObject({ scope: 'credential', failover: true });
    expect(verdict.refusal.message).not.toContain(message);
  });

  it.each([
    ['prompt is too long: 210000 tokens > 200000 maximum', 'context_length_exceeded'],
    ['input length and `max_tokens` exceed context limit: 9 + 9 > 10', 'context_length_exceeded'],
    ['messages.3.content.0: Invalid `signature` in `thinking` block', 'upstream_rejected'],
    ['Output blocked by content filtering policy', 'content_policy_violation'],
    ['Could not process image', 'upstream_rejected'],
  ])('leaves the words of "%s" as they are', (message, refused) => {
    const { refusal } = classifyError(400, null, error('invalid_request_error', message));
    expect(refusal).toMatchObject({ refused, message });
  });

  const detailed = (details: object, message = 'Why.'): Buffer =>
    Buffer.from(
      JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message, details } }),
    );

  it.each([
    [
      { error_code: 'thread_unsupported_request', unsupported: ['thinking'] },
      { error_code: 'thread_unsupported_request', unsupported: ['thinking'] },
    ],
    [
      { error_code: 'image_dimensions_too_large', max_side_length_pixels: 8_000, more: [{ a: 1 }] },
      { error_code: 'image_dimensions_too_large', max_side_length_pixels: 8_000 },
    ],
    [
      { error_code: 'tool_name_conflict', owner: 'org_01ABCDEFGH' },
      { error_code: 'tool_name_conflict', owner: '…' },
    ],
    [{ error_code: 'x', paths: ['p'.repeat(3_000)] }, { error_code: 'x' }],
    [{ unsupported: ['thread'] }, undefined],
  ])('keeps of %j what SDKs act on', (details, kept) => {
    const { refusal } = classifyError(400, null, detailed(details));
    expect(refusal.vendorDetails).toEqual(kept);
  });

  it.each(['organization_on_hold', 'cmek_key_disabled', 'workspace_policy_violation'])(
    'takes the code %s for the operator’s matter',
    (code) => {
      const verdict = classifyError(400, null, detailed({ error_code: code }, 'On hold.'));
      expect(verdict).toMatchObject({ scope: 'credential', failover: true });
      expect(verdict.refusal).not.toHaveProperty('vendorDetails');
    },
  );

  it('hides the operator’s organisation', () => {
    const message = 'No access for org_01ABCDEFGH and 01234567-89ab-cdef-0123-456789abcdef.';
    const { refusal } = classifyError(400, null, error('invalid_request_error', message));
    expect(refusal.message).toBe('No access for … and ….');
  });

  it.each(['<html>', '', '[]', '{"type":"error"}'])('takes %s for a failure', (body) => {
    expect(classifyReply(Buffer.from(body))).toMatchObject({ health: 'failed', failover: true });
    expect(classifyError(502, null, Buffer.from(body))).toMatchObject({ health: 'failed' });
  });
});

describe('an Anthropic channel', () => {
  const path = (baseUrl: string): string =>
    anthropic.path('anthropic-messages', 'generate', 'm', baseUrl);

  it('has the origin as its address, with or without /v1', () => {
    expect(path('https://api.anthropic.com')).toBe('/v1/messages');
    expect(path('https://api.anthropic.com/v1')).toBe('/messages');
    expect(path('https://bedrock-runtime.eu-west-1.amazonaws.com/anthropic')).toBe('/v1/messages');
  });

  it('sends API keys in Anthropic’s header, and tokens as others do', () => {
    expect(anthropic.credentialHeaders('sk-ant-api03-x')).toEqual(['x-api-key', 'sk-ant-api03-x']);
    expect(anthropic.credentialHeaders('sk-ant-oat01-x')).toEqual([
      'authorization',
      'Bearer sk-ant-oat01-x',
    ]);
  });
});
