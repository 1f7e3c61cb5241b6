import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';
import type { Provider } from '../provider.ts';
import { classifyError, classifyReply, promptBlock } from './classify-error.ts';

/** OAuth access tokens of Google, which Vertex wants in Authorization. */
const BEARER_PREFIX = 'ya29.';

/** Base addresses that have the version in them, and Vertex's, which go on to the publisher. */
const COMPLETE_BASE = /\/(?:v1|v1beta|v1alpha|v1beta1|publishers\/[^/]+)\/?$/;

/**
 * Google's Gemini API, and Vertex under `…/publishers/google`. The base address is the origin; one
 * that ends in the version is taken as well.
 */
export const gemini: Provider = {
  speaks: ['gemini', 'vertex-predict'],
  speaksTo: (upstreamModel) => [IMAGEN.test(upstreamModel) ? 'vertex-predict' : 'gemini'],
  path: (protocol, operation, upstreamModel, baseUrl) => {
    const method = operation === 'embed' ? 'batchEmbedContents' : 'generateContent';
    const called = protocol === 'vertex-predict' ? 'predict' : method;
    return `${modelPath(upstreamModel, baseUrl)}:${called}`;
  },
  streamPath: (_protocol, upstreamModel, baseUrl) =>
    `${modelPath(upstreamModel, baseUrl)}:streamGenerateContent?alt=sse`,
  countPath: (_protocol, upstreamModel, baseUrl) =>
    `${modelPath(upstreamModel, baseUrl)}:countTokens`,
  credentialHeaders: (credential) =>
    credential.startsWith(BEARER_PREFIX)
      ? ['authorization', `Bearer ${credential}`]
      : ['x-goog-api-key', credential],
  models: { path: (baseUrl) => `${versionOf(baseUrl)}/models?pageSize=1000`, names: modelNames },
  findFailure: (reply: JsonObject) => promptBlock(reply),
  classifyError,
  classifyReply,
};

/** Names of resources, such as tuned models, have their collection in them. */
const RESOURCE = /^(?:models|tunedModels|endpoints)\//;

/** Models that make images and nothing else; they have a method of their own. */
export const IMAGEN = /^(?:models\/)?imagen-/;

/** What of the path a base address lacks. */
function versionOf(baseUrl: string): string {
  return COMPLETE_BASE.test(baseUrl) ? '' : '/v1beta';
}

function modelPath(upstreamModel: string, baseUrl: string): string {
  const name = RESOURCE.test(upstreamModel) ? upstreamModel : `models/${upstreamModel}`;
  return `${versionOf(baseUrl)}/${name.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * Names in `{models: [{name: "models/…"}]}`, without the collection; undefined when it is no list.
 */
function modelNames(reply: unknown): readonly string[] | undefined {
  const list = isJsonObject(reply) ? reply['models'] : undefined;
  if (!Array.isArray(list)) return undefined;
  return list
    .map((item: unknown) => (isJsonObject(item) ? item['name'] : undefined))
    .filter((name) => typeof name === 'string')
    .map((name) => name.replace(/^models\//, ''));
}
