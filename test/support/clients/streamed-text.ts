import { isJsonObject, type JsonObject } from '../../../gateway/platform/json/json-value.ts';
import { readEvents } from '../../../gateway/protocols/sse/read-events.ts';

type Spoken = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini';

/**
 * Returns the text of a stream as a client of the protocol reads it: the first end of the reply is
 * its last word, but on chat completions, which SDKs read to the end marker. Throws where the
 * stream has no end.
 */
export function streamedText(protocol: Spoken, stream: string): string {
  let text = '';
  let ended = false;
  for (const event of eventsOf(stream)) {
    const { piece, ends } = READERS[protocol](event);
    if (!ended || protocol === 'openai-chat') text += piece;
    ended ||= ends;
  }
  if (!ended) throw new Error(`the stream has no end: ${stream}`);
  return text;
}

/** Returns the events of a stream that are JSON objects. */
export function eventsOf(stream: string): JsonObject[] {
  return readEvents(Buffer.from(stream))
    .map(({ data }) => data.toString())
    .filter((data) => data.startsWith('{'))
    .map((data) => JSON.parse(data) as JsonObject);
}

interface Reading {
  readonly piece: string;
  readonly ends: boolean;
}

const READERS: Readonly<Record<Spoken, (event: JsonObject) => Reading>> = {
  'openai-chat': (event) => {
    const choice = at(event, 'choices', '0');
    const piece = at(choice, 'delta', 'content');
    return { piece: textOf(piece), ends: typeof at(choice, 'finish_reason') === 'string' };
  },
  'openai-responses': (event) => ({
    piece: event['type'] === 'response.output_text.delta' ? textOf(event['delta']) : '',
    ends: event['type'] === 'response.completed',
  }),
  'anthropic-messages': (event) => ({
    piece: textOf(at(event, 'delta', 'text')),
    ends: event['type'] === 'message_delta' && at(event, 'delta', 'stop_reason') !== null,
  }),
  gemini: (event) => {
    const candidate = at(event, 'candidates', '0');
    const piece = at(candidate, 'content', 'parts', '0', 'text');
    return { piece: textOf(piece), ends: typeof at(candidate, 'finishReason') === 'string' };
  },
};

function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (Array.isArray(found)) found = (found as unknown[])[Number(name)];
    else found = isJsonObject(found) ? found[name] : undefined;
  }
  return found;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
