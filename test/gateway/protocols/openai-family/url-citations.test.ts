import { describe, expect, it } from 'vitest';
import { translate } from '../../../../gateway/protocols/neutral-form/translations/translate.ts';
import { event as chatEvent } from '../../../support/clients/recorded-stream.ts';
import { parseEvents } from '../../../support/clients/responses-events.ts';
import { CHAT, parsedBy, RESPONSES, streamed } from '../openai-responses/support.ts';

type Json = Readonly<Record<string, unknown>>;

const USER = { role: 'user', content: 'hi' };
const CHAT_ASK = { model: 'public', messages: [USER] };
const RESPONSES_ASK = { model: 'public', input: 'hi' };

function flat(start: number, end: number) {
  return {
    type: 'url_citation',
    start_index: start,
    end_index: end,
    title: 'A page',
    url: 'https://a.example/',
  };
}

function nested(start: number, end: number) {
  const { type, ...rest } = flat(start, end);
  return { type, [type]: rest };
}

const MESSAGE = (text: string, ...annotations: readonly object[]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations }],
});

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  // The places of the second count from its own text.
  output: [MESSAGE('It rains.', flat(0, 2)), MESSAGE('Here too.', flat(5, 8))],
  usage: null,
};

const COMPLETION = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'It rains.',
        annotations: [nested(0, 2), { type: 'file_citation', file_id: 'f' }],
      },
      finish_reason: 'stop',
    },
  ],
};

function whole(client: typeof CHAT, upstream: typeof CHAT, ask: Json, reply: Json): Json {
  const decoded = translate(client, upstream).decode(
    Buffer.from(JSON.stringify(reply)),
    parsedBy(client, ask),
    () => undefined,
  );
  return JSON.parse(decoded?.bytes.toString() ?? 'null') as Json;
}

function responsesEvent(type: string, fields: Json): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

const STREAM = [
  responsesEvent('response.created', { response: { ...RESPONSE, status: 'in_progress' } }),
  ...RESPONSE.output.flatMap((item, index) => {
    const at = { output_index: index, content_index: 0 };
    const [part] = item.content;
    return [
      responsesEvent('response.output_item.added', { ...at, item: { ...item, content: [] } }),
      responsesEvent('response.content_part.added', { ...at, part: { type: 'output_text' } }),
      responsesEvent('response.output_text.delta', { ...at, delta: part?.text }),
      responsesEvent('response.output_text.annotation.added', {
        ...at,
        annotation_index: 0,
        annotation: part?.annotations[0],
      }),
      responsesEvent('response.output_item.done', { ...at, item }),
    ];
  }),
  responsesEvent('response.completed', { response: RESPONSE }),
];

function annotationsIn(stream: string): unknown[] {
  return stream.split('\n').flatMap((line) => {
    const chunk = line.startsWith('data: {') ? (JSON.parse(line.slice(6)) as Json) : {};
    const [choice] = (chunk['choices'] ?? []) as { delta?: { annotations?: unknown[] } }[];
    return choice?.delta?.annotations ?? [];
  });
}

describe('pages that a reply cites', () => {
  it('reach a chat client of Responses, with places in the whole text', () => {
    const expected = [nested(0, 2), nested(14, 17)];
    const reply = whole(CHAT, RESPONSES, CHAT_ASK, RESPONSE);
    expect(reply).toMatchObject({
      choices: [{ message: { content: 'It rains.Here too.', annotations: expected } }],
    });
    const ask = { ...CHAT_ASK, stream: true };
    expect(
      annotationsIn(streamed({ client: CHAT, upstream: RESPONSES }, ask, STREAM).text),
    ).toEqual(expected);
    // Some servers send whole items alone.
    const items = STREAM.filter((event) => /output_item.done|created|completed/.test(event));
    expect(annotationsIn(streamed({ client: CHAT, upstream: RESPONSES }, ask, items).text)).toEqual(
      expected,
    );
  });

  it('reach a Responses client of chat completions', () => {
    const reply = whole(RESPONSES, CHAT, RESPONSES_ASK, COMPLETION);
    expect(reply).toMatchObject({
      output: [{ content: [{ text: 'It rains.', annotations: [flat(0, 2)] }] }],
    });
    const packets = [
      chatEvent({ role: 'assistant', content: 'It ' }),
      chatEvent({ content: 'rains.' }),
      chatEvent({ annotations: [nested(0, 2)] }),
      chatEvent({}),
      'data: [DONE]\n\n',
    ];
    const ask = { ...RESPONSES_ASK, stream: true };
    const events = parseEvents(
      streamed({ client: RESPONSES, upstream: CHAT }, ask, packets).text,
    ) as readonly Json[];
    const added = events.find(({ type }) => type === 'response.output_text.annotation.added');
    expect(added).toMatchObject({ annotation_index: 0, annotation: flat(0, 2) });
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { output: [{ content: [{ annotations: [flat(0, 2)] }] }] },
    });
  });
});
