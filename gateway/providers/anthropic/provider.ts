import type { Provider } from '../provider.ts';
import { classifyError, classifyReply } from './classify-error.ts';

/** Credentials that go into Authorization: OAuth tokens, and API keys of Bedrock. */
const BEARER_CREDENTIAL = /^(?:sk-ant-oat|ABSK|bedrock-api-key-)/;

/**
 * Anthropic, and what serves its Messages under the same path, such as Bedrock's
 * `https://bedrock-runtime.{region}.amazonaws.com/anthropic`. The base address is the origin; one that
 * ends in /v1 is taken as well.
 */
export const anthropic: Provider = {
  speaks: ['anthropic-messages'],
  path: (_protocol, _operation, _upstreamModel, baseUrl) =>
    /\/v1\/?$/.test(baseUrl) ? '/messages' : '/v1/messages',
  credentialHeaders: (credential) =>
    BEARER_CREDENTIAL.test(credential)
      ? ['authorization', `Bearer ${credential}`]
      : ['x-api-key', credential],
  findFailure: () => undefined,
  classifyError,
  classifyReply,
};
