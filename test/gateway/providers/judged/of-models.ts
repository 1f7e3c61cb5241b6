import { anthropic, google, openai, type VendorRefusal } from './vendor-refusal.ts';

/** The model is not there, or not for our account. */
export const OF_MODELS: readonly VendorRefusal[] = [
  {
    vendor: 'Bedrock, not authorized',
    source: 'aws-samples/amazon-bedrock-audio-summarizer#3',
    reader: 'bedrock',
    status: 400,
    body: {
      __type: 'ValidationException',
      message: 'Your account is not authorized to invoke this API operation.',
    },
  },
  {
    vendor: 'Vertex, a project without the model',
    source: 'langchain-ai/langchain-google#593',
    reader: 'vertex',
    status: 400,
    body: google(
      400,
      'FAILED_PRECONDITION',
      'Project `p-1` is not allowed to use Publisher Model `projects/p-1/locations/REGION/publishers/meta/models/MODEL`',
    ),
  },
  {
    vendor: 'Vertex, no such model',
    source: 'genkit-ai/genkit#4688',
    reader: 'vertex',
    status: 404,
    body: google(
      404,
      'NOT_FOUND',
      'Publisher Model `projects/740989871600/locations/us-central1/x` was not found or your project does not have access to it.',
    ),
  },
  {
    vendor: 'a proxy without the path',
    source: 'labring/aiproxy#51',
    status: 404,
    body: openai('Invalid URL (POST /v1/messages)', { type: 'invalid_request_error', code: '' }),
  },
  {
    vendor: 'ChatGPT plan',
    source: 'openai/codex#6603',
    status: 400,
    body: {
      detail: "The 'gpt-5.1-codex' model is not supported when using Codex with a ChatGPT account.",
    },
  },
  {
    vendor: 'ChatGPT plan, in an error object',
    source: 'openai/codex#25838',
    status: 400,
    body: {
      type: 'error',
      status: 400,
      error: {
        type: 'invalid_request_error',
        message:
          "The 'gpt-5.3-codex' model is not supported when using Codex with a ChatGPT account.",
      },
    },
  },
  {
    vendor: 'GitHub',
    source: 'caozhiyuan/copilot-api#129',
    status: 400,
    body: openai('The requested model is not supported.', {
      code: 'model_not_supported',
      param: 'model',
      type: 'invalid_request_error',
    }),
  },
  {
    vendor: 'GitHub, the path',
    source: 'router-for-me/CLIProxyAPIPlus#41',
    status: 400,
    body: openai('model gpt-5.1-codex-mini is not accessible via the /chat/completions endpoint', {
      code: 'unsupported_api_for_model',
    }),
  },
  {
    vendor: 'Bedrock, marketplace',
    source: 'ministryofjustice/modernisation-platform-environments#18323',
    reader: 'bedrock',
    status: 403,
    body: {
      __type: 'AccessDeniedException',
      message:
        'Model access is denied due to IAM user or service role is not authorized to perform the required AWS Marketplace actions (aws-marketplace:ViewSubscriptions, aws-marketplace:Subscribe) to enable access to this model.',
    },
  },
  {
    vendor: 'OpenRouter, data policy',
    source: 'ShamanicArts/Flow.Launcher.Plugin.AI-Assistant#2',
    status: 404,
    body: openai(
      'No endpoints found matching your data policy (Free model training). Configure: https://openrouter.ai/settings/privacy',
      { code: 404 },
    ),
  },
  {
    vendor: 'OpenRouter, guardrails',
    source: 'truefoundry/models#826',
    status: 404,
    body: openai(
      'No endpoints available matching your guardrail restrictions and data policy. Configure: https://openrouter.ai/settings/privacy',
      { code: 404 },
    ),
  },
];

/** The model there is limited or busy: it is tried again later, and elsewhere at once. */
export const OF_LIMITS: readonly VendorRefusal[] = [
  {
    vendor: 'Azure',
    source: 'dyad-sh/dyad#1849',
    status: 429,
    body: openai(
      'Your requests to gpt-5.1 for gpt-5.1 in East US 2 have exceeded the token rate limit for your current AIServices S0 pricing tier. Please retry after 60 seconds.',
      { code: '429' },
    ),
    waitMs: 60_000,
  },
  {
    vendor: 'Bedrock, tokens a day',
    source: 'minorun365/agent-book#29',
    reader: 'bedrock',
    status: 429,
    body: {
      __type: 'ThrottlingException',
      message: 'Too many tokens per day, please wait before trying again.',
    },
    waitMs: 60_000,
  },
  {
    vendor: 'Moonshot behind OpenRouter',
    source: 'anomalyco/opencode#24462',
    status: 429,
    body: openai('Provider returned error', {
      code: 429,
      metadata: {
        raw: '{"error":{"message":"Your account org-446a70 <ak-f817m9> is suspended due to insufficient balance, please recharge your account or check your plan and billing details","type":"exceeded_current_quota_error"}}',
        provider_name: 'Moonshot AI',
      },
    }),
  },
  {
    vendor: 'Alibaba, tokens a minute in the words of billing',
    source: 'can1357/oh-my-pi#8496',
    status: 429,
    body: openai(
      'You exceeded your current quota, please check your plan and billing details. For details, see: https://help.aliyun.com/zh/model-studio/error-code#token-limit',
      { type: 'insufficient_quota', param: null, code: 'insufficient_quota' },
    ),
  },
  {
    vendor: 'ChatGPT plan, until its reset',
    source: 'james-6-23/codex2api#9',
    status: 429,
    body: openai('The usage limit has been reached', {
      type: 'usage_limit_reached',
      plan_type: 'free',
      resets_at: 1775317531,
      resets_in_seconds: 602705,
    }),
    waitMs: 600_000,
  },
  {
    vendor: 'Z.AI, five hours',
    source: 'hugalafutro/model-hotel#955',
    status: 429,
    body: openai('Usage limit reached for 5 hour. Your limit will reset at 2026-09-09 05:38:28', {
      code: '1308',
    }),
    waitMs: 600_000,
  },
  {
    vendor: 'Ollama, session',
    source: 'continuedev/continue#10579',
    status: 429,
    body: {
      error: 'you (x) have reached your session usage limit, please wait or upgrade to continue',
    },
  },
  {
    vendor: 'Gemini, free tier',
    source: 'dyad-sh/dyad#1469',
    reader: 'gemini',
    status: 429,
    body: google(
      429,
      'RESOURCE_EXHAUSTED',
      'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_input_token_count, limit: 250000\nPlease retry in 30.638054576s.',
    ),
    waitMs: 30_639,
  },
  {
    vendor: 'Gemini, capacity',
    source: 'lbjlaq/Antigravity-Manager#583',
    reader: 'gemini',
    status: 429,
    body: google(
      429,
      'RESOURCE_EXHAUSTED',
      'No capacity available for model gemini-3-pro-image on the server',
      {
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'MODEL_CAPACITY_EXHAUSTED',
          },
        ],
      },
    ),
  },
  {
    vendor: 'Groq, tokens a day',
    source: 'continuedev/continue#10920',
    status: 429,
    body: openai(
      'Rate limit reached for model `llama-3.3-70b-versatile` in organization `org_01` service tier `on_demand` on tokens per day (TPD): Limit 100000, Used 97050, Requested 3619. Please try again in 9m38.016s.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    waitMs: 578_016,
  },
  {
    vendor: 'Mistral',
    source: 'cline/cline#9085',
    status: 429,
    body: {
      object: 'error',
      message: 'Rate limit exceeded',
      type: 'rate_limited',
      param: null,
      code: '1300',
    },
  },
  {
    vendor: 'Mistral, capacity',
    source: 'continuedev/continue#6185',
    status: 429,
    body: {
      object: 'error',
      message: 'Service tier capacity exceeded for this model.',
      type: 'invalid_request_error',
      param: null,
      code: null,
    },
  },
  {
    vendor: 'Moonshot, overloaded',
    source: '666ghj/BettaFish#292',
    status: 429,
    body: openai('The engine is currently overloaded, please try again later', {
      type: 'engine_overloaded_error',
    }),
  },
  {
    vendor: 'Anthropic, overloaded',
    source: 'anthropics/claude-code#5184',
    reader: 'anthropic',
    status: 529,
    body: anthropic('overloaded_error', 'Overloaded'),
  },
];

/** The server, or what is before it, has failed. */
export const OF_CHANNELS: readonly VendorRefusal[] = [
  {
    vendor: 'Anthropic, overloaded under 500',
    source: 'anthropics/claude-code#8132',
    reader: 'anthropic',
    status: 500,
    body: anthropic('api_error', 'Overloaded'),
  },
  {
    vendor: 'Cloudflare, no reply in time',
    source:
      'https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/error-524/',
    status: 524,
    body: '<!DOCTYPE html><html><head><title>api.example | 524: A timeout occurred</title>',
  },
  {
    vendor: 'Cloudflare, a challenge',
    source: 'anthropics/claude-code#30437',
    reader: 'anthropic',
    status: 403,
    body: '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title>',
  },
  {
    vendor: 'SiliconFlow, busy',
    source: 'CherryHQ/cherry-studio#4541',
    status: 503,
    body: { code: 50508, message: 'System is too busy now. Please try again later.', data: null },
  },
];
