import { describe, expect, it } from 'vitest';
import { refuse, type Refusal } from '../../../../gateway/platform/errors/refusal.ts';
import { gemini } from '../../../../gateway/protocols/gemini/protocol.ts';

interface Told {
  readonly error: {
    readonly code: number;
    readonly status: string;
    readonly message: string;
    readonly details: readonly Readonly<Record<string, unknown>>[];
  };
}

function told(refusal: Refusal): Told['error'] & { readonly shouldRetry: boolean } {
  const { bytes, shouldRetry } = gemini.renderError(refusal, 'request-1');
  return { ...(JSON.parse(bytes.toString()) as Told).error, shouldRetry };
}

function kinds(refusal: Refusal): string[] {
  return told(refusal).details.map((detail) => String(detail['@type']).split('.').at(-1) ?? '');
}

describe('a refusal for a Gemini client', () => {
  it.each([
    ['insufficient_balance', 402, 'FAILED_PRECONDITION', false],
    ['invalid_api_key', 401, 'UNAUTHENTICATED', false],
    ['model_not_allowed', 403, 'PERMISSION_DENIED', false],
    ['model_not_found', 404, 'NOT_FOUND', false],
    ['context_length_exceeded', 400, 'INVALID_ARGUMENT', false],
    ['upstream_error', 502, 'UNAVAILABLE', true],
    ['internal_error', 500, 'INTERNAL', true],
    ['upstream_timeout', 504, 'DEADLINE_EXCEEDED', true],
  ] as const)('%s is %i %s', (code, status, name, shouldRetry) => {
    expect(told(refuse(code))).toMatchObject({ code: status, status: name, shouldRetry });
  });

  it('for a limit that is soon over says when', () => {
    const refusal = refuse('rate_limit_exceeded', 'Wait.', { retryAfterMs: 1_500 });
    expect(kinds(refusal)).toEqual(['ErrorInfo', 'RetryInfo']);
    expect(told(refusal).details.at(-1)).toHaveProperty('retryDelay', '2s');
  });

  it.each([null, 3_600_000])(
    'for a limit that is not (%s ms) names a quota of a day: Gemini CLI then asks once',
    (retryAfterMs) => {
      const refusal = refuse('token_rate_limit_exceeded', 'No.', { retryAfterMs });
      expect(kinds(refusal)).toContain('QuotaFailure');
      expect(JSON.stringify(told(refusal))).toContain('PerDay');
    },
  );

  it('names the field that is wrong', () => {
    const refusal = refuse('invalid_value', 'Bad.', { param: 'contents' });
    expect(told(refusal).details).toContainEqual(
      expect.objectContaining({ fieldViolations: [{ field: 'contents', description: 'Bad.' }] }),
    );
  });

  it('names the request where the fault is ours', () => {
    expect(told(refuse('internal_error')).message).toContain('request-1');
    expect(told(refuse('invalid_json')).message).not.toContain('request-1');
  });
});
