import { describe, expect, it } from 'vitest';
import { classifyError } from '../../../../gateway/providers/openai-compatible/classify-error.ts';
import { maskUpstreamModel } from '../../../../gateway/providers/verdict.ts';
import { verdictOf } from '../../data-plane/upstream/support/judge-answer.ts';
import { FLAGGED, judgeAnswer } from '../../data-plane/upstream/support/judge-answer.ts';

const CHANNEL = { health: 'failed', failover: true, refusal: { refused: 'upstream_error' } };
const CLIENT = { health: 'unknown', failover: false, refusal: { refused: 'upstream_rejected' } };

/** The reply of Gemini's OpenAI endpoint to an unknown key. */
const GEMINI = {
  error: {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    status: 'INVALID_ARGUMENT',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
      { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US' },
    ],
  },
};
const GEMINI_BARE = {
  error: { code: 400, message: GEMINI.error.message, status: GEMINI.error.status },
};
/** As Gemini answers where it does not serve the country, or no free accounts there. */
const GEMINI_PLACES = [
  'User location is not supported for the API use.',
  'Gemini API free tier is not available in your country. Please enable billing on your project in Google AI Studio.',
].map((message) => ({ error: { code: 400, message, status: 'FAILED_PRECONDITION' } }));
const ANTHROPIC = {
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message:
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  },
};
const OPENROUTER = {
  error: {
    code: 403,
    message: 'The model requires moderation. Your input was flagged for "violence".',
    metadata: { reasons: ['violence'], flagged_input: 'some of the prompt' },
  },
};
const XAI = {
  code: 'The caller does not have permission to execute the specified operation',
  error:
    'Content violates usage guidelines. Team: team-1, API key ID: key-1, Failed check: SAFETY_CHECK_TYPE_BIO',
};

/** xAI's reply to an unknown key. */
const XAI_KEY = {
  code: 'Client specified an invalid argument',
  error:
    'Incorrect API key provided: na***ys. You can obtain an API key from https://console.x.ai.',
};
const ALIBABA_OVERDUE = {
  error: {
    code: 'Arrearage',
    param: null,
    message: 'Access denied, please make sure your account is in good standing.',
    type: 'Arrearage',
  },
};
/** FastAPI's list of the faults of a request. */
const MISTAKES = [
  { type: 'less_than_equal', loc: ['body', 'n'], msg: 'too many', input: 9 },
  { type: 'missing', loc: ['body', 'messages', 0], msg: 'no role' },
];

describe('a 400', () => {
  it.each([
    ['a key that Gemini does not know', GEMINI],
    ['the same in a list, as Gemini puts it', [GEMINI]],
    ['the same behind a byte order mark', `\ufeff${JSON.stringify(GEMINI)}`],
    ['the same without details', GEMINI_BARE],
    ['a country that Gemini does not serve', GEMINI_PLACES[0]],
    ['a country where Gemini wants to be paid', [GEMINI_PLACES[1]]],
    ['an account at Anthropic that is empty', ANTHROPIC],
    ['a key that xAI does not know', XAI_KEY],
    ['an account at Alibaba that is overdue', ALIBABA_OVERDUE],
  ])('is the channel’s failure when it is about %s', (_what, body) => {
    const verdict = judgeAnswer(400, body);
    expect(verdict).toMatchObject(CHANNEL);
    expect(verdict.refusal.message).not.toMatch(
      /key|credit|anthropic|organi|location|billing|standing/i,
    );
  });

  it.each([
    ['an ordinary mistake', { error: { message: 'messages: too short' } }],
    ['a mistake that quotes a prompt', { error: { message: 'Unknown value: "API_KEY_INVALID"' } }],
    [
      'the words of an empty account in a prompt',
      {
        error: { message: 'Invalid value: "Your credit balance is too low"' },
      },
    ],
    [
      'a file that Gemini has not read yet',
      {
        error: {
          code: 400,
          message: 'The File abc is not in an ACTIVE state and usage is not allowed.',
          status: 'FAILED_PRECONDITION',
        },
      },
    ],
    ['details that are none', { error: { message: 'no', details: [null, 1, 'API_KEY_INVALID'] } }],
    ['no JSON', 'API_KEY_INVALID'],
  ])('is the client’s when it is about %s', (_what, body) => {
    expect(judgeAnswer(400, body)).toMatchObject(CLIENT);
  });

  it.each([
    ['OpenAI', { error: { message: 'no such tool', param: null } }, 'no such tool'],
    ['Gemini', [{ error: { message: 'no such tool' } }], 'no such tool'],
    [
      'xAI',
      { code: 'Client specified an invalid argument', error: 'no such tool' },
      'no such tool',
    ],
    ['FastAPI', { detail: 'no such tool' }, 'no such tool'],
    ['FastAPI by place', { detail: MISTAKES }, 'body.n: too many; body.messages.0: no role'],
    [
      'Mistral',
      { object: 'error', message: { detail: MISTAKES }, type: 'invalid_request_error' },
      'body.n: too many; body.messages.0: no role',
    ],
    ['nobody', { error: { message: '' } }, 'The upstream refused the request as invalid.'],
    ['nobody at all', [], 'The upstream refused the request as invalid.'],
  ])('passes the upstream’s words on, in the shape of %s', (_who, body, words) => {
    const verdict = judgeAnswer(400, body);
    expect(verdict).toMatchObject(CLIENT);
    expect(verdict.refusal.message).toBe(words);
  });

  it('bounds the upstream’s words, and keeps the names of the operator’s account out of them', () => {
    const nested = '['.repeat(20_000) + ']'.repeat(20_000);
    expect(judgeAnswer(400, `{"detail":${nested}}`)).toMatchObject(CLIENT);
    const message = `In organization org-2itOgSdqw0DhUYp0QyLhttLL: ${'x'.repeat(10_000)}`;
    const { refusal } = judgeAnswer(400, { error: { message } });
    expect(refusal.message).toMatch(/^In organization …: x+$/);
    expect(refusal.message.length).toBeLessThanOrEqual(2_000);
  });

  it.each([
    ['OpenAI', { code: 'context_length_exceeded', message: 'no' }],
    ['Anthropic', { message: 'prompt is too long: 208310 tokens > 200000 maximum' }],
    ['vLLM', { code: 400, message: "This model's maximum context length is 4096 tokens. However" }],
    [
      'OpenRouter',
      { code: 400, message: "This endpoint's maximum context length is 1048576 tokens" },
    ],
    [
      'xAI',
      { error: "This model's maximum prompt length is 131072 but the request contains 537812" },
    ],
    ['Gemini', { message: 'The input token count (1196265) exceeds the maximum number of tokens' }],
    ['llama.cpp', { message: 'the request exceeds the available context size, try increasing it' }],
    [
      'Alibaba',
      {
        code: 'invalid_parameter_error',
        message:
          '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]',
      },
    ],
    [
      'Moonshot',
      {
        message: 'Invalid request: Your request exceeded model token limit: 262144 (requested: 1)',
      },
    ],
    ['Zhipu', { code: '1261', message: 'Prompt exceeds max length' }],
  ])('tells tools to shorten the conversation when %s says that it is too long', (_who, error) => {
    expect(judgeAnswer(400, 'error' in error ? error : { error }).refusal).toMatchObject({
      refused: 'context_length_exceeded',
    });
  });
});

describe('a 403', () => {
  it.each([
    ['OpenRouter', OPENROUTER],
    ['xAI', XAI],
  ])('is the client’s when %s has flagged the input', (_who, body) => {
    const verdict = judgeAnswer(403, body);
    expect(verdict).toMatchObject(FLAGGED);
    expect(verdict.refusal.message).toContain('moderation');
    // xAI's own words name the operator's team and key.
    expect(verdict.refusal.message).not.toMatch(/team|key/i);
  });

  it.each([
    ['a credential without rights', { error: { message: 'Key may not use this model' } }],
    ['metadata of another kind', { error: { message: 'no', metadata: { provider_name: 'x' } } }],
    ['an entitlement', { code: 'permission-denied', error: 'Access to the endpoint is denied' }],
    ['a page', '<html>Forbidden</html>'],
    ['nothing', ''],
  ])('is the channel’s failure when it is about %s', (_what, body) => {
    expect(judgeAnswer(403, body)).toMatchObject(CHANNEL);
  });
});

describe('a 429', () => {
  it.each([
    [
      'requests',
      { error: { type: 'requests', code: 'rate_limit_exceeded', message: 'Slow down' } },
    ],
    ['something unknown', { error: { message: 'insufficient_quota' } }],
    ['nothing that is told', ''],
  ])('is waited for when it is about %s', (_what, body) => {
    const verdict = judgeAnswer(429, body);
    expect(verdict).toMatchObject({ health: 'limited', failover: true });
    expect(verdict.refusal).toMatchObject({
      refused: 'upstream_rate_limited',
      retryAfterMs: 1_000,
    });
  });

  it.each([Infinity, 1e33, 24 * 3_600_000])(
    'is waited for no longer than its channel is left alone: not %s ms',
    (retryAfterMs) => {
      const head = { status: 429, contentType: '', retryAfterMs, upstreamRequestId: null };
      expect(
        classifyError(head.status, head.retryAfterMs, Buffer.alloc(0)).refusal.retryAfterMs,
      ).toBe(600_000);
    },
  );

  it.each([
    ['is empty', { type: 'insufficient_quota', code: 'insufficient_quota', param: null }],
    ['is empty, told by its type alone', { type: 'insufficient_quota', code: null }],
    ['has reached its limit', { type: 'billing', code: 'billing_hard_limit_reached' }],
    ['has no credit left', { type: 'insufficient_quota', code: 'credit_balance_exhausted' }],
    ['is empty, as Moonshot says it', { type: 'exceeded_current_quota_error' }],
    ['is empty, as Zhipu says it', { code: '1113' }],
  ])('is the channel’s failure when the account there %s', (_what, error) => {
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    const verdict = judgeAnswer(429, { error: { ...error, message } });
    expect(verdict).toMatchObject(CHANNEL);
    expect(verdict.refusal.message).not.toMatch(/quota|billing/);
    expect(verdict.refusal.retryAfterMs).toBeNull();
  });

  it.each([413, 429])(
    'or %i that no waiting helps is about the request: other channels may take it, and none has failed',
    (status) => {
      const message =
        'Request too large for gpt-4o in organization org-abc123 on tokens per min (TPM): Limit 30000, Requested 36278.';
      const verdict = judgeAnswer(status, {
        error: { message, type: 'tokens', param: null, code: 'rate_limit_exceeded' },
      });
      expect(verdict).toMatchObject({ ...CLIENT, failover: true });
      expect(verdict.refusal.retryAfterMs).toBeNull();
      expect(verdict.refusal.message).not.toContain('org-');
    },
  );
});

describe('an error under a 200', () => {
  const under200 = (reply: unknown) =>
    verdictOf({ failed: 'bad_reply', detail: '', body: Buffer.from(JSON.stringify(reply)) });

  it.each([
    ['a number for a code', { error: { code: 400, message: 'no such tool' } }],
    ['a code in letters', { error: { code: '400', message: 'no such tool' } }],
    ['a status next to it', { error: { message: 'no such tool' }, status_code: 400 }],
    ['a status and no error object', { object: 'error', message: 'no such tool', code: 400 }],
    ['a type', { error: { type: 'invalid_request_error', message: 'no such tool' } }],
    ['a name of Google’s', { error: { status: 'INVALID_ARGUMENT', message: 'no such tool' } }],
    [
      'a code in the choice that failed',
      { choices: [{}, { finish_reason: 'error', error: { code: 400, message: 'no such tool' } }] },
    ],
  ])('is the client’s as a 400 would be, told by %s', (_how, reply) => {
    const verdict = under200(reply);
    expect(verdict).toMatchObject(CLIENT);
    expect(verdict.refusal.message).toBe('no such tool');
  });

  it.each([
    ['a number', { error: { code: 429, message: 'slow down' } }],
    ['a code', { error: { code: 'rate_limit_exceeded', type: 'requests' } }],
  ])('limits the channel as a 429 would, told by %s', (_how, reply) => {
    expect(under200(reply)).toMatchObject({
      health: 'limited',
      failover: true,
      refusal: { refused: 'upstream_rate_limited' },
    });
  });

  it.each([
    ['a server that is overloaded', { error: { code: 529, type: 'overloaded_error' } }],
    ['a wrong key', { error: { type: 'invalid_request_error', code: 'invalid_api_key' } }],
    ['an empty account', { error: { type: 'insufficient_quota', code: null } }],
    ['an error that does not tell', { error: { message: 'oops', code: null } }],
    ['a code of the vendor’s own', { error: { message: 'oops', code: 1234 } }],
    ['a string', { error: 'oops' }],
    ['no error at all', { id: 'x', choices: [] }],
  ])('is the channel’s failure when it is %s', (_what, reply) => {
    expect(under200(reply)).toMatchObject(CHANNEL);
  });

  it('is the channel’s failure when it is a page', () => {
    const body = Buffer.from('<html>Welcome</html>');
    expect(verdictOf({ failed: 'bad_reply', detail: '', body })).toMatchObject(CHANNEL);
    expect(verdictOf({ failed: 'bad_reply', detail: '' })).toMatchObject(CHANNEL);
  });
});

it('takes a reply that is too large for what was asked, and has no other channel make it again', () => {
  const verdict = verdictOf({ failed: 'reply_too_large', detail: '' });
  expect(verdict).toMatchObject({ health: 'unknown', failover: false });
  expect(verdict.refusal).toMatchObject({ refused: 'invalid_value', retryAfterMs: null });
  expect(verdict.refusal.message).toMatch(/choices.*logprobs.*max_tokens/);
  expect(verdict.refusal.message).not.toContain('try again');
});

describe('a reply that does not come in time', () => {
  const timedOut = (failed: Parameters<typeof verdictOf>[0]['failed']) => {
    const { refusal, ...verdict } = verdictOf({ failed, detail: '' });
    expect(refusal.refused).toBe('upstream_timeout');
    return verdict;
  };

  it.each(['connect_timeout', 'first_byte_timeout'] as const)(
    'is asked of another channel when nothing has come: %s',
    (failed) => {
      expect(timedOut(failed)).toMatchObject({ health: 'failed', failover: true });
    },
  );

  it.each(['first_byte_timeout', 'idle_timeout', 'total_timeout'] as const)(
    'may have cost its vendor something, so that nobody is told that it is free: %s',
    (failed) => {
      expect(verdictOf({ failed, detail: '' }).refusal.message).not.toContain('charged');
    },
  );

  it('is not asked for again when the upstream has begun with it', () => {
    expect(timedOut('idle_timeout')).toMatchObject({ health: 'failed', failover: false });
  });

  it('says nothing about the channel when it is long', () => {
    expect(timedOut('total_timeout')).toMatchObject({ health: 'unknown', failover: false });
  });
});

describe('the words of an upstream', () => {
  const said = (message: string, upstreamModel: string): string =>
    maskUpstreamModel(judgeAnswer(400, { error: { message } }), upstreamModel, 'fast').refusal
      .message;

  it.each([
    ['Not supported with vendor/o1.', 'vendor/o1', 'Not supported with fast.'],
    ["The model 'o1' and o1 take no tools", 'o1', "The model 'fast' and fast take no tools"],
    [
      'o1-mini, o1.5, pro-o1 and foo1 are others',
      'o1',
      'o1-mini, o1.5, pro-o1 and foo1 are others',
    ],
    ['a$& (c+) is full', 'a$& (c+)', 'fast is full'],
    ['Nothing of it', 'o1', 'Nothing of it'],
    [
      'litellm.BadRequestError: AzureException BadRequestError - No tool of o1. Received Model Group=o1\nAvailable Model Group Fallbacks=None',
      'o1',
      'No tool of fast',
    ],
    [
      'litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - Too long',
      'o1',
      'Too long',
    ],
    ['Use litellm.completion() here', 'o1', 'Use litellm.completion() here'],
  ])('%j about %j are %j', (message, upstreamModel, expected) => {
    expect(said(message, upstreamModel)).toBe(expected);
  });
});

it.each(['unsupported_parameter', 'unsupported_value'])(
  'the code %s stays: agents ask again without the parameter',
  (code) => {
    const error = { message: 'no', type: 'invalid_request_error', param: 'temperature', code };
    const verdict = classifyError(400, null, Buffer.from(JSON.stringify({ error })));
    expect(verdict.refusal).toMatchObject({ refused: code, param: 'temperature', message: 'no' });
  },
);
