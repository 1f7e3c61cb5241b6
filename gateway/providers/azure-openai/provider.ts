import { openaiCompatible, storedPath } from '../openai-compatible/provider.ts';
import type { Provider } from '../provider.ts';

/** Tokens of Entra ID, which are JSON web tokens. */
const BEARER_PREFIX = 'eyJ';

const COMPLETE_BASE = /\/v1\/?$/;

/** What of the path a base address lacks. */
function versionOf(baseUrl: string): string {
  if (COMPLETE_BASE.test(baseUrl)) return '';
  return /\/openai\/?$/.test(baseUrl) ? '/v1' : '/openai/v1';
}

/**
 * Azure OpenAI's v1 interface. The base address is that of the resource,
 * `https://{resource}.openai.azure.com`; one that ends in /openai/v1 is taken as well. An
 * upstream's name of a model is that of its deployment.
 */
export const azureOpenai: Provider = {
  ...openaiCompatible,
  path: (protocol, operation, upstreamModel, baseUrl) =>
    versionOf(baseUrl) + openaiCompatible.path(protocol, operation, upstreamModel, baseUrl),
  storedPath: (kind, baseUrl) => versionOf(baseUrl) + storedPath(kind),
  // Its v1 interface has none.
  countPath: () => undefined,
  models: {
    ...openaiCompatible.models,
    path: (baseUrl) => `${versionOf(baseUrl)}/models`,
  },
  credentialHeaders: (credential) =>
    credential.startsWith(BEARER_PREFIX)
      ? ['authorization', `Bearer ${credential}`]
      : ['api-key', credential],
};
