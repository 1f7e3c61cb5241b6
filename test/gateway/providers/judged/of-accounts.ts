import { anthropic, google, openai, type VendorRefusal } from './vendor-refusal.ts';

/** Our key, our account or our money there: the credential rests. */
export const OF_CREDENTIALS: readonly VendorRefusal[] = [
  {
    vendor: 'OpenAI, terminated',
    source: 'ztjhz/BetterChatGPT#105',
    status: 429,
    body: openai(
      'Your access was terminated due to violation of our policies, please check your email for more information.',
      { type: 'access_terminated', param: null, code: null },
    ),
  },
  {
    vendor: 'Meta, restricted',
    source: 'anomalyco/opencode#48408',
    status: 400,
    body: openai('Your access has been restricted due to repeated policy violations.', {
      code: 'user_blocked',
    }),
  },
  {
    vendor: 'Anthropic, an organisation that is disabled',
    source: 'Wei-Shaw/sub2api#328',
    reader: 'anthropic',
    status: 400,
    body: anthropic('invalid_request_error', 'This organization has been disabled.'),
  },
  {
    vendor: 'Gemini, suspended, as the text of another error',
    source: 'continuedev/continue#10902',
    status: 400,
    body: openai(
      '{\n  "error": {\n    "code": 403,\n    "message": "Permission denied: Consumer has been suspended.",\n    "status": "PERMISSION_DENIED",\n    "details": [{"reason": "API_KEY_INVALID"}]\n  }\n}\n',
      { code: 403, status: 'Forbidden' },
    ),
  },
  {
    vendor: 'xAI, credits',
    source: 'continuedev/continue#10373',
    status: 429,
    body: {
      code: 'Some resource has been exhausted',
      error:
        'Your team 16f2151a-40f4-4a80-8ad0-cae00c27e8dd has either used all available credits or reached its monthly spending limit.',
    },
  },
  {
    vendor: 'xAI, credits under 403',
    source: 'warpdotdev/warp#14867',
    status: 403,
    body: {
      code: 'The caller does not have permission to execute the specified operation',
      error:
        'Your team 8c268de0-42ec-4474-b4b6-4c92c1f97827 has either used all available credits or reached its monthly spending limit.',
    },
  },
  {
    vendor: 'Moonshot, suspended',
    source: 'continuedev/continue#11443',
    status: 429,
    body: openai(
      'Your account org-ea6a80cc0e <ak-f8tyo15> is suspended due to insufficient balance, please recharge your account or check your plan and billing details',
      { type: 'exceeded_current_quota_error' },
    ),
  },
  {
    vendor: 'Moonshot, not active',
    source: 'MoonshotAI/Kimi-K2#5',
    status: 403,
    body: openai(
      'Your account xx is not active, organization xx exceeded current quota, please check your plan and billing details',
      { type: 'exceeded_current_quota_error' },
    ),
  },
  {
    vendor: 'Kimi, access terminated',
    source: 'clacky-ai/openclacky#192',
    status: 403,
    body: openai('Access terminated. Review our Community Guidelines.', {
      type: 'access_terminated_error',
    }),
  },
  {
    vendor: 'DeepSeek, balance',
    source: 'Aider-AI/aider#4851',
    status: 402,
    body: openai('Insufficient Balance', {
      type: 'unknown_error',
      param: null,
      code: 'invalid_request_error',
    }),
  },
  {
    vendor: 'Zhipu, balance',
    source: 'continuedev/continue#11823',
    status: 429,
    body: openai('余额不足或无可用资源包,请充值。', { code: '1113' }),
  },
  {
    vendor: 'Anthropic, credit',
    source: 'anthropics/claude-code#5300',
    reader: 'anthropic',
    status: 400,
    body: anthropic(
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ),
  },
  {
    vendor: 'Anthropic, a plan that is not for this use',
    source: 'leohenon/pi-anthropic-oauth#24',
    reader: 'anthropic',
    status: 400,
    body: anthropic(
      'invalid_request_error',
      'Third-party apps now draw from your extra usage, not your plan limits. Add more at claude.ai/settings/usage and keep going.',
    ),
  },
  {
    vendor: 'Anthropic, a token that is not taken',
    source: 'anthropics/claude-code#28091',
    reader: 'anthropic',
    status: 401,
    body: anthropic('authentication_error', 'OAuth authentication is currently not supported.'),
  },
  {
    vendor: 'Alibaba, overdue',
    source: 'QuantumNous/new-api#5618',
    status: 400,
    body: openai('Access denied, please make sure your account is in good standing.', {
      code: 'Arrearage',
      type: 'Arrearage',
    }),
  },
  {
    vendor: 'OpenRouter, credits spent',
    source: 'Gitlawb/openclaude#1125',
    status: 402,
    body: openai(
      'This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 27.',
      { code: 402, metadata: { provider_name: null } },
    ),
  },
  {
    vendor: 'Gemini, suspended',
    source: 'continuedev/continue#10902',
    reader: 'gemini',
    status: 403,
    body: google(
      403,
      'PERMISSION_DENIED',
      "Permission denied: Consumer 'api_key:AIza' has been suspended.",
      {
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'CONSUMER_SUSPENDED' },
        ],
      },
    ),
  },
  {
    vendor: 'Gemini, leaked',
    source: 'continuedev/continue#10513',
    reader: 'gemini',
    status: 403,
    body: google(
      403,
      'PERMISSION_DENIED',
      'Your API key was reported as leaked. Please use another API key.',
    ),
  },
  {
    vendor: 'Gemini, key not found',
    source: 'Wei-Shaw/sub2api#1709',
    reader: 'gemini',
    status: 400,
    body: google(400, 'INVALID_ARGUMENT', 'API Key not found. Please pass a valid API key.', {
      details: [{ reason: 'API_KEY_INVALID', domain: 'googleapis.com' }],
    }),
  },
  {
    vendor: 'Gemini’s OpenAI path, key not found, without details',
    source: 'Wei-Shaw/sub2api#1709',
    status: 400,
    body: google(400, 'INVALID_ARGUMENT', 'API Key not found. Please pass a valid API key.'),
  },
  {
    vendor: 'Google, terms of service',
    source: 'google-gemini/gemini-cli#19501',
    reader: 'gemini',
    status: 403,
    body: google(
      403,
      'PERMISSION_DENIED',
      'This service has been disabled in this account for violation of Terms of Service.',
    ),
  },
  {
    vendor: 'Azure, network',
    source: 'Azure-Samples/azure-sql-db-chatbot#3',
    status: 403,
    body: openai('Access denied due to Virtual Network/Firewall rules.', { code: '403' }),
  },
  {
    vendor: 'Azure, subscription',
    source: 'SciSharp/BotSharp#386',
    status: 401,
    body: openai(
      'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
      { code: '401' },
    ),
  },
  {
    vendor: 'OpenAI, country of the gateway',
    source: 'home-assistant/core#120072',
    status: 403,
    body: openai('Country, region, or territory not supported', {
      code: 'unsupported_country_region_territory',
      param: null,
      type: 'request_forbidden',
    }),
  },
  {
    vendor: 'OpenAI, country of the gateway behind another gateway',
    source: 'anomalyco/opencode#45755',
    status: 400,
    body: openai('Country, region, or territory not supported', {
      code: 'unsupported_country_region_territory',
      param: null,
      type: 'request_forbidden',
    }),
  },
  {
    vendor: 'Mistral, key or plan',
    source: 'diegosouzapw/OmniRoute#7638',
    status: 401,
    body: { detail: 'Unauthorized' },
  },
  {
    vendor: 'Bedrock, account closed',
    source: 'langgenius/dify#7488',
    reader: 'bedrock',
    status: 400,
    body: { __type: 'ValidationException', message: 'Operation not allowed' },
  },
];
