import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../data-plane/upstream/support/judge-answer.ts';
import { FLAGGED, judgeAnswer } from '../../data-plane/upstream/support/judge-answer.ts';

/** Azure's reply to a prompt that its filter has flagged. */
const AZURE_FILTER = {
  error: {
    message: 'The response was filtered due to the prompt triggering content management policy.',
    type: null,
    param: 'prompt',
    code: 'content_filter',
    status: 400,
    innererror: { code: 'ResponsibleAIPolicyViolation' },
  },
};
const OPENAI_POLICY = {
  error: {
    message: 'Your request was rejected as a result of our safety system.',
    type: 'invalid_request_error',
    param: null,
    code: 'content_policy_violation',
  },
};

const ALIBABA_POLICY = {
  error: {
    message: 'Input data may contain inappropriate content.',
    type: 'data_inspection_failed',
    param: null,
    code: 'data_inspection_failed',
  },
};
const ZHIPU_POLICY = {
  error: { code: '1301', message: '系统检测到输入或生成内容可能包含不安全或敏感内容' },
};
const NEW_API_POLICY = {
  error: {
    message: 'input contains sensitive words: [test]',
    type: 'new_api_error',
    param: '',
    code: 'sensitive_words_detected',
  },
};

describe.each([
  ['Azure', AZURE_FILTER],
  ['OpenAI', OPENAI_POLICY],
  ['Alibaba', ALIBABA_POLICY],
  ['Zhipu', ZHIPU_POLICY],
  ['new-api', NEW_API_POLICY],
])('a prompt that %s has flagged', (_who, body) => {
  it.each([
    ['by a 400', () => judgeAnswer(400, body)],
    [
      'under a 200',
      () =>
        verdictOf({
          failed: 'bad_reply',
          detail: '',
          body: Buffer.from(JSON.stringify({ error: { ...body.error, status: undefined } })),
        }),
    ],
  ])('is told as such, in the upstream’s words, and rests no channel: %s', (_how, verdict) => {
    expect(verdict()).toMatchObject(FLAGGED);
    expect(verdict().refusal.message).toBe(body.error.message);
  });
});

describe('a prompt that DeepSeek has flagged', () => {
  const DEEPSEEK = {
    error: { message: 'Content Exists Risk', type: 'invalid_request_error', param: null },
  };

  it('is told as such, in words that can be understood', () => {
    const verdict = judgeAnswer(400, DEEPSEEK);
    expect(verdict).toMatchObject(FLAGGED);
    expect(verdict.refusal.message).toContain('moderation');
  });
});
