import type { ReplyDialect } from '../dialect.ts';
import { MODEL_LISTS, type ModelEndpoint } from '../endpoint.ts';
import type { Protocol } from '../protocol.ts';
import { embedding } from './embedding.ts';
import { readImages } from './from-upstream/read-images.ts';
import { neutralForm } from './neutral-form.ts';
import {
  isServerSentEvents,
  isStreaming,
  parseRequest,
  type GeminiRequest,
} from './from-client/parse-request.ts';
import { geminiForms } from './pass-through/reply-forms.ts';
import { passThrough } from './pass-through/pass-through.ts';
import {
  errorJson,
  renderError,
  renderErrorEvent,
  renderErrorInArray,
} from './to-client/render-error.ts';
import { renderModel, renderModels } from './to-client/render-models.ts';
import { ARRAY_KEEP_ALIVE, EVENT_KEEP_ALIVE } from './wire/stream-frame.ts';

const GEMINI_DIALECT: ReplyDialect = {
  keepAlive: EVENT_KEEP_ALIVE,
  renderError,
  renderErrorEvent,
  renderCount: (totalTokens) => ({ totalTokens }),
};

/** Streams that are one JSON array: what Google sends where no server-sent events are asked for. */
const ARRAY_DIALECT: ReplyDialect = {
  keepAlive: ARRAY_KEEP_ALIVE,
  streamContentType: 'application/json; charset=utf-8',
  renderError: renderErrorInArray,
  renderErrorEvent: (refusal, requestId) => `[${errorJson(refusal, requestId)}]`,
};

/** Models are called by a verb behind their ID; these verbs are not served. */
const UNSERVED_VERB = /:(asyncbatchembedcontent|batchgeneratecontent|predict|predictlongrunning)$/;
/** `generateImages` of Google's SDKs. Google itself has switched off the models that it is for. */
const PREDICT_UNSERVED =
  'Images are not made by "predict" (generateImages) here. Send POST /v1/images/generations, or ask a Gemini model that makes images by "generateContent".';

/** Google's Gemini interface. */
export const gemini: Protocol<GeminiRequest> = {
  id: 'gemini',
  name: 'Gemini',
  endpoints: [
    callOf('generateContent', 'generate', 'Replies of a model'),
    callOf('streamGenerateContent', 'generate', 'Replies of a model'),
    callOf('embedContent', 'embed', 'Embeddings'),
    callOf('batchEmbedContents', 'embed', 'Embeddings'),
    callOf('countTokens', 'count', 'Counts of tokens'),
    ...MODEL_LISTS,
  ],
  basePath: '/v1beta',
  explainPath: (words) => {
    const verb = UNSERVED_VERB.exec(words.at(-1) ?? '')?.[1];
    if (words[0] !== 'models' || verb === undefined) return undefined;
    return verb === 'predict'
      ? PREDICT_UNSERVED
      : 'This method of Gemini’s models is not served here.';
  },
  keyHeaders: ['x-goog-api-key'],
  browserHeaders: ['x-goog-api-client'],
  usageMember: { name: 'usageMetadata' },
  ...GEMINI_DIALECT,
  outputLimitName: 'maxOutputTokens',
  headers: [],
  dialectOf: (endpoint, asked) =>
    isStreaming(endpoint) && !isServerSentEvents(asked.query()) ? ARRAY_DIALECT : GEMINI_DIALECT,
  parse: parseRequest,
  forms: geminiForms,
  passThrough,
  neutralForm,
  embedding,
  readImages,
  readCount: ({ totalTokens }) => (typeof totalTokens === 'number' ? totalTokens : undefined),
  sharesPath: (head) => isGeminiPath(head.path) || head.header('x-goog-api-key') !== '',
  renderModels,
  renderModel,
};

function callOf(
  verb: string,
  operation: ModelEndpoint['operation'],
  creates: string,
): ModelEndpoint {
  return { method: 'POST', path: `models/{model}:${verb}`, operation, creates };
}

/** Versions of Google's interface, and of Vertex AI's. */
const VERSIONS: readonly string[] = ['v1beta', 'v1alpha', 'v1beta1'];

/** Google's OpenAI-compatible interface is behind `/v1beta/openai`. */
function isGeminiPath(path: string): boolean {
  const words = path.toLowerCase().split('/');
  return VERSIONS.some((version) => words.includes(version)) && !words.includes('openai');
}
