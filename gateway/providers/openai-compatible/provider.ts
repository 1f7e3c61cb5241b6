import type { UpstreamProtocolId, StoredKind } from '../../protocols/protocol.ts';
import { modelNames } from '../model-names.ts';
import type { Provider } from '../provider.ts';
import { classifyError, classifyReply } from './classify-error.ts';
import { minimaxFailure } from './minimax-error.ts';
import { isJsonObject } from '../../platform/json/json-value.ts';
import { errorBody } from '../error-body.ts';

const NOT_FOUND_CODES: ReadonlySet<unknown> = new Set([
  'previous_response_not_found',
  'response_not_found',
]);
const MODEL_CODES: ReadonlySet<unknown> = new Set(['model_not_found', 'DeploymentNotFound']);
const NOT_FOUND = 404;

/** Recognises an upstream that has forgotten what was stored, which it reports with 400 or 404. */
function lacksStored(status: number, body: Buffer): boolean {
  const reply = errorBody(body);
  // The last event of a stream has the whole response in it.
  const { error } = isJsonObject(reply['response']) ? reply['response'] : reply;
  const { code, param } = isJsonObject(error) ? error : {};
  const isReply = NOT_FOUND_CODES.has(code) || param === 'previous_response_id';
  return (status < 500 && isReply) || (status === NOT_FOUND && !MODEL_CODES.has(code));
}

/** The paths behind the base address, by what is spoken there. */
export const PATHS: Readonly<Partial<Record<UpstreamProtocolId, string>>> = {
  'openai-chat': '/chat/completions',
  'openai-responses': '/responses',
  'openai-completions': '/completions',
  'openai-embeddings': '/embeddings',
  'openai-images': '/images/generations',
  'openai-moderations': '/moderations',
  'openai-transcriptions': '/audio/transcriptions',
  'openai-speech': '/audio/speech',
  rerank: '/rerank',
};

export function storedPath(kind: StoredKind): string {
  return kind === 'reply' ? '/responses' : '/conversations';
}

const SPOKEN = [
  'openai-chat',
  'openai-completions',
  'openai-embeddings',
  'openai-images',
  'openai-moderations',
  'openai-transcriptions',
  'openai-speech',
  'openai-realtime',
  'rerank',
] as const;

/**
 * OpenAI and everything that serves its paths behind a base address that ends in /v1 or the like.
 */
export const openaiCompatible: Provider = {
  speaks: SPOKEN,
  // Few of those who serve its paths serve Responses; a channel says so.
  maySpeak: [...SPOKEN, 'openai-responses'],
  path: (protocol, operation, upstreamModel) => {
    if (operation === 'realtime') return `/realtime?model=${encodeURIComponent(upstreamModel)}`;
    if (operation === 'compact') return '/responses/compact';
    if (operation === 'edit') return '/images/edits';
    if (operation === 'translate') return '/audio/translations';
    const path = PATHS[protocol];
    if (path === undefined) throw new Error(`an OpenAI-compatible upstream has no ${protocol}`);
    return path;
  },
  countPath: (protocol) =>
    protocol === 'openai-responses' ? '/responses/input_tokens' : undefined,
  storedPath,
  credentialHeaders: (credential) => ['authorization', `Bearer ${credential}`],
  models: { path: () => '/models', names: modelNames },
  findFailure: minimaxFailure,
  classifyError,
  classifyReply,
  lacksStored,
};
