import { describe, expect, it } from 'vitest';
import { anthropicMessages } from '../../../../gateway/protocols/anthropic-messages/protocol.ts';
import { gemini } from '../../../../gateway/protocols/gemini/protocol.ts';
import type { NeutralForm } from '../../../../gateway/protocols/neutral-form/neutral-form.ts';
import type { NeutralEvent } from '../../../../gateway/protocols/neutral-form/reply.ts';
import type { AssistantPart } from '../../../../gateway/protocols/neutral-form/request.ts';
import { isGenerating } from '../../../../gateway/protocols/neutral-form/translations/translate.ts';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { REQUEST_LIMITS, type Protocol } from '../../../../gateway/protocols/protocol.ts';
import { codecsFor, ENDPOINTS } from '../../../../gateway/protocols/registry.ts';
import { targetOf } from '../../../support/upstreams/target.ts';

type Json = Readonly<Record<string, unknown>>;

const PAGE = { url: 'https://a.example/', title: 'A page' };
const OTHER = { url: 'https://b.example/', title: '' };
/** Letters of two and four bytes: places of Gemini are bytes. */
const FIRST = 'Grüße 🌧. ';
const SECOND = 'Es gießt.';

function formOf(protocol: Protocol): NeutralForm {
  if (!isGenerating(protocol)) throw new Error(`${protocol.id} is not translated`);
  return protocol.neutralForm;
}

function readWhole(protocol: Protocol, reply: Json): readonly AssistantPart[] {
  const read = formOf(protocol).readReply(Buffer.from(JSON.stringify(reply)), () => undefined);
  if (read === undefined) throw new Error('no reply');
  return read.parts;
}

/** The citations of a stream, with the text that had come before each. */
function readStreamed(protocol: Protocol, events: readonly Json[]) {
  const reader = formOf(protocol).readStream(() => undefined);
  let text = '';
  return events
    .flatMap((event) => [...reader.read('', Buffer.from(JSON.stringify(event)))])
    .flatMap((event) => {
      if (event.type === 'text') text += event.text;
      return event.type === 'citation' ? [{ ...event.citation, text }] : [];
    });
}

const WHOLE: readonly AssistantPart[] = [
  { type: 'text', text: FIRST },
  {
    type: 'text',
    text: SECOND,
    citations: [{ ...PAGE, start: FIRST.length, end: FIRST.length + SECOND.length }],
  },
];
const EVENTS: readonly NeutralEvent[] = [
  { type: 'start', id: 'r' },
  { type: 'text', text: FIRST },
  { type: 'text', text: SECOND },
  { type: 'citation', citation: { ...PAGE, start: 10, end: 18 } },
  { type: 'citation', citation: { ...OTHER, start: 0, end: 5 } },
  { type: 'end', reason: 'stop' },
];

function first(protocol: Protocol, path: RegExp, body: Json) {
  const endpoint = protocol.endpoints.find((one) => path.test(one.path));
  if (endpoint === undefined) throw new Error('no endpoint');
  const head = { endpoint, pathModel: 'm', query: 'alt=sse', headers: {} };
  const request = protocol.parse(Buffer.from(JSON.stringify(body)), head, REQUEST_LIMITS);
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

function messagesRequest(messages: readonly Json[]) {
  return first(anthropicMessages, /^messages$/, { model: 'm', max_tokens: 9, messages });
}

function geminiRequest() {
  const contents = [{ role: 'user', parts: [{ text: 'U' }] }];
  return first(gemini, /:streamGenerateContent$/, { contents });
}

function written(protocol: Protocol, request: ReturnType<typeof messagesRequest>) {
  const form = formOf(protocol);
  const reply = { id: 'r', parts: WHOLE, end: 'stop', usage: null } as const;
  const writer = form.writeStream(request);
  const stream = EVENTS.map((event) => writer.write(event)).join('') + writer.endMarker(null);
  return {
    whole: JSON.parse(form.writeReply(reply, request, null).toString()) as Json,
    events: [...stream.matchAll(/data: (\{.*\})/g)].map(
      ([, data = '']) => JSON.parse(data) as Json,
    ),
  };
}

const CITATION = {
  type: 'web_search_result_location',
  ...PAGE,
  cited_text: 'It pours.',
  encrypted_index: 'Eo8B',
};
const DOCUMENT = { type: 'char_location', document_index: 0, cited_text: 'x' };

describe('pages that a reply of Messages cites', () => {
  const content = [
    { type: 'text', text: FIRST },
    { type: 'text', text: SECOND, citations: [CITATION, DOCUMENT] },
  ];

  it('are read of the whole block', () => {
    const message = { id: 'msg_1', type: 'message', role: 'assistant', content };
    expect(readWhole(anthropicMessages, message)).toEqual(WHOLE);
  });

  it('are read when their block has ended', () => {
    const message = { id: 'msg_1', type: 'message', content: [] };
    const events = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: FIRST } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'citations_delta', citation: CITATION },
      },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: SECOND } },
      { type: 'content_block_stop', index: 1 },
    ];
    expect(readStreamed(anthropicMessages, events)).toEqual([
      { ...PAGE, start: FIRST.length, end: FIRST.length + SECOND.length, text: FIRST + SECOND },
    ]);
  });

  it('are written as of a search', () => {
    const request = messagesRequest([{ role: 'user', content: 'U' }]);
    const { whole, events } = written(anthropicMessages, request);
    const citation = { ...CITATION, cited_text: '', encrypted_index: '' };
    expect(whole['content']).toEqual([
      { type: 'text', text: FIRST },
      { type: 'text', text: SECOND, citations: [citation] },
    ]);
    const deltas = events.map(({ delta }) => delta as Json | undefined);
    expect(deltas.filter((delta) => delta?.['type'] === 'citations_delta')).toEqual([
      { type: 'citations_delta', citation },
      { type: 'citations_delta', citation: { ...citation, ...OTHER } },
    ]);
  });

  it('of another vendor do not reach Anthropic in the next turn, its own do', () => {
    const foreign = { ...CITATION, encrypted_index: '' };
    const request = messagesRequest([
      { role: 'user', content: 'U' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: FIRST, citations: [foreign] },
          { type: 'text', text: SECOND, citations: [foreign, CITATION] },
        ],
      },
      { role: 'user', content: 'U' },
    ]);
    const endpoint = ENDPOINTS.find(({ path }) => path === 'messages');
    const [codec] = endpoint === undefined ? [] : codecsFor(endpoint, ['anthropic-messages']);
    const encoded = codec?.encode(request, targetOf({}, 'anthropic-messages'));
    if (encoded === undefined || isRefusal(encoded)) throw new Error('nothing is sent');
    const { messages } = JSON.parse(encoded.body.toString()) as { messages: readonly Json[] };
    expect(messages[1]?.['content']).toEqual([
      { type: 'text', text: FIRST },
      { type: 'text', text: SECOND, citations: [CITATION] },
    ]);
  });
});

const BYTES_BEFORE = Buffer.byteLength(FIRST);
const SEGMENT = { startIndex: 0, endIndex: Buffer.byteLength(SECOND), text: SECOND };
const CHUNK = { web: { uri: PAGE.url, title: PAGE.title } };

describe('pages that a reply of Gemini cites', () => {
  const parts = [{ text: 'hm', thought: true }, { text: FIRST }, { functionCall: { name: 'f' } }];

  it('are read with places in characters, of the part that they name', () => {
    const candidate = {
      content: { role: 'model', parts: [...parts, { text: SECOND }] },
      finishReason: 'STOP',
      groundingMetadata: {
        groundingChunks: [CHUNK, { retrievedContext: { uri: 'x' } }],
        groundingSupports: [
          { segment: { partIndex: 3, ...SEGMENT }, groundingChunkIndices: [0, 1] },
        ],
      },
      citationMetadata: {
        citationSources: [{ startIndex: 0, endIndex: Buffer.byteLength('Grüße'), uri: OTHER.url }],
      },
    };
    const texts = readWhole(gemini, { candidates: [candidate] }).filter(
      ({ type }) => type === 'text',
    );
    const [cited] = WHOLE.slice(1);
    expect(texts).toEqual([
      { type: 'text', text: FIRST, citations: [{ ...OTHER, start: 0, end: 5 }] },
      cited,
    ]);
  });

  it('are read once of a stream that repeats them, with places in all of its text', () => {
    const segment = {
      startIndex: BYTES_BEFORE,
      endIndex: BYTES_BEFORE + Buffer.byteLength(SECOND),
    };
    const groundingMetadata = {
      groundingChunks: [CHUNK],
      groundingSupports: [{ segment, groundingChunkIndices: [0] }],
    };
    const chunk = (text: string, more: Json) => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, ...more, index: 0 }],
    });
    const events = [
      chunk(FIRST, {}),
      chunk(SECOND, { groundingMetadata }),
      chunk('', { groundingMetadata, finishReason: 'STOP' }),
    ];
    expect(readStreamed(gemini, events)).toEqual([
      { ...PAGE, start: FIRST.length, end: FIRST.length + SECOND.length, text: FIRST + SECOND },
    ]);
  });

  it('are written as of a search, with places in bytes', () => {
    const { whole, events } = written(gemini, geminiRequest());
    expect(whole).toMatchObject({
      candidates: [
        {
          groundingMetadata: {
            groundingChunks: [CHUNK],
            groundingSupports: [
              { segment: { partIndex: 1, ...SEGMENT }, groundingChunkIndices: [0] },
            ],
          },
        },
      ],
    });
    const [last] = (events.at(-1)?.['candidates'] ?? []) as Json[];
    expect(last?.['groundingMetadata']).toEqual({
      groundingChunks: [CHUNK, { web: { uri: OTHER.url, title: '' } }],
      groundingSupports: [
        {
          segment: {
            startIndex: BYTES_BEFORE,
            endIndex: BYTES_BEFORE + 9,
            text: SECOND.slice(0, 8),
          },
          groundingChunkIndices: [0],
        },
        {
          segment: { startIndex: 0, endIndex: Buffer.byteLength('Grüße'), text: 'Grüße' },
          groundingChunkIndices: [1],
        },
      ],
    });
    expect(events.slice(0, -1).some((event) => JSON.stringify(event).includes('grounding'))).toBe(
      false,
    );
  });
});
