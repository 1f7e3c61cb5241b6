import { describe, expect, it } from 'vitest';
import { anthropic } from '../../../gateway/providers/anthropic/provider.ts';
import { azureOpenai } from '../../../gateway/providers/azure-openai/provider.ts';
import { gemini } from '../../../gateway/providers/gemini/provider.ts';
import { openaiCompatible } from '../../../gateway/providers/openai-compatible/provider.ts';

const PROVIDERS = { openaiCompatible, azureOpenai, anthropic, gemini };

/** Errors as vendors send them, which any kind of channel may have behind it. */
type Sent = readonly [who: string, status: number, body: object];

const error = (code: string | number | null, message = 'Why.', more: object = {}) => ({
  error: { code, message, ...more },
});

const MODEL: readonly Sent[] = [
  ['DeepSeek', 400, error('invalid_request_error', 'Model Not Exist')],
  ['Alibaba', 400, error('InvalidParameter', 'Model not exist.')],
  ['Alibaba, of rights', 403, error('Model.AccessDenied')],
  ['Alibaba, unpurchased', 403, error('AccessDenied.Unpurchased')],
  ['Zhipu', 400, error('1211')],
  ['Zhipu, as a number', 400, error(1211, '模型不存在，请检查模型代码。')],
  ['Zhipu’s Messages', 400, { error: { type: '1211', message: '模型不存在' } }],
  ['SiliconFlow', 400, error(20012, 'Model does not exist. Please check it carefully.')],
  ['SiliconFlow, disabled', 403, error(30003, 'Model disabled.')],
  ['Groq', 400, error('model_decommissioned')],
  ['Groq, of terms', 400, error('model_terms_required')],
  ['Groq, blocked', 403, error('model_permission_blocked_org')],
  ['Mistral', 400, { error: { type: 'invalid_model', message: 'Invalid model: x', code: '1500' } }],
  ['Together', 400, error('model_not_available')],
  ['Hugging Face', 400, error('model_not_supported')],
  ['GitHub', 400, error('unknown_model', 'Unknown model: x')],
  ['Azure', 404, error('DeploymentNotFound')],
  ['Azure, of another model', 400, error('unavailable_model', 'Unavailable model: x')],
  ['Volcengine', 404, error('InvalidEndpointOrModel.NotFound')],
  ['StepFun', 400, { error: { type: 'model_invalid', message: 'the model x does not exist' } }],
  ['MiniMax', 400, error(null, "invalid params, unknown model 'x' (2013)")],
  [
    'Moonshot',
    404,
    { error: { type: 'resource_not_found_error', message: 'Not found the model' } },
  ],
  ['OpenRouter', 400, error(400, 'vendor/x:free is not a valid model ID')],
  ['LiteLLM', 400, error('400', '/chat/completions: Invalid model name passed in model=x. Call')],
  ['LiteLLM, of a key', 401, { error: { type: 'key_model_access_denied', message: 'no' } }],
  ['new-api', 503, error('model_not_found', 'No available channel for model x under group y')],
  ['one-api', 503, error(null, '当前分组 default 下对于模型 x 无可用渠道')],
  ['vLLM', 400, error(400, 'The model `x` does not exist.')],
  ['LM Studio', 400, error(null, 'Model "x" not found. Please specify a valid model.')],
  ['NVIDIA', 410, error(410, "The model 'x' has reached its end of life on 2025-01-01")],
  ['Bedrock', 400, error(null, 'The provided model identifier is invalid.')],
  ['llama-swap', 400, error(null, 'could not find real modelID for x')],
  ['Anthropic', 404, { error: { type: 'not_found_error', message: 'model: claude-x' } }],
  ['Gemini', 404, error(404, 'models/x is not found for API version v1beta')],
  ['anybody', 500, error('model_not_found')],
];

const ACCOUNT: readonly Sent[] = [
  ['OpenAI', 429, error('insufficient_quota')],
  ['OpenAI behind a proxy', 500, error('insufficient_quota')],
  ['new-api', 403, error('insufficient_user_quota', '用户额度不足, 剩余额度: ¥0')],
  ['DeepSeek', 400, error(null, 'Insufficient Balance')],
  ['Volcengine', 400, error('AccountOverdueError')],
  ['Alibaba', 400, error('Arrearage')],
  ['Alibaba, of a key', 400, error('InvalidApiKey')],
  ['Zhipu', 400, error(1113, '余额不足或无可用资源包')],
  ['SiliconFlow', 403, error(30001)],
  ['MiniMax', 500, { error: { type: 'insufficient_balance_error', message: 'no' } }],
  ['xAI', 429, error(null, 'Your team abc has either used all available credits or reached')],
  ['a key that is unknown', 404, error('invalid_api_key')],
];

const LIMITED: readonly Sent[] = [
  ['under 400', 400, error('rate_limit_exceeded')],
  ['under 403', 403, error('RateLimitExceeded')],
  ['under 503', 503, { error: { type: 'rate_limit_error', message: 'Slow down' } }],
  ['of Google’s', 500, { error: { status: 'RESOURCE_EXHAUSTED', message: 'no' } }],
];

const TOO_LONG: readonly Sent[] = [
  ['vLLM', 400, error(400, 'You passed 5000 input tokens and requested 9 output tokens. However')],
  ['SGLang', 400, error(400, "The input (50 tokens) is longer than the model's context length (9")],
  ['TGI', 422, error(null, 'Input validation error: `inputs` tokens + `max_new_tokens` must be')],
  ['llama.cpp', 500, { error: { type: 'exceed_context_size_error', message: 'no' } }],
  [
    'LM Studio',
    400,
    error(null, 'Trying to keep the first 5000 tokens when context the overflows'),
  ],
  ['Mistral', 400, error('3051', 'Prompt contains 50000 tokens and 0 draft tokens, too large')],
  ['Cerebras', 400, error(null, 'Please reduce the length of the messages or completion.')],
  ['GitHub', 400, error('model_max_prompt_tokens_exceeded')],
  ['SiliconFlow', 400, error(20015, 'length of prompt_tokens (50) must be less than max_seq_len')],
  ['Zhipu', 400, error('1261', 'Prompt 超长')],
  ['Bedrock', 400, error(null, 'Input is too long for requested model.')],
  ['Fireworks', 400, error(null, 'The prompt is too long: 50000, model maximum context length')],
  ['under 413', 413, error('context_length_exceeded')],
  ['under 429', 429, error('context_length_exceeded')],
  ['under 500', 500, error('context_length_exceeded')],
];

const FLAGGED: readonly Sent[] = [
  ['under 400', 400, error('content_filter')],
  ['under 403', 403, error('content_policy_violation')],
  ['under 451', 451, error('content_policy_violation')],
  ['under 500', 500, error('content_filter')],
  ['Alibaba', 400, error('DataInspectionFailed')],
  ['Volcengine', 400, error('InputTextSensitiveContentDetected')],
  ['Zhipu', 400, error(1301)],
  ['Moonshot', 400, { error: { type: 'content_filter', message: 'high risk' } }],
  ['Azure', 400, error(null, 'no', { innererror: { code: 'ResponsibleAIPolicyViolation' } })],
];

const WRONG_PLACES: readonly (readonly [number, string])[] = [
  [400, '<!-- gone --><html>'],
  [403, '<html>Cloudflare</html>'],
  [421, ''],
];

/** A model missing at one path may exist at others. */
const MISSING_PATHS: readonly (readonly [number, string])[] = [
  [404, '\ufeff <?xml version="1.0"?><Error/>'],
  [404, '404 page not found'],
  [405, '{"detail":"Method Not Allowed"}'],
  [501, '{"error":"not implemented"}'],
];

describe.each(Object.entries(PROVIDERS))('a channel of kind %s', (_kind, provider) => {
  const judge = (status: number, body: object | string) =>
    provider.classifyError(
      status,
      null,
      Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    );

  it.each(MODEL)('knows a model that is not there: %s', (_who, status, body) => {
    const fault = { health: 'unknown', failover: true, scope: 'model' };
    expect(judge(status, body)).toMatchObject({ ...fault, refusal: { refused: 'upstream_error' } });
  });

  it.each(ACCOUNT)('knows what is the operator’s account: %s', (_who, status, body) => {
    expect(judge(status, body)).toMatchObject({ failover: true, scope: 'credential' });
    expect(judge(status, body).health).toBe('failed');
  });

  it.each(LIMITED)('knows a limit %s', (_what, status, body) => {
    expect(judge(status, body)).toMatchObject({ health: 'limited', failover: true });
  });

  it.each(TOO_LONG)('knows that the prompt is too long: %s', (_who, status, body) => {
    const { health, refusal } = judge(status, body);
    expect([health, refusal.refused]).toEqual(['unknown', 'context_length_exceeded']);
  });

  it.each(FLAGGED)('blames nobody for a flagged prompt: %s', (_what, status, body) => {
    expect(judge(status, body)).toMatchObject({ health: 'unknown', scope: 'request' });
  });

  it.each(WRONG_PLACES)('takes %i %s for a wrong base address', (status, body) => {
    expect(judge(status, body)).toMatchObject({ health: 'failed', scope: 'channel' });
  });

  it.each(MISSING_PATHS)('takes %i %s for a path that lacks the model', (status, body) => {
    expect(judge(status, body)).toMatchObject({ health: 'unknown', scope: 'model' });
  });

  it('says 413 for what is too large, for any vendor', () => {
    for (const body of ['<html>413 Request Entity Too Large</html>', '', error(null)]) {
      expect(judge(413, body)).toMatchObject({
        health: 'unknown',
        refusal: { refused: 'request_too_large' },
      });
    }
  });

  it.each([
    'Invalid value: "Model Not Exist"',
    'Write no "model_not_found": The model `x` does not exist',
    'The model you wrote of does not exist',
    'Your prompt says: Insufficient Balance',
  ])('is not taken in by what a prompt says: %s', (message) => {
    expect(judge(400, error(null, message))).toMatchObject({ health: 'unknown', scope: 'request' });
  });
});
