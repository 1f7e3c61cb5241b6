import { modelNames } from '../model-names.ts';
import { openaiCompatible } from '../openai-compatible/provider.ts';
import type { Provider } from '../provider.ts';
import { classifyError } from './classify-error.ts';

/** How tokens of Entra ID begin, which are JSON web tokens. */
const BEARER_BEGINNING = 'eyJ';

/** What of the path a base address lacks. */
function versionOf(baseUrl: string): string {
  if (/\/v1\/?$/.test(baseUrl)) return '';
  return /\/openai\/?$/.test(baseUrl) ? '/v1' : '/openai/v1';
}

/**
 * Azure OpenAI's v1 interface. The base address is that of the resource,
 * `https://{resource}.openai.azure.com`; one that ends in /openai/v1 is taken as well. An upstream's
 * name of a model is that of its deployment.
 */
export const azureOpenai: Provider = {
  ...openaiCompatible,
  path: (protocol, operation, upstreamModel, baseUrl) =>
    `${versionOf(baseUrl)}${openaiCompatible.path(protocol, operation, upstreamModel, baseUrl)}`,
  models: { path: (baseUrl) => `${versionOf(baseUrl)}/models`, names: modelNames },
  credentialHeaders: (credential) =>
    credential.startsWith(BEARER_BEGINNING)
      ? ['authorization', `Bearer ${credential}`]
      : ['api-key', credential],
  classifyError,
};
