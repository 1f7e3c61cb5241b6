import { ENDPOINTS } from '../protocols/registry.ts';

const POSTS = ENDPOINTS.map(({ path }) => {
  // Gemini's clients have a prefix of their own.
  const base = path.startsWith('models/') ? '/v1beta' : '/v1';
  return `POST ${base}/${path}`;
}).join(', ');

/** What this service serves. */
export const SERVED = `Served are ${POSTS}, GET /v1/models and GET /v1/models/{id}.`;

/** Which base address a client wants. */
export const BASE_ADDRESS =
  'The base address is https://<host>/v1 for clients that expect /v1 in it, such as the OpenAI SDKs, and https://<host> for clients that add /v1 or /v1beta themselves.';

export const BASE_ALONE = `This is the base address alone, without an endpoint. If your client has a setting for the whole address, enter https://<host>/v1/chat/completions there. ${SERVED}`;

export const GEMINI_VERB_UNSERVED = `This method of Gemini’s models is not served here. ${SERVED}`;

const OLLAMA_UNSERVED = `Ollama’s interface is not served here. Set your client to an OpenAI-compatible service. ${SERVED} ${BASE_ADDRESS}`;

const STORED_UNSERVED = `Chat completions are not stored here and cannot be read back. ${SERVED}`;

const RESPONSES_UNSERVED = `Responses have no such path. A stored response is at /v1/responses/{id}, with /cancel or /input_items behind it. ${SERVED}`;

const CONVERSATIONS_UNSERVED = `Conversations have no such path. One is at /v1/conversations/{id}, with /items or /items/{id} behind it. ${SERVED}`;

const UNKNOWN = `No such path. ${SERVED} ${BASE_ADDRESS}`;

/** Endpoints of well-known interfaces that are not served, by their first word. */
const UNSERVED = new Map([
  ['messages', 'Anthropic’s interface for batches (/v1/messages/batches)'],
  ['complete', 'Anthropic’s Text Completions interface (/v1/complete)'],
  ['images', 'The images interface (/v1/images)'],
  ['videos', 'The videos interface (/v1/videos)'],
  ['audio', 'The audio interface (/v1/audio)'],
  ['moderations', 'The moderations interface (/v1/moderations)'],
  ['realtime', 'The realtime interface (/v1/realtime)'],
  ['rerank', 'The rerank interface (/v1/rerank)'],
  ['files', 'The files interface (/v1/files)'],
  ['uploads', 'The uploads interface (/v1/uploads)'],
  ['batches', 'The batches interface (/v1/batches)'],
  ['assistants', 'The assistants interface (/v1/assistants)'],
  ['threads', 'The assistants interface (/v1/threads)'],
  ['vector_stores', 'The vector stores interface (/v1/vector_stores)'],
  ['fine_tuning', 'The fine-tuning interface (/v1/fine_tuning)'],
  ['containers', 'The containers interface (/v1/containers)'],
  ['evals', 'The evals interface (/v1/evals)'],
  ['skills', 'The skills interface (/v1/skills)'],
  ['engines', 'The engines interface (/v1/engines)'],
  ['organization', 'The interface of organizations (/v1/organization)'],
  ['organizations', 'The interface of organizations (/v1/organizations)'],
  ['credits', 'The billing interface (/v1/credits); the balance is in the console. It'],
  ['generation', 'The interface of past requests (/v1/generation); they are in the console. It'],
  [
    'dashboard',
    'The billing interface (/dashboard/billing); balance and usage are in the console. It',
  ],
]);

const OLLAMA_WORDS = new Set([
  'chat',
  'generate',
  'tags',
  'show',
  'ps',
  'version',
  'embed',
  'embeddings',
  'pull',
]);

/** Whether a word begins the paths of a well-known interface that is not served. */
export function isUnserved(word: string): boolean {
  return UNSERVED.has(word);
}

/**
 * Says what a path that is not served looks like, and what to do about it.
 * @param words the path's parts in small letters
 * @param start where the parts behind /v1, /api and the like begin
 */
export function explainUnknownPath(words: readonly string[], start: number): string {
  const first = words[start] ?? '';
  const last = words.at(-1) ?? '';
  if (words[start - 1] === 'api' && OLLAMA_WORDS.has(first)) return OLLAMA_UNSERVED;
  if (first === 'chat') {
    return words[start + 1] === 'completions'
      ? STORED_UNSERVED
      : `No such path. Chat completions are created at /v1/chat/completions. ${BASE_ADDRESS}`;
  }
  if (first === 'responses') return RESPONSES_UNSERVED;
  if (first === 'conversations') return CONVERSATIONS_UNSERVED;
  const unserved = UNSERVED.get(first);
  if (unserved !== undefined) return `${unserved} is not served here. ${SERVED}`;
  // Something stands between the host and the endpoint that is none of ours.
  if (last === 'models' || words.includes('v1', start)) {
    return `No such path: the base address has something in it that does not belong there. ${BASE_ADDRESS}`;
  }
  return UNKNOWN;
}
