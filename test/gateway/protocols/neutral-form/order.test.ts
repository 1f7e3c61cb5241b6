import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { stringOf } from '../../../../gateway/platform/json/json-value.ts';
import type { NeutralForm } from '../../../../gateway/protocols/neutral-form/neutral-form.ts';
import type { NeutralEvent } from '../../../../gateway/protocols/neutral-form/reply.ts';
import type { AssistantPart } from '../../../../gateway/protocols/neutral-form/request.ts';
import { REQUEST_LIMITS, type ParsedRequest } from '../../../../gateway/protocols/protocol.ts';
import { ENDPOINTS } from '../../../../gateway/protocols/registry.ts';

type Json = Readonly<Record<string, unknown>>;

/** Replies in which text is before, between and behind calls. The ids are of one reply each. */
const ORDERS = [
  ['T1', 'call_000000000001', 'T2', 'call_000000000002', 'call_000000000003'],
  ['T1', 'call_000000000011', 'T2'],
  ['call_000000000021', 'T1'],
  ['T1', 'call_000000000031', 'call_000000000032', 'T2'],
  ['T1', 'call_000000000041', 'T2', 'call_000000000042', 'T3'],
] as const;

function eventsOf(order: readonly string[]): readonly NeutralEvent[] {
  const words = order.flatMap((word): NeutralEvent[] => {
    const index = Number(word.slice(-1)) - 1;
    return word.startsWith('T')
      ? [{ type: 'text', text: word }]
      : [
          { type: 'tool_call', index, id: word, name: 'ls', freeForm: false },
          { type: 'tool_input', index, text: `{"n":${index}}` },
        ];
  });
  return [{ type: 'start', id: 'r' }, ...words, { type: 'end', reason: 'tool_calls' }];
}

function partsOf(order: readonly string[]): readonly AssistantPart[] {
  return order.map((word) =>
    word.startsWith('T')
      ? { type: 'text', text: word }
      : { type: 'tool_call', id: word, name: 'ls', input: '{"n":1}', freeForm: false },
  );
}

function orderOf(parts: readonly AssistantPart[]): string[] {
  return parts.flatMap((part) => {
    if (part.type === 'text') return part.text === '' ? [] : [part.text];
    return part.type === 'tool_call' ? [part.id] : [];
  });
}

interface Client {
  readonly path: RegExp;
  /** The request of a next turn, with a reply as its client keeps it. */
  next(reply: Json): Json;
  /** Returns the client's state after a stream. */
  joined(events: readonly Json[]): Json;
}

const USER = { role: 'user', content: 'U' };

function objects(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

function chatMessage(deltas: readonly Json[]): Json {
  const calls: Record<string, unknown>[] = [];
  for (const { index, function: called, ...rest } of deltas.flatMap((delta) =>
    objects(delta['tool_calls']),
  )) {
    const call = (calls[Number(index)] ??= { ...rest, function: { name: 'ls', arguments: '' } });
    const fn = call['function'] as { arguments: string };
    fn.arguments += stringOf((called as Json | undefined)?.['arguments']);
  }
  const content = deltas.map((delta) => stringOf(delta['content'])).join('');
  return { role: 'assistant', content, tool_calls: calls };
}

/** Keeps what most chat clients keep of a call: the id, the name and the arguments. */
function bare(message: Json): Json {
  const calls = objects(message['tool_calls']);
  const kept = calls.map(({ id, type, function: called }) => ({ id, type, function: called }));
  return { ...message, tool_calls: kept };
}

function chat(keeps: (message: Json) => Json): Client {
  return {
    path: /^chat\/completions$/,
    next: (reply) => {
      const [choice] = objects(reply['choices']);
      return { model: 'm', messages: [USER, keeps(choice?.['message'] as Json), USER] };
    },
    joined: (events) => {
      const choices = events.flatMap((event) => objects(event['choices']));
      const deltas = choices.map((choice) => choice['delta'] as Json);
      return { choices: [{ message: chatMessage(deltas) }] };
    },
  };
}

const CLIENTS: Readonly<Record<string, Client>> = {
  'a chat client': chat((message) => message),
  'a chat client that keeps no extra content': chat(bare),
  'a Messages client': {
    path: /^messages$/,
    next: ({ content }) => ({
      model: 'm',
      max_tokens: 9,
      messages: [USER, { role: 'assistant', content }, USER],
    }),
    joined: (events) => {
      const content: Record<string, unknown>[] = [];
      for (const event of events) {
        const block = event['content_block'] as Json | undefined;
        const delta = event['delta'] as Json | undefined;
        if (block !== undefined) content.push({ ...block });
        const last = content.at(-1);
        if (last?.['type'] === 'text' && delta?.['text'] !== undefined) {
          last['text'] = stringOf(last['text']) + stringOf(delta['text']);
        }
      }
      return { content };
    },
  },
  'a Responses client': {
    path: /^responses$/,
    next: ({ output }) => ({ model: 'm', input: [USER, ...objects(output), USER] }),
    joined: (events) =>
      events.find(({ type }) => type === 'response.completed')?.['response'] as Json,
  },
  'a Gemini client': {
    path: /:streamGenerateContent$/,
    next: (reply) => {
      const [candidate] = objects(reply['candidates']);
      const user = { role: 'user', parts: [{ text: 'U' }] };
      return { contents: [user, candidate?.['content'], user] };
    },
    joined: (events) => {
      const contents = events.flatMap((event) =>
        objects(event['candidates']).map((one) => one['content'] as Json | undefined),
      );
      const parts = contents.flatMap((content) => objects(content?.['parts']));
      return { candidates: [{ content: { role: 'model', parts } }] };
    },
  },
};

function parsed({ path }: Client, body: Json): { request: ParsedRequest; form: NeutralForm } {
  const endpoint = ENDPOINTS.find((one) => path.test(one.path));
  const form = endpoint?.protocol.neutralForm;
  if (endpoint === undefined || form === undefined) throw new Error('no endpoint');
  const head = { endpoint, pathModel: 'm', query: 'alt=sse', headers: {} };
  const request = endpoint.protocol.parse(Buffer.from(JSON.stringify(body)), head, REQUEST_LIMITS);
  if (isRefusal(request)) throw new Error(request.message);
  return { request, form };
}

/** The order in the next turn of a client. */
function nextOrder(client: Client, reply: Json): string[] {
  const { request, form } = parsed(client, client.next(reply));
  const neutral = form.readRequest(request);
  if (isRefusal(neutral)) throw new Error(neutral.message);
  const said = neutral.messages.find(({ role }) => role === 'assistant');
  return said?.role === 'assistant' ? orderOf(said.parts) : [];
}

const FIRST = {
  model: 'm',
  max_tokens: 9,
  messages: [USER],
  input: 'U',
  contents: [{ role: 'user', parts: [{ text: 'U' }] }],
};
const OWN: Readonly<Record<string, readonly string[]>> = {
  chat: ['model', 'messages'],
  messages: ['model', 'messages', 'max_tokens'],
  responses: ['model', 'input'],
  ':stream': ['contents'],
};

function first(client: Client) {
  const [, names = []] =
    Object.entries(OWN).find(([word]) => client.path.source.includes(word)) ?? [];
  return parsed(
    client,
    Object.fromEntries(Object.entries(FIRST).filter(([name]) => names.includes(name))),
  );
}

describe.each(ORDERS.map((order) => ({ order })))('texts and calls, $order', ({ order }) => {
  it.each(Object.entries(CLIENTS))(
    '%s sends back in their order, of a whole reply',
    (_, client) => {
      const { request, form } = first(client);
      const reply = { id: 'r', parts: partsOf(order), end: 'tool_calls', usage: null } as const;
      const bytes = form.writeReply(reply, request, null);
      expect(nextOrder(client, JSON.parse(bytes.toString()) as Json)).toEqual(order);
    },
  );

  it.each(Object.entries(CLIENTS))(
    '%s gets and sends back in their order, streamed',
    (_, client) => {
      const { request, form } = first(client);
      const writer = form.writeStream(request);
      const stream =
        eventsOf(order)
          .map((event) => writer.write(event))
          .join('') + writer.endMarker(null);
      const events = [...stream.matchAll(/(?:event: (.+)\n)?data: (\{.*\})/g)];
      const joined = client.joined(events.map(([, , data = '']) => JSON.parse(data) as Json));
      expect(nextOrder(client, joined)).toEqual(order);
      const reader = form.readStream(() => undefined);
      const read = events.flatMap(([, name = '', data = '']) => [
        ...reader.read(name, Buffer.from(data)),
      ]);
      const seen = [...read, ...reader.close()].flatMap((event) => {
        if (event.type === 'text') return event.text === '' ? [] : [event.text];
        return event.type === 'tool_call' ? [event.id] : [];
      });
      expect(seen).toEqual(order);
    },
  );
});

it('a chat client gets no offsets where all text is before the calls', () => {
  const { request, form } = first(chat(bare));
  const parts = partsOf(['T1', 'call_000000000051', 'call_000000000052']);
  const reply = { id: 'r', parts, end: 'tool_calls', usage: null } as const;
  expect(form.writeReply(reply, request, null).toString()).not.toContain('extra_content');
});
