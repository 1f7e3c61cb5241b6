import { PROTOCOL_IDS, type ProtocolId } from '@weir/shared/catalog/protocols';
import { quoted } from '../../start/terminal';
import type { RequestRow } from '../requests-state';

interface Call {
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: object;
  /** The body is a form, with these files among its fields. */
  readonly files?: Readonly<Record<string, string>>;
}

const BEARER = 'Authorization: Bearer $WEIR_API_KEY';
/** The placeholder of the prompt, which is not kept. */
const PROMPT = 'YOUR PROMPT';
const MESSAGES = [{ role: 'user', content: PROMPT }];

/** Replies of a session are asked for within it. */
type SingleProtocolId = Exclude<ProtocolId, 'openai-realtime'>;

/** The call that sends a request of each protocol again. */
const CALLS: Readonly<Record<SingleProtocolId, (model: string, stream: boolean) => Call>> = {
  'openai-chat': (model, stream) => ({
    path: '/v1/chat/completions',
    headers: [BEARER],
    body: { model, stream, messages: MESSAGES },
  }),
  'openai-completions': (model, stream) => ({
    path: '/v1/completions',
    headers: [BEARER],
    body: { model, stream, prompt: PROMPT },
  }),
  'openai-embeddings': (model) => ({
    path: '/v1/embeddings',
    headers: [BEARER],
    body: { model, input: PROMPT },
  }),
  'openai-images': (model, stream) => ({
    path: '/v1/images/generations',
    headers: [BEARER],
    body: { model, stream, prompt: PROMPT },
  }),
  'openai-moderations': (model) => ({
    path: '/v1/moderations',
    headers: [BEARER],
    body: { model, input: PROMPT },
  }),
  'openai-transcriptions': (model, stream) => ({
    path: '/v1/audio/transcriptions',
    headers: [BEARER],
    body: { model, stream, prompt: PROMPT },
    files: { file: 'speech.mp3' },
  }),
  'openai-speech': (model) => ({
    path: '/v1/audio/speech',
    headers: [BEARER],
    body: { model, voice: 'alloy', input: PROMPT },
  }),
  'openai-responses': (model, stream) => ({
    path: '/v1/responses',
    headers: [BEARER],
    body: { model, stream, input: PROMPT },
  }),
  'anthropic-messages': (model, stream) => ({
    path: '/v1/messages',
    headers: ['x-api-key: $WEIR_API_KEY', 'anthropic-version: 2023-06-01'],
    body: { model, stream, max_tokens: 1_024, messages: MESSAGES },
  }),
  rerank: (model) => ({
    path: '/v1/rerank',
    headers: [BEARER],
    body: { model, query: PROMPT, documents: [PROMPT] },
  }),
  gemini: (model, stream) => ({
    path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: ['x-goog-api-key: $WEIR_API_KEY'],
    body: { contents: [{ role: 'user', parts: [{ text: PROMPT }] }] },
  }),
};

/** Double quotes, so that the shell puts the key in. */
function header(text: string): string {
  return `  -H ${text.includes('$') ? `"${text}"` : quoted(text)}`;
}

/**
 * The command that sends a request again: its method, address, headers and model. Undefined where
 * the log has no protocol or model, and for a reply of a session.
 */
export function requestCurl(
  { protocol, model, stream }: Pick<RequestRow, 'protocol' | 'model' | 'stream'>,
  gatewayUrl: string,
): string | undefined {
  const id = PROTOCOL_IDS.find((known) => known === protocol);
  if (id === undefined || id === 'openai-realtime' || model === null) return undefined;
  const { path, headers, body, files } = CALLS[id](model, stream);
  const first = `curl -X POST ${quoted(gatewayUrl + path)}`;
  const type = files === undefined ? ['Content-Type: application/json'] : [];
  const sent =
    files === undefined
      ? [`  -d ${quoted(JSON.stringify(body))}`]
      : [
          ...Object.entries(files).map(([name, file]) => `  -F ${quoted(`${name}=@${file}`)}`),
          ...Object.entries(body).map(
            ([name, value]) => `  -F ${quoted(`${name}=${String(value)}`)}`,
          ),
        ];
  return [first, ...[...headers, ...type].map(header), ...sent].join(' \\\n');
}
