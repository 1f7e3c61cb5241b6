import { describe, expect, it } from 'vitest';
import { gemini } from '../../../../gateway/protocols/gemini/protocol.ts';
import {
  isGenerating,
  translate,
} from '../../../../gateway/protocols/neutral-form/translations/translate.ts';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { parseEvents } from '../../../support/clients/responses-events.ts';
import { TURN_UPSTREAMS } from '../../data-plane/settlement/support/turn-upstreams.ts';
import { wholeReply } from '../../../support/upstreams/strict-upstream/replies.ts';
import { CHAT, MESSAGES, parsedBy, RESPONSES, sentTo, streamed, TARGET } from './support.ts';

if (!isGenerating(gemini)) throw new Error('Gemini is not translated');
const UPSTREAMS = [
  { id: 'openai-chat', upstream: CHAT },
  { id: 'anthropic-messages', upstream: MESSAGES },
  { id: 'gemini', upstream: gemini },
] as const;

const ASK = {
  model: 'public',
  input: 'hi',
  tools: [{ type: 'local_shell' }, { type: 'shell' }, { type: 'apply_patch' }],
};

/** A call as an upstream's model makes it, and as the client gets it. */
const CALLS = [
  {
    name: 'local_shell',
    input: { command: ['ls', '-l'], timeout_ms: 9, working_directory: '/tmp' },
    item: {
      type: 'local_shell_call',
      action: {
        type: 'exec',
        command: ['ls', '-l'],
        env: {},
        timeout_ms: 9,
        working_directory: '/tmp',
      },
    },
  },
  {
    name: 'local_shell',
    input: { command: 'ls | wc' },
    item: {
      type: 'local_shell_call',
      action: { type: 'exec', command: ['sh', '-c', 'ls | wc'], env: {} },
    },
  },
  {
    name: 'shell',
    input: { commands: ['ls', 'pwd'], max_output_length: 100 },
    item: {
      type: 'shell_call',
      action: { commands: ['ls', 'pwd'], timeout_ms: null, max_output_length: 100 },
      environment: { type: 'local' },
    },
  },
  {
    name: 'apply_patch',
    input: { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b\n' },
    item: {
      type: 'apply_patch_call',
      operation: { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b\n' },
    },
  },
  {
    name: 'apply_patch',
    input: { type: 'delete_file', path: 'a.txt' },
    item: { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a.txt' } },
  },
] as const;

/** All objects in a value. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value as Record<string, unknown>, ...inside];
}

describe.each(UPSTREAMS)('tools of Responses itself over $id', ({ id, upstream }) => {
  it('are offered as functions', () => {
    const { tools } = sentTo(upstream, RESPONSES, ASK);
    const named = objectsIn(tools).filter(({ description }) => description !== undefined);
    expect(named.map(({ name }) => name)).toEqual(['local_shell', 'shell', 'apply_patch']);
    expect(JSON.stringify(tools)).toContain('delete_file');
  });

  it.each(CALLS)('$name is called in a whole reply as the client knows it', (call) => {
    const codec = translate(RESPONSES, upstream);
    const request = parsedBy(RESPONSES, ASK);
    const turn = { calls: [{ id: 'c1', name: call.name, input: call.input }] };
    const body = Buffer.from(JSON.stringify(wholeReply(id, turn)));
    const reply = codec.decode(body, request, () => undefined);
    if (reply === undefined) throw new Error('no reply');
    const { output } = JSON.parse(reply.bytes.toString()) as { output: object[] };
    expect(output).toMatchObject([{ ...call.item, call_id: 'c1', status: 'completed' }]);
    expect(output[0]).not.toHaveProperty('name');
  });

  it.each(CALLS)('$name is called in a stream as the client knows it', (call) => {
    const turn = { calls: [{ id: 'c1', name: call.name, input: call.input }] };
    const packets = TURN_UPSTREAMS.find(({ protocol }) => protocol === id)?.events(turn);
    const ask = { ...ASK, stream: true };
    const { text } = streamed({ client: RESPONSES, upstream }, ask, packets ?? []);
    const events = parseEvents(text).filter(({ type }) => !type.includes('reasoning'));
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'output_item.done',
      'completed',
    ]);
    const item = { ...call.item, call_id: 'c1' };
    expect(events[2]).toMatchObject({ item: { ...item, status: 'in_progress' } });
    expect(events[3]).toMatchObject({ item: { ...item, status: 'completed' } });
    expect(events[4]).toMatchObject({ response: { output: [item] } });
  });

  it('have their calls and outputs in the history', () => {
    const input = [
      { role: 'user', content: 'hi' },
      ...CALLS.map(({ item }, at) => ({
        ...item,
        id: `i${String(at)}`,
        call_id: `call${String(at)}`,
      })),
      { type: 'local_shell_call_output', id: 'i0', output: 'total 0' },
      { type: 'local_shell_call_output', id: 'call1', output: '2' },
      {
        type: 'shell_call_output',
        call_id: 'call2',
        output: [{ stdout: 'a', stderr: 'b', outcome: { type: 'exit', exit_code: 7 } }],
      },
      { type: 'apply_patch_call_output', call_id: 'call3', status: 'completed' },
      {
        type: 'apply_patch_call_output',
        call_id: 'call4',
        status: 'failed',
        output: 'no such file',
      },
    ];
    const sent = JSON.stringify(sentTo(upstream, RESPONSES, { ...ASK, input }));
    for (const { name } of CALLS) expect(sent).toContain(`"name":"${name}"`);
    for (const words of ['ls | wc', 'total 0', 'exit_code', 'completed', 'no such file']) {
      expect(sent).toContain(words);
    }
    expect(sent).not.toContain('interrupted');
    expect(sent).not.toContain('no longer here');
  });

  it.each(['local_shell', 'shell', 'apply_patch'])('%s can be forced', (type) => {
    const sent = sentTo(upstream, RESPONSES, { ...ASK, tool_choice: { type } });
    const { tools: _tools, ...others } = sent;
    expect(JSON.stringify(others)).toContain(`"${type}"`);
  });
});

it('a shell in a container of the vendor is named as left out', () => {
  const tools = [{ type: 'shell', environment: { type: 'container_auto' } }, { type: 'shell' }];
  const encoded = translate(RESPONSES, CHAT).encode(parsedBy(RESPONSES, { ...ASK, tools }), TARGET);
  if (isRefusal(encoded)) throw new Error(encoded.message);
  expect(encoded.leftOut).toContain('tools[0]');
  expect(encoded.leftOut).not.toContain('tools[1]');
});

it('outputs of a shell are text to the hold, and no media of unknown length', () => {
  const output = [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }];
  const input = [{ type: 'shell_call_output', call_id: 'c', output }];
  expect(parsedBy(RESPONSES, { model: 'm', input })).toMatchObject({
    mediaParts: 0,
    hasUnboundedParts: false,
  });
});
