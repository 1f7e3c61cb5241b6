export const said = (message: string, more: object = {}): object => ({
  error: { message, ...more },
});

/** Vendors' own words, the public report that has them, and the fields that they refuse. */
export const REFUSALS: readonly (readonly [string, unknown, readonly string[]])[] = [
  [
    'OpenAI, soberlemur/autopo#57',
    said("Unsupported parameter: 'temperature' is not supported with this model.", {
      param: 'temperature',
      code: 'unsupported_parameter',
    }),
    ['temperature'],
  ],
  [
    'OpenAI without a code, OpenHands/software-agent-sdk#1837',
    said("Unsupported parameter: 'temperature' is not supported with this model.", {
      param: 'temperature',
      code: null,
    }),
    ['temperature'],
  ],
  [
    'OpenAI, unknown, QuantumNous/new-api#418',
    said("Unknown parameter: 'stream_options'. (request id: 2024) (request id: 2024)", {
      param: 'stream_options',
      code: 'unknown_parameter',
    }),
    ['stream_options'],
  ],
  [
    'Fireworks, anomalyco/opencode#23193',
    said("Extra inputs are not permitted, field: 'messages[2].refusal', value: None"),
    ['messages[2].refusal'],
  ],
  [
    'OpenAI, a path',
    said("Unknown parameter: 'tools[0].function.strict'."),
    ['tools[0].function.strict'],
  ],
  [
    'OpenAI, only the default, nashsu/llm_wiki#670',
    said(
      "Unsupported value: 'temperature' does not support 0.1 with this model. Only the default (1) value is supported.",
      { param: 'temperature', code: 'unsupported_value' },
    ),
    ['temperature'],
  ],
  [
    'OpenAI, an organisation that is not verified',
    said(
      'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general',
      { param: 'reasoning.summary', code: 'unsupported_value' },
    ),
    ['reasoning.summary'],
  ],
  [
    'OpenAI, pydantic/pydantic-ai#2865',
    said('Encrypted content is not supported with this model.', { param: 'include' }),
    ['include'],
  ],
  [
    'Azure, Azure/azure-rest-api-specs#29545',
    said(
      'Unrecognized request argument supplied: parallel_tool_calls. Please contact us through an Azure support request at: https://go.microsoft.com/fwlink/?linkid=2213926 for further questions.',
      { param: null, code: null },
    ),
    ['parallel_tool_calls'],
  ],
  [
    'Azure, several',
    said('Unrecognized request arguments supplied: store, metadata'),
    ['store', 'metadata'],
  ],
  [
    'NVIDIA, MoonshotAI/kimi-cli#2534',
    said('Validation: Unsupported parameter(s): `prompt_cache_key`'),
    ['prompt_cache_key'],
  ],
  [
    'NVIDIA, several',
    { message: 'Validation: Unsupported parameter(s): `user`, `store`', code: 400 },
    ['user', 'store'],
  ],
  [
    'NVIDIA, NVIDIA/garak#748',
    {
      type: 'urn:inference-service:problem-details:unprocessable-entity',
      title: 'Unprocessable Entity',
      status: 422,
      detail:
        'body -> frequency_penalty\n  Extra inputs are not permitted (type=extra_forbidden)\nbody -> n\n  Extra inputs are not permitted (type=extra_forbidden)',
    },
    ['frequency_penalty'],
  ],
  [
    'Anthropic, decolua/9router#1468',
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'context_management: Extra inputs are not permitted',
      },
    },
    ['context_management'],
  ],
  [
    'Anthropic at Vertex, caozhiyuan/copilot-api#145',
    said('system.1.cache_control.ephemeral.scope: Extra inputs are not permitted'),
    ['system.1.cache_control.ephemeral.scope'],
  ],
  [
    'Anthropic, cg-dot/vertexai-cf-workers#21',
    said('*.cache_control: Extra inputs are not permitted'),
    ['*.cache_control'],
  ],
  ['Anthropic, deprecated', said('`temperature` is deprecated for this model.'), ['temperature']],
  [
    'Bedrock, BerriAI/litellm#13609',
    {
      message: 'The model returned the following errors: reasoning: Extra inputs are not permitted',
    },
    ['reasoning'],
  ],
  [
    'Bedrock behind LiteLLM, BerriAI/litellm#13825',
    said(
      'litellm.BadRequestError: BedrockException - {"message":"The model returned the following errors: reasoning: Extra inputs are not permitted"}. Received Model Group=us.anthropic.claude\nAvailable Model Group Fallbacks=None',
      { code: '400' },
    ),
    ['reasoning'],
  ],
  [
    'Anthropic behind LiteLLM, Aider-AI/aider#4404',
    said(
      'litellm.BadRequestError: AnthropicException - b\'{"type":"error","error":{"type":"invalid_request_error","message":"metadata.user: Extra inputs are not permitted"}}\'',
    ),
    ['metadata.user'],
  ],
  [
    'gpt-oss at Bedrock (Rust), BerriAI/litellm#13959',
    {
      message:
        'The model returned the following errors: Failed to deserialize the JSON body into the target type: thinking: unknown field thinking, expected one of messages, model, store at line 1 column 445',
    },
    ['thinking'],
  ],
  [
    'Rust',
    'Failed to deserialize the JSON body into the target type: unknown field `user`, expected one of `model`, `messages` at line 1 column 20',
    ['user'],
  ],
  ['Go', said('json: unknown field "prompt_cache_key"'), ['prompt_cache_key']],
  [
    'Gemini, sourcegraph/cody#4566',
    [
      {
        error: {
          code: 400,
          message:
            'Invalid JSON payload received. Unknown name "parallel_tool_calls": Cannot find field.',
          status: 'INVALID_ARGUMENT',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [
                {
                  description:
                    'Invalid JSON payload received. Unknown name "parallel_tool_calls": Cannot find field.',
                },
              ],
            },
          ],
        },
      },
    ],
    ['parallel_tool_calls'],
  ],
  [
    'Gemini, a path',
    said(
      'Invalid JSON payload received. Unknown name "thinkingLevel" at \'generation_config.thinking_config\': Cannot find field.',
    ),
    ['generation_config.thinking_config.thinkingLevel'],
  ],
  ['Groq, letta-ai/letta#1272', said("property 'user' is unsupported"), ['user']],
  [
    'Groq, a suggestion',
    said("property 'prompt_cache_key' is unsupported, did you mean 'n'?"),
    ['prompt_cache_key'],
  ],
  [
    'Groq, janhq/jan#8136',
    said(
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    ),
    ['messages.reasoning_content'],
  ],
  [
    'Groq, vercel/ai#8057',
    said('messages[2].reasoning: reasoning is not supported with this model'),
    ['messages[2].reasoning'],
  ],
  ['Groq, effort', said('reasoning_effort is not supported with this model'), ['reasoning_effort']],
  [
    'Cerebras, musistudio/claude-code-router#708',
    {
      message: "body.prompt_cache_key: property 'body.prompt_cache_key' is unsupported",
      type: 'invalid_request_error',
      param: 'validation_error',
      code: 'wrong_api_format',
    },
    ['prompt_cache_key'],
  ],
  [
    'Mistral, editor-code-assistant/eca#231',
    {
      object: 'error',
      message: {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'user'],
            msg: 'Extra inputs are not permitted',
            input: "Unknown parameter: 'seed'",
          },
          {
            type: 'extra_forbidden',
            loc: ['body', 'stream_options'],
            msg: 'Extra inputs are not permitted',
            input: {},
          },
        ],
      },
      type: 'invalid_request_error',
    },
    ['user', 'stream_options'],
  ],
  [
    'Mistral, mistralai/platform-docs-public#7',
    {
      object: 'error',
      message:
        '{"detail":[{"type":"extra_forbidden","loc":["body","frequency_penalty"],"msg":"Extra inputs are not permitted","input":0.0}]}',
      type: 'internal_error_proxy',
    },
    ['frequency_penalty'],
  ],
  [
    'Mistral, sipeed/picoclaw#1502',
    {
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['body', 'messages', 2, 'assistant', 'reasoning_content'],
          msg: 'Extra inputs are not permitted',
        },
      ],
    },
    ['messages.2.assistant.reasoning_content'],
  ],
  [
    'pydantic’s first version',
    {
      detail: [
        {
          loc: ['body', 'logit_bias'],
          msg: 'extra fields not permitted',
          type: 'value_error.extra',
        },
      ],
    },
    ['logit_bias'],
  ],
  [
    'vLLM, 1Panel-dev/MaxKB#2912',
    {
      object: 'error',
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'store'), 'msg': 'Extra inputs are not permitted', 'input': True}]",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    ['store'],
  ],
  [
    'LiteLLM 1.106.12 over FastAPI',
    {
      object: 'error',
      message:
        "litellm.BadRequestError: OpenAIException - Error code: 422 - {'detail': [{'type': 'extra_forbidden', 'loc': ['body', 'seed'], 'msg': 'Extra inputs are not permitted', 'input': None}]}\n\nLiteLLM: model group 'tiny' failed with the error above. No fallback was attempted.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    ['seed'],
  ],
  [
    'LiteLLM 1.106.12 over FastAPI',
    {
      object: 'error',
      message:
        '{"detail":[{"type":"extra_forbidden","loc":["body","user"],"msg":"Extra inputs are not permitted","input":null}]}\n\nLiteLLM: model group \'tiny\' failed with the error above. No fallback was attempted.',
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    ['user'],
  ],
  [
    'Fireworks',
    said("Extra inputs are not permitted, field: 'prompt_cache_retention', value: '24h'"),
    ['prompt_cache_retention'],
  ],
  [
    'xAI, n8n-io/n8n#14581',
    {
      code: 'Client specified an invalid argument',
      error: 'Argument not supported on this model: presencePenalty',
    },
    ['presencePenalty'],
  ],
  [
    'xAI, BerriAI/litellm#16265',
    {
      code: 'Client specified an invalid argument',
      error: 'Model grok-4-latest does not support parameter reasoningEffort.',
    },
    ['reasoningEffort'],
  ],
  [
    'LiteLLM, BerriAI/litellm#6456',
    said(
      "litellm.UnsupportedParamsError: anthropic does not support parameters: {'parallel_tool_calls': False}, for model=claude-3-5-sonnet-20241022. To drop these, set `litellm.drop_params=True`",
    ),
    ['parallel_tool_calls'],
  ],
  [
    'LiteLLM, a list',
    said(
      "litellm.UnsupportedParamsError: nvidia_nim does not support parameters: ['user', 'seed'], for model=x.",
    ),
    ['user', 'seed'],
  ],
  [
    'LiteLLM, a keyword, BerriAI/litellm#4619',
    said(
      "litellm.APIConnectionError: APIConnectionError: OpenAIException - AsyncCompletions.create() got an unexpected keyword argument 'parallel_tool_calls'",
    ),
    ['parallel_tool_calls'],
  ],
  [
    'OpenRouter, in the words of its provider',
    said('Provider returned error', {
      code: 400,
      metadata: {
        raw: '{"error":{"message":"property \'user\' is unsupported","type":"invalid_request_error"}}',
        provider_name: 'Groq',
      },
    }),
    ['user'],
  ],
  [
    'zod',
    {
      error: [
        {
          code: 'unrecognized_keys',
          keys: ['store'],
          path: ['reasoning'],
          message: "Unrecognized key(s) in object: 'store'",
        },
      ],
    },
    ['reasoning.store'],
  ],
  [
    'JSON schema in Python',
    said("Additional properties are not allowed ('user', 'store' were unexpected)"),
    ['user', 'store'],
  ],
  [
    'Cohere',
    { id: '1', message: "unknown field: parameter 'user' is not a valid field" },
    ['user'],
  ],
  ['Cohere, before', { message: 'unprocessable entity: seed is not supported' }, ['seed']],
  ['Moonshot', said('invalid temperature: only 1 is allowed for this model'), ['temperature']],
];
