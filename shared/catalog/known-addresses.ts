import type { UpstreamKind } from './channels.ts';

/** The address of a vendor's own interface. */
export interface Home {
  readonly vendor: string;
  readonly host: RegExp;
  readonly kind: UpstreamKind;
  /** Returns the base address to write for a channel of that kind. */
  readonly base: (origin: string, path: string) => string;
  /** The paths that a base address of that kind has; absent: any. */
  readonly paths?: RegExp;
  /** Paths of interfaces of other kinds that it has as well. */
  readonly openai?: RegExp;
  readonly anthropic?: RegExp;
  readonly gemini?: RegExp;
}

const itself = (origin: string): string => origin;

export const HOMES: readonly Home[] = [
  {
    vendor: 'OpenAI',
    host: /^api\.openai\.com$/,
    kind: 'openai',
    base: (origin) => `${origin}/v1`,
  },
  {
    vendor: 'Anthropic',
    host: /^api\.anthropic\.com$/,
    kind: 'anthropic',
    base: itself,
    openai: /\/v1$/,
  },
  {
    vendor: 'Gemini',
    host: /^generativelanguage\.googleapis\.com$/,
    kind: 'gemini',
    base: itself,
    openai: /\/openai$/,
  },
  {
    vendor: 'Azure OpenAI',
    host: /\.openai\.azure\.com$/,
    kind: 'azure',
    base: itself,
    openai: /\/openai\/v1$/,
  },
  {
    vendor: 'Amazon Bedrock',
    host: /^(?:[\w-]+\.)?bedrock-(?:runtime|mantle)(?:-fips)?\.[a-z0-9-]+\.(?:vpce\.)?(?:amazonaws\.com(?:\.cn)?|api\.aws)$/,
    kind: 'bedrock',
    // The path says which of its interfaces is meant.
    base: (origin, path) => origin + path,
    openai: /\/(?:openai\/)?v1$/,
    anthropic: /\/anthropic(?:\/v1)?$/,
  },
  {
    vendor: 'Vertex AI',
    host: /^(?:[a-z0-9-]+-)?aiplatform\.googleapis\.com$|^aiplatform\.[a-z0-9-]+\.rep\.googleapis\.com$/,
    kind: 'vertex',
    base: (origin) => `${origin}/v1/projects/{project}/locations/{location}`,
    // Without a project it is the "express mode" of API keys.
    paths: /^\/v1(?:beta1)?(?:\/projects\/[^/{}]+\/locations\/[^/{}]+)?$/,
    openai: /\/endpoints\/openapi$/,
    gemini: /\/publishers\/google$/,
  },
];

/** The end of an endpoint's path, which Weir adds, and what may speak it. */
export interface EndpointPath {
  readonly path: RegExp;
  readonly kinds: readonly [UpstreamKind, ...UpstreamKind[]];
}

export const ENDPOINT_PATHS: readonly EndpointPath[] = [
  { path: /\/openai\/deployments\/.*$/, kinds: ['azure'] },
  {
    path: /\/(?:chat\/completions|completions|embeddings|responses)$/,
    kinds: ['openai', 'azure'],
  },
  { path: /\/(?:v1\/)?messages(?:\/count_tokens)?$/, kinds: ['anthropic'] },
  { path: /\/model\/[^/]+\/(?:invoke|converse)[\w-]*$/, kinds: ['bedrock'] },
  {
    path: /\/publishers\/(?:google|anthropic)\/models\/[^/]+:\w+$/,
    kinds: ['vertex'],
  },
  { path: /(?:\/v1(?:alpha|beta)?)?\/models\/[^/]+:\w+$/, kinds: ['gemini'] },
];
