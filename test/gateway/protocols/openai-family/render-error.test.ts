import { describe, expect, it } from 'vitest';
import { ERROR_CATALOGUE, type ErrorCode } from '@weir/shared/api/error-catalogue';
import { refuse } from '../../../../gateway/platform/errors/refusal.ts';
import {
  renderError,
  renderErrorEvent,
} from '../../../../gateway/protocols/openai-family/render-error.ts';

const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

describe('renderError', () => {
  it.each(CODES)('renders %s with the four keys and the status of the catalogue', (code) => {
    const { status, bytes } = renderError(refuse(code));
    expect(status).toBe(ERROR_CATALOGUE[code].status);
    expect(JSON.parse(bytes.toString())).toEqual({
      error: {
        message: ERROR_CATALOGUE[code].title,
        type: ERROR_CATALOGUE[code].type,
        param: null,
        code,
      },
    });
  });

  it('never invites a retry that cannot succeed', () => {
    const retried = CODES.filter((code) => renderError(refuse(code)).shouldRetry);
    const statuses = retried.map((code) => ERROR_CATALOGUE[code].status);
    expect(statuses.filter((status) => status < 500 && status !== 429 && status !== 408)).toEqual(
      [],
    );
    expect(renderError(refuse('insufficient_balance')).shouldRetry).toBe(false);
  });

  it.each(['rate_limit_exceeded', 'token_rate_limit_exceeded'] as const)(
    'invites a retry behind %s when there is a time after which it can succeed',
    (code) => {
      const later = renderError(refuse(code, 'x', { retryAfterMs: 1_000 }));
      const never = renderError(refuse(code, 'x', { retryAfterMs: null }));
      expect([later.shouldRetry, never.shouldRetry]).toEqual([true, false]);
    },
  );

  it.each(['upstream_error', 'no_channel_available', 'shutting_down', 'request_timeout'] as const)(
    'invites a retry behind %s, whose end nobody knows',
    (code) => {
      expect(renderError(refuse(code)).shouldRetry).toBe(true);
    },
  );

  it('names the field at fault', () => {
    const { bytes } = renderError(refuse('invalid_type', 'x', { param: 'messages[0].role' }));
    expect(JSON.parse(bytes.toString())).toMatchObject({ error: { param: 'messages[0].role' } });
  });

  it('names the request id for faults on this side only', () => {
    expect(renderError(refuse('upstream_error', 'It broke.'), 'r-1').bytes.toString()).toContain(
      'r-1',
    );
    expect(renderError(refuse('invalid_json'), 'r-1').bytes.toString()).not.toContain('r-1');
  });
});

describe('renderErrorEvent', () => {
  it('is one data line and a blank line', () => {
    const event = renderErrorEvent(refuse('upstream_error', 'line one\nline two'), 'r-1');
    expect(event).toMatch(/^data: \{.*\}\n\n$/);
    expect(JSON.parse(event.slice(6))).toMatchObject({ error: { code: 'upstream_error' } });
  });
});
