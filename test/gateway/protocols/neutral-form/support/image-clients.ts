/** Reads text and images of replies as clients of each protocol do. */
import { isRefusal } from '../../../../../gateway/platform/errors/refusal.ts';
import {
  REQUEST_LIMITS,
  type ParsedRequest,
  type ProtocolId,
} from '../../../../../gateway/protocols/protocol.ts';
import { ENDPOINTS } from '../../../../../gateway/protocols/registry.ts';

type Body = Readonly<Record<string, unknown>>;

export interface Seen {
  readonly text: string;
  /** Images as `data:` URLs, or their URLs. */
  readonly images: readonly string[];
  /** The end of the reply, in the protocol's word. */
  readonly end: unknown;
}

export interface ImageClient {
  readonly protocol: ProtocolId;
  /** The word for a plain end. */
  readonly plainEnd: string;
  readonly path: string;
  readonly streamPath: string;
  readonly body: object;
  seen(reply: Body): Seen;
  /** @param events the data of each event of a stream */
  seenIn(events: readonly Body[]): Seen;
}

/** All objects in a value, itself included. */
export function objectsIn(value: unknown): Body[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Body, ...Object.values(value).flatMap(objectsIn)];
}

function strings(found: readonly unknown[]): string[] {
  return found.filter((one) => typeof one === 'string');
}

function inChat(messages: readonly Body[], reasons: readonly unknown[]): Seen {
  const images = objectsIn(messages.map(({ images }) => images));
  return {
    text: strings(messages.map(({ content }) => content)).join(''),
    images: strings(images.filter(({ type }) => type !== 'image_url').map(({ url }) => url)),
    end: reasons.at(-1),
  };
}

const chat: ImageClient = {
  protocol: 'openai-chat',
  plainEnd: 'stop',
  path: 'chat/completions',
  streamPath: 'chat/completions',
  body: { messages: [{ role: 'user', content: 'Draw.' }] },
  seen: (reply) => {
    const choices = objectsIn(reply['choices']);
    const messages = choices.flatMap(({ message }) => (message ? [message as Body] : []));
    return inChat(messages, reasonsIn(choices));
  },
  seenIn: (events) => {
    const choices = objectsIn(events.map((event) => event['choices']));
    const deltas = choices.flatMap(({ delta }) => (delta ? [delta as Body] : []));
    return inChat(deltas, reasonsIn(choices));
  },
};

function reasonsIn(choices: readonly Body[]): unknown[] {
  return choices.map((choice) => choice['finish_reason']).filter((reason) => reason);
}

const messages: ImageClient = {
  protocol: 'anthropic-messages',
  plainEnd: 'end_turn',
  path: 'messages',
  streamPath: 'messages',
  body: { max_tokens: 100, messages: [{ role: 'user', content: 'Draw.' }] },
  seen: (reply) => ({
    text: strings(objectsIn(reply['content']).map(({ text }) => text)).join('|'),
    images: [],
    end: reply['stop_reason'],
  }),
  seenIn: (events) => {
    const starts = events.filter(({ type }) => type === 'content_block_start');
    const texts = starts.map(({ index }) =>
      strings(
        events
          .filter((event) => event['index'] === index)
          .flatMap(objectsIn)
          .filter(({ type }) => type === 'text_delta')
          .map(({ text }) => text),
      ).join(''),
    );
    const end = objectsIn(events).find((one) => typeof one['stop_reason'] === 'string');
    return { text: texts.join('|'), images: [], end: end?.['stop_reason'] };
  },
};

function imageIn({ type, result, output_format: format }: Body): string[] {
  return type === 'image_generation_call' && typeof result === 'string'
    ? [`data:image/${String(format)};base64,${result}`]
    : [];
}

const responses: ImageClient = {
  protocol: 'openai-responses',
  plainEnd: 'completed',
  path: 'responses',
  streamPath: 'responses',
  body: { input: 'Draw.' },
  seen: (reply) => ({
    text: strings(objectsIn(reply['output']).map(({ text }) => text)).join('|'),
    images: objectsIn(reply['output']).flatMap(imageIn),
    end: reply['status'],
  }),
  seenIn: (events) => {
    const items = events
      .filter(({ type }) => type === 'response.output_item.done')
      .flatMap((event) => objectsIn(event['item']));
    return {
      text: strings(items.map(({ text }) => text)).join('|'),
      images: items.flatMap(imageIn),
      end: (events.at(-1)?.['response'] as Body | undefined)?.['status'],
    };
  },
};

function inGemini(chunks: readonly unknown[]): Seen {
  const all = objectsIn(chunks);
  return {
    text: strings(all.map(({ text }) => text)).join(''),
    images: all.flatMap(({ mimeType, data }) =>
      typeof data === 'string' ? [`data:${String(mimeType)};base64,${data}`] : [],
    ),
    end: all.map(({ finishReason }) => finishReason).findLast((reason) => reason),
  };
}

const gemini: ImageClient = {
  protocol: 'gemini',
  plainEnd: 'STOP',
  path: 'models/{model}:generateContent',
  streamPath: 'models/{model}:streamGenerateContent',
  body: { contents: [{ role: 'user', parts: [{ text: 'Draw.' }] }] },
  seen: (reply) => inGemini([reply]),
  seenIn: inGemini,
};

export const IMAGE_CLIENTS: readonly ImageClient[] = [chat, messages, responses, gemini];

/** A checked request of a client. */
export function requestOf(
  client: ImageClient,
  stream: boolean,
  fields: object = {},
): ParsedRequest {
  const { path, streamPath, protocol, body } = client;
  const wanted = stream ? streamPath : path;
  const found = ENDPOINTS.find((one) => one.path.endsWith(wanted) && one.protocol.id === protocol);
  if (found === undefined) throw new Error(`${wanted} is not served`);
  const isGemini = protocol === 'gemini';
  const own = isGemini ? {} : { model: 'm', ...(stream ? { stream } : {}) };
  const sent = Buffer.from(JSON.stringify({ ...own, ...body, ...fields }));
  const head = {
    endpoint: found,
    pathModel: isGemini ? 'm' : null,
    query: isGemini && stream ? 'alt=sse' : '',
    headers: {},
  };
  const request = found.protocol.parse(sent, head, REQUEST_LIMITS);
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

/** The data of each event in a stream. */
export function eventsIn(stream: string): Body[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Body);
}
