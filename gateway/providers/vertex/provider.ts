import { isJsonObject } from '../../platform/json/json-value.ts';
import type { Envelope } from '../../protocols/envelope.ts';
import type { UpstreamProtocolId } from '../../protocols/protocol.ts';
import { gemini, IMAGEN } from '../gemini/provider.ts';
import type { Provider } from '../provider.ts';
import { CONTEXT_BETAS, VERTEX_BETAS, VERTEX_COUNT_BETAS } from './betas.ts';
import { classifyError, classifyReply } from './classify-error.ts';
import { vertexMinting } from './credentials/minting.ts';

/** The hosts of Vertex AI: of `global`, of a region, and of several regions. */
const GOOGLE_HOST = /^(?:[\w-]+-)?aiplatform(?:\.\w+\.rep)?\.googleapis\.com$/;
const MULTI_REGIONS: ReadonlySet<string> = new Set(['us', 'eu']);
const LOCATION = /(?<=\/locations\/)[^/]+/;

/**
 * Returns the base address of another location. A host that is not Google's, such as a private
 * endpoint or a gateway before Vertex, keeps its name: it is told the location by the path alone.
 * An address of express mode has no location.
 */
function atLocation(baseUrl: string, location: string): string {
  if (!LOCATION.test(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(LOCATION, location);
  if (GOOGLE_HOST.test(url.hostname)) url.hostname = hostOf(location);
  return url.href.replace(/\/$/, '');
}

/** Returns `{project}/{location}`; undefined of express mode. */
function placeOf(baseUrl: string): string | undefined {
  const [, project, location] = /\/projects\/([^/]+)\/locations\/([^/]+)/.exec(baseUrl) ?? [];
  return project === undefined ? undefined : `${project}/${location ?? ''}`;
}

function hostOf(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return MULTI_REGIONS.has(location)
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-aiplatform.googleapis.com`;
}

/** API keys; everything else is an OAuth token. */
const API_KEY = /^(?:AIza|AQ\.)/;
/** With an API key there is no project and no location: Google's "express mode". */
const EXPRESS_BASE = /\/v1(?:beta1)?$/;
/** A tuned model has an endpoint of its own. */
const ENDPOINT = /^endpoints\/\d+$/;

/** Google's embeddings of texts: `text-embedding-005`, `gemini-embedding-001` and such. */
const EMBEDDING = /^(?:text-|gemini-|text-multilingual-)?embedding|^textembedding-/;

const GENERATED: Envelope = {
  version: 'vertex-2023-10-16',
  // What @anthropic-ai/vertex-sdk 1.1.3 sends.
  clientVersions: new Set(['2026-10-21']),
  membersInPath: ['model'],
  betas: VERTEX_BETAS,
  betasInHeader: true,
  membersOfBetas: new Map([['context_management', CONTEXT_BETAS]]),
  // Its beta is none of those that are taken there.
  refusedMembers: ['speed'],
};
const COUNTED: Envelope = { ...GENERATED, membersInPath: [], betas: VERTEX_COUNT_BETAS };

/**
 * Google's Vertex AI. The base address has project and location,
 * `https://{host}/v1/projects/{project}/locations/{location}`, or ends in `/v1` for an API key.
 * Gemini and Claude are served in their own protocols, models of other publishers
 * (`{publisher}/{model}`) in OpenAI's.
 */
export const vertex: Provider = {
  speaks: ['gemini', 'anthropic-messages', 'openai-chat', 'vertex-predict'],
  speaksTo: (upstreamModel, baseUrl) => [protocolOf(upstreamModel, baseUrl)],
  path: (protocol, _operation, upstreamModel) => {
    switch (protocol) {
      case 'anthropic-messages':
        return `${claudePath(upstreamModel)}:rawPredict`;
      case 'gemini':
        return `${geminiModel(upstreamModel)}:generateContent`;
      case 'vertex-predict':
        return `${geminiModel(upstreamModel)}:predict`;
      default:
        return '/endpoints/openapi/chat/completions';
    }
  },
  streamPath: (protocol, upstreamModel) => {
    switch (protocol) {
      case 'anthropic-messages':
        return `${claudePath(upstreamModel)}:streamRawPredict`;
      case 'gemini':
        return `${geminiModel(upstreamModel)}:streamGenerateContent?alt=sse`;
      default:
        return '/endpoints/openapi/chat/completions';
    }
  },
  countPath: (protocol, upstreamModel) => {
    if (protocol === 'gemini') return `${geminiModel(upstreamModel)}:countTokens`;
    return protocol === 'anthropic-messages'
      ? `${claudePath('count-tokens')}:rawPredict`
      : undefined;
  },
  envelope: (protocol, _baseUrl, operation) => {
    if (protocol !== 'anthropic-messages') return undefined;
    return operation === 'count' ? COUNTED : GENERATED;
  },
  atLocation,
  placeOf,
  minting: vertexMinting,
  credentialHeaders: (credential) =>
    API_KEY.test(credential)
      ? ['x-goog-api-key', credential]
      : ['authorization', `Bearer ${credential}`],
  models: {
    // The list is the publisher's, in another version of the interface.
    baseUrl: (baseUrl) => `${new URL(baseUrl).origin}/v1beta1`,
    path: () => '/publishers/google/models?pageSize=300',
    headers: (baseUrl) => {
      const project = /\/projects\/([^/]+)/.exec(baseUrl)?.[1];
      return project === undefined ? [] : ['x-goog-user-project', project];
    },
    names: modelNames,
  },
  findFailure: gemini.findFailure,
  classifyError,
  classifyReply,
};

function protocolOf(upstreamModel: string, baseUrl: string): UpstreamProtocolId {
  if (EMBEDDING.test(upstreamModel) || IMAGEN.test(upstreamModel)) return 'vertex-predict';
  if (EXPRESS_BASE.test(baseUrl) || ENDPOINT.test(upstreamModel)) return 'gemini';
  if (upstreamModel.startsWith('claude')) return 'anthropic-messages';
  return upstreamModel.includes('/') ? 'openai-chat' : 'gemini';
}

function claudePath(upstreamModel: string): string {
  return `/publishers/anthropic/models/${segment(upstreamModel)}`;
}

function geminiModel(upstreamModel: string): string {
  return ENDPOINT.test(upstreamModel)
    ? `/${upstreamModel}`
    : `/publishers/google/models/${segment(upstreamModel)}`;
}

/** Ids have `@` before their date. A `;` would begin parameters, and the method behind be lost. */
function segment(upstreamModel: string): string {
  return encodeURIComponent(upstreamModel).replaceAll('%40', '@');
}

/** Names in `{publisherModels: [{name: "publishers/google/models/…"}]}`. */
function modelNames(reply: unknown): readonly string[] | undefined {
  const list = isJsonObject(reply) ? reply['publisherModels'] : undefined;
  if (!Array.isArray(list)) return undefined;
  return list
    .map((item: unknown) => (isJsonObject(item) ? item['name'] : undefined))
    .filter((name) => typeof name === 'string')
    .map((name) => name.slice(name.lastIndexOf('/') + 1));
}
