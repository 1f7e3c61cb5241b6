import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { translate } from '../../../../gateway/protocols/neutral-form/translations/translate.ts';
import { fitRequest } from '../../../../gateway/protocols/neutral-form/fit/fit-request.ts';
import { clientRecordings } from '../../../support/clients/client-recordings.ts';
import { CHAT, MESSAGES, parsedBy, RESPONSES, sentTo, TARGET } from './support.ts';

const RECORDED = clientRecordings('/v1/responses').filter(({ name }) => name !== 'sdk-aisdk/02');

interface ChatMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string } }[];
  readonly tool_call_id?: string;
}

function chatMessages(input: unknown, more: object = {}): ChatMessage[] {
  const body = { model: 'm', input, ...more };
  return sentTo(CHAT, RESPONSES, body)['messages'] as ChatMessage[];
}

function call(id: string, name = 'f') {
  return { type: 'function_call', call_id: id, name, arguments: '{"a":1}' };
}

function output(id: string, text = 'ok') {
  return { type: 'function_call_output', call_id: id, output: text };
}

const USER = { role: 'user', content: 'hi' };

describe.each(RECORDED)('a request of $name over chat', ({ body }) => {
  it('has a result right behind every call, and no other', () => {
    const sent = sentTo(CHAT, RESPONSES, body);
    const messages = sent['messages'] as ChatMessage[];
    expect(sent['model']).toBe('upstream-model');
    let open: string[] = [];
    for (const { role, tool_calls: calls, tool_call_id: id } of messages) {
      if (role === 'tool') {
        expect(open).toContain(id);
        open = open.filter((callId) => callId !== id);
      } else expect(open).toEqual([]);
      open.push(...(calls ?? []).map((made) => made.id));
    }
    expect(open).toEqual([]);
  });

  it('offers every tool of the client under one fitting name', () => {
    const sent = sentTo(CHAT, RESPONSES, body);
    const tools = (sent['tools'] ?? []) as {
      type: string;
      function?: { name: string };
      custom?: { name: string };
    }[];
    const names = tools.map((tool) => tool.function?.name ?? tool.custom?.name ?? '');
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/);
  });
});

describe.each(RECORDED)('a request of $name over Messages', ({ body }) => {
  it('has the results of all calls at the beginning of the next turn', () => {
    const sent = sentTo(MESSAGES, RESPONSES, body);
    const turns = sent['messages'] as { role: string; content: unknown }[];
    let open: string[] = [];
    for (const { content } of turns) {
      const blocks = (Array.isArray(content) ? content : []) as Record<string, unknown>[];
      const results = blocks.filter(({ type }) => type === 'tool_result');
      expect(results.map((block) => block['tool_use_id'])).toEqual(open);
      expect(blocks.slice(0, results.length)).toEqual(results);
      open = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => String(id));
    }
    expect(open).toEqual([]);
  });
});

describe('the history of a conversation over chat', () => {
  it('keeps parallel calls in one message, and puts a late result behind its call', () => {
    const said = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'T' }],
    };
    const messages = chatMessages([USER, call('c1'), call('c2'), said, output('c2'), output('c1')]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    expect(messages[1]?.tool_calls?.map(({ id }) => id)).toEqual(['c1', 'c2']);
    expect(messages[1]?.content).toBe('T');
    expect(messages.slice(2).map(({ tool_call_id: id }) => id)).toEqual(['c1', 'c2']);
  });

  it('has a result for a call that was interrupted', () => {
    const messages = chatMessages([USER, call('c1'), { role: 'user', content: 'stop' }]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(messages[2]?.content).toContain('interrupted');
  });

  it('keeps the text of a result whose call is gone', () => {
    const messages = chatMessages([USER, output('gone', 'left')]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user']);
    expect(JSON.stringify(messages[1]?.content)).toContain('left');
  });

  it('accepts reasoning with a summary that is empty and nothing else', () => {
    const empty = { type: 'reasoning', summary: [], content: null, encrypted_content: null };
    expect(chatMessages([USER, empty, { role: 'user', content: 'go' }])).toHaveLength(2);
  });

  it('shows images that a tool has returned', () => {
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AA==' };
    const messages = chatMessages([USER, call('c1'), { ...output('c1'), output: [image] }]);
    expect(JSON.stringify(messages)).toContain('"image_url"');
  });

  it('loses no conversation that was compacted elsewhere: it is refused', () => {
    const body = { model: 'm', input: [{ type: 'compaction', encrypted_content: 'x' }] };
    const refused = translate(RESPONSES, CHAT).encode(parsedBy(RESPONSES, body), TARGET);
    expect(isRefusal(refused) && refused.param).toBe('input[0].type');
  });
});

describe('a request of chat over Responses', () => {
  it('is the same turn: instructions, items, flat tools and the choice among them', () => {
    const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };
    const calls = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }];
    const sent = sentTo(
      RESPONSES,
      CHAT,
      {
        model: 'public',
        messages: [
          { role: 'system', content: 'S' },
          USER,
          { role: 'assistant', content: 'T', tool_calls: calls },
          { role: 'tool', tool_call_id: 'c1', content: 'ok' },
          { role: 'tool', tool_call_id: 'gone', content: 'left' },
        ],
        tools: [tool],
        tool_choice: { type: 'function', function: { name: 'f' } },
        parallel_tool_calls: false,
        max_tokens: 100,
        reasoning_effort: 'low',
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'r', schema: { type: 'object' } },
        },
      },
      'gpt-5.5',
    );
    expect(sent).toMatchObject({
      model: 'gpt-5.5',
      instructions: 'S',
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', name: 'f', strict: false, parameters: { type: 'object' } }],
      tool_choice: { type: 'function', name: 'f' },
      parallel_tool_calls: false,
      max_output_tokens: 100,
      reasoning: { effort: 'low' },
      text: { format: { type: 'json_schema', name: 'r' } },
    });
    expect((sent['input'] as { type: string }[]).map(({ type }) => type)).toEqual([
      'message',
      'message',
      'function_call',
      'function_call_output',
      'message',
    ]);
  });
});

const ASK = {
  model: 'public',
  input: 'hi',
  tools: [
    {
      type: 'namespace',
      name: 'mcp__weir',
      tools: [{ type: 'function', name: 'add', parameters: { type: 'object', properties: {} } }],
    },
  ],
};

describe('proofs', () => {
  it('of a call travel with a client of Responses and come back on the call', () => {
    const proof = { of: 'gemini', value: 'SIG' } as const;
    const body = { ...ASK, stream: false, include: ['reasoning.encrypted_content'] };
    const request = parsedBy(RESPONSES, body);
    const part = {
      type: 'tool_call',
      id: 'c1',
      name: 'mcp__weir__add',
      input: '{}',
      freeForm: false,
      proof,
    } as const;
    const reply = { id: 'x', parts: [part], end: 'tool_calls', usage: null } as const;
    const { output: items } = JSON.parse(
      RESPONSES.neutralForm.writeReply(reply, request, null).toString(),
    ) as { output: object[] };
    const next = { ...body, input: [USER, ...items, { ...output('c1'), output: '8' }] };
    const read = RESPONSES.neutralForm.readRequest(parsedBy(RESPONSES, next));
    if (isRefusal(read)) throw new Error(read.message);
    expect(read.messages[1]).toMatchObject({ role: 'assistant', parts: [part] });
  });

  it('of other vendors are not sent to an upstream of Responses', () => {
    const parts = [
      { type: 'reasoning', text: 'R', proof: { of: 'anthropic-messages', value: 'SIG' } },
      { type: 'reasoning', text: 'O', proof: { of: 'openai-responses', value: 'ENC' } },
      { type: 'text', text: 'T' },
    ] as const;
    const sent = RESPONSES.neutralForm.writeRequest(
      { stream: false, messages: [{ role: 'assistant', parts }], tools: [], choices: 1 },
      TARGET,
    );
    expect(sent).toMatchObject({
      input: [
        { type: 'reasoning', summary: [{ text: 'O' }], encrypted_content: 'ENC' },
        { type: 'message', content: [{ text: 'T' }] },
      ],
    });
  });
});

describe('what Responses cannot do', () => {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'U' }] }] as const;
  const plain = { stream: false, messages, tools: [], choices: 1 } as const;
  const asked = { topK: 5, presencePenalty: 1, frequencyPenalty: 1, seed: 7 };

  it('is left out where it is advisory, and nothing else is', () => {
    const fitted = fitRequest({ ...plain, ...asked }, TARGET.profile);
    if (isRefusal(fitted)) throw new Error(fitted.message);
    expect(fitted.leftOut.toSorted()).toEqual(Object.keys(asked).toSorted());
    const sent = RESPONSES.neutralForm.writeRequest(fitted.request, TARGET);
    expect(sent).toEqual(RESPONSES.neutralForm.writeRequest(plain, TARGET));
  });

  it.each([
    [{ choices: 2 }, 'n'],
    [{ logprobs: 3 }, 'logprobs'],
  ])('is refused by name where it changes the reply: %j', (change, param) => {
    const refused = RESPONSES.neutralForm.writeRequest({ ...plain, ...change }, TARGET);
    expect(isRefusal(refused) && refused.param).toBe(param);
  });
});
