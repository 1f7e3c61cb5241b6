import { modelNames } from '../model-names.ts';
import type { Provider } from '../provider.ts';
import { classifyError, classifyReply } from './classify-error.ts';

/** What of the path a base address lacks. */
function versionOf(baseUrl: string): string {
  return /\/v1\/?$/.test(baseUrl) ? '' : '/v1';
}

/** Credentials that go into Authorization: OAuth tokens, and API keys of Bedrock. */
const BEARER_CREDENTIAL = /^(?:sk-ant-oat|ABSK|bedrock-api-key-)/;

/**
 * Anthropic, and what serves its Messages under the same path, such as Bedrock's
 * `https://bedrock-runtime.{region}.amazonaws.com/anthropic`. The base address is the origin; one
 * that ends in /v1 is taken as well.
 */
export const anthropic: Provider = {
  speaks: ['anthropic-messages'],
  path: (_protocol, _operation, _upstreamModel, baseUrl) => `${versionOf(baseUrl)}/messages`,
  countPath: (_protocol, _upstreamModel, baseUrl) => `${versionOf(baseUrl)}/messages/count_tokens`,
  credentialHeaders: (credential) =>
    BEARER_CREDENTIAL.test(credential)
      ? ['authorization', `Bearer ${credential}`]
      : ['x-api-key', credential],
  // A page has 20 where nothing is said.
  models: { path: (baseUrl) => `${versionOf(baseUrl)}/models?limit=1000`, names: modelNames },
  findFailure: () => undefined,
  classifyError,
  classifyReply,
};
