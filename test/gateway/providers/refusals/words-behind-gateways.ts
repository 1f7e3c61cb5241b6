import { said } from './refusal-words.ts';

/** The same as `REFUSALS`, as gateways pass them on or say them themselves. */
export const BEHIND_GATEWAYS: readonly (readonly [string, unknown, readonly string[]])[] = [
  [
    'OpenAI behind OpenRouter, BeehiveInnovations/pal-mcp-server#134',
    said('Provider returned error', {
      metadata: {
        raw: '{"error":{"message":"Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general","type":"invalid_request_error","param":"stream","code":"unsupported_value"}}',
      },
    }),
    ['stream'],
  ],
  [
    'LiteLLM, a value that thinking excludes, BerriAI/litellm#33738',
    said(
      "litellm.UnsupportedParamsError: gpt-5-nano doesn't support temperature=0.1 while reasoning is active. Only temperature=1 is supported unless reasoning_effort resolves to 'none'.",
      { param: null, code: '400' },
    ),
    ['temperature'],
  ],
  [
    'LiteLLM, a value that a family excludes',
    said(
      "litellm.UnsupportedParamsError: gpt-5 models (including gpt-5-codex) don't support temperature=0.0. Only temperature=1 is supported.",
      { param: null, code: '400' },
    ),
    ['temperature'],
  ],
  [
    'a vendor behind two gateways, decolua/9router#4077',
    said(
      'Error from provider (Console Go): Upstream request failed: [invalid_request_error] invalid request body: json: unknown field "thinking"',
    ),
    ['thinking'],
  ],
];
