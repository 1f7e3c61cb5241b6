import { anthropic, google, openai, type VendorRefusal } from './vendor-refusal.ts';

/** The customer's own request is at fault: it goes to the client, and nothing rests. */
export const OF_REQUESTS: readonly VendorRefusal[] = [
  {
    vendor: 'MiMo, thinking that is not sent back, as an event',
    source: 'decolua/9router#1210',
    status: 400,
    body: 'data:{"error":{"code":"400","message":"Param Incorrect","param":"The reasoning_content in the thinking mode must be passed back to the API.","type":""}}\n\n',
    words:
      'Param Incorrect: The reasoning_content in the thinking mode must be passed back to the API.',
  },
  {
    vendor: 'MiMo behind OpenRouter, a call without text',
    source: 'x5iu/claude-code-adapter#12',
    status: 400,
    body: openai('Provider returned error', {
      code: 400,
      metadata: {
        raw: '{"error":{"code":"400","message":"Param Incorrect","param":"`text` is not present","type":""}}',
        provider_name: 'Xiaomi',
      },
    }),
    words: 'Param Incorrect: `text` is not present',
  },
  {
    vendor: 'OpenAI, a stored reply of another account',
    source: 'maximhq/bifrost#2441',
    status: 400,
    body: openai("Previous response with id 'resp_0f09a275409xxx' not found.", {
      code: 'previous_response_not_found',
    }),
  },
  {
    vendor: 'OpenAI, an id that is too long',
    source: 'vercel/ai#5171',
    status: 400,
    body: openai(
      "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 43 instead.",
      {
        type: 'invalid_request_error',
        param: 'messages[2].tool_calls[0].id',
        code: 'string_above_max_length',
      },
    ),
  },
  {
    vendor: 'OpenAI, an effort that does not exist',
    source: 'Wei-Shaw/sub2api#3782',
    status: 400,
    body: openai(
      "Invalid value: 'xhign'. Supported values are: 'none', 'minimal', 'low', 'medium', 'high', and 'xhigh'.",
      { type: 'invalid_request_error', param: 'reasoning.effort', code: 'invalid_value' },
    ),
  },
  {
    vendor: 'Bedrock, more output than the model makes',
    source: 'RooCodeInc/Roo-Code#248',
    reader: 'bedrock',
    status: 400,
    body: {
      __type: 'ValidationException',
      message:
        'The maximum tokens you requested exceed the model limit of 4096. Try again with a maximum tokens value lower than 4096.',
    },
  },
  {
    vendor: 'OpenAI, a prompt of a dangerous kind',
    source: 'microsoft/PyRIT#1463',
    status: 400,
    body: openai("Invalid prompt: we've limited access to this content for safety reasons.", {
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_prompt',
    }),
  },
  {
    vendor: 'OpenAI, cyber security',
    source: 'UKGovernmentBEIS/inspect_ai#3607',
    status: 400,
    body: openai('This request has been flagged for potentially high-risk cyber activity.', {
      type: 'invalid_request',
      param: null,
      code: 'cyber_policy',
    }),
  },
  {
    vendor: 'Azure, content filter',
    source: 'microsoft/prompty#187',
    status: 400,
    body: openai(
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      { type: null, param: 'prompt', code: 'content_filter', status: 400 },
    ),
  },
  {
    vendor: 'DeepSeek, an id of a call',
    source: 'edison7009/EchoBird#114',
    status: 400,
    body: openai('invalid tool_call_id', { type: 'invalid_request_error', code: '3' }),
  },
  {
    vendor: 'Anthropic, a result is missing',
    source: 'anthropics/claude-code#1831',
    reader: 'anthropic',
    status: 400,
    body: anthropic(
      'invalid_request_error',
      'messages.91: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_012J8h8h. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    ),
  },
  {
    vendor: 'Anthropic, an image too large',
    source: 'anthropics/claude-code#19631',
    reader: 'anthropic',
    status: 400,
    body: anthropic(
      'invalid_request_error',
      'messages.2.content.0.image.source.base64: image exceeds 5 MB maximum: 8259148 bytes > 5242880 bytes',
    ),
  },
  {
    vendor: 'Anthropic, many images',
    source: 'anthropics/claude-code#24630',
    reader: 'anthropic',
    status: 400,
    body: anthropic(
      'invalid_request_error',
      'messages.19.content.27.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    ),
  },
  {
    vendor: 'Anthropic, a page that it may not read',
    source: 'anthropics/claude-code#67103',
    reader: 'anthropic',
    status: 400,
    body: anthropic(
      'invalid_request_error',
      "The following domains are not accessible to our user agent: ['nytimes.com'].",
    ),
  },
  {
    vendor: 'Claude behind Vertex behind a proxy, in Google’s envelope',
    source: 'lbjlaq/Antigravity-Manager#654',
    reader: 'gemini',
    status: 400,
    body: google(
      400,
      'INVALID_ARGUMENT',
      '{"type":"error","error":{"type":"invalid_request_error","message":"messages.243: `tool_use` ids were found without `tool_result` blocks immediately after: bash-uOQIdN0O."}}',
    ),
  },
];

/** The request is more than our account there may send: others may serve it. */
export const OF_OUR_LIMIT: readonly VendorRefusal[] = [
  {
    vendor: 'OpenRouter, credits for smaller requests',
    source: 'Gitlawb/openclaude#1125',
    status: 402,
    body: openai(
      'This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 27342.',
      { code: 402, metadata: { provider_name: null } },
    ),
  },
  {
    vendor: 'Groq, a prompt over the limit of a minute',
    source: 'assafelovic/gpt-researcher#985',
    status: 413,
    body: openai(
      'Request too large for model `llama-3.1-70b-versatile` in organization `org_01hw8f0aa0` on tokens per minute (TPM): Limit 6000, Requested 14368, please reduce your message size and try again.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
  },
  {
    vendor: 'OpenAI, the same',
    source: 'DrShushen/climb#13',
    status: 429,
    body: openai(
      'Request too large for gpt-4o in organization org-VDAWofJASuLH0vVz8o9tiQZr on tokens per min (TPM): Limit 30000, Requested 30601.',
      { type: 'tokens', param: null, code: 'rate_limit_exceeded' },
    ),
  },
  {
    vendor: 'Anthropic, a long context that is paid for apart',
    source: 'Wei-Shaw/sub2api#572',
    reader: 'anthropic',
    status: 429,
    body: anthropic('rate_limit_error', 'Extra usage is required for long context requests.'),
  },
  {
    vendor: 'OpenRouter, tool use',
    source: 'https://openrouter.ai/docs/api-reference/errors',
    status: 404,
    body: openai('No endpoints found that support tool use. Try disabling "bash".', { code: 404 }),
  },
];
