import type { UpstreamKind } from './channels.ts';

/** The address of a vendor's own interface. */
export interface Home {
  readonly vendor: string;
  readonly host: RegExp;
  readonly kind: UpstreamKind;
  /** Returns the base address of a channel of that kind. */
  readonly base: (origin: string) => string;
  /** Paths of an OpenAI-compatible interface that it has as well. */
  readonly openai?: RegExp;
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
  { path: /(?:\/v1(?:alpha|beta)?)?\/models\/[^/]+:\w+$/, kinds: ['gemini'] },
];
