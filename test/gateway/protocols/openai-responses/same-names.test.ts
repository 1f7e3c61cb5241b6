/** Tools of several kinds that a Responses client offers under one name. */
import { describe, expect, it } from 'vitest';
import { gemini } from '../../../../gateway/protocols/gemini/protocol.ts';
import {
  isGenerating,
  translate,
} from '../../../../gateway/protocols/neutral-form/translations/translate.ts';
import { parseEvents } from '../../../support/clients/responses-events.ts';
import { wholeReply } from '../../../support/upstreams/strict-upstream/replies.ts';
import { viewOf } from '../../../support/upstreams/strict-upstream/view.ts';
import { TURN_UPSTREAMS } from '../../data-plane/settlement/support/turn-upstreams.ts';
import { CHAT, MESSAGES, parsedBy, RESPONSES, sentTo, streamed } from './support.ts';

if (!isGenerating(gemini)) throw new Error('Gemini is not translated');
const UPSTREAMS = [
  { id: 'openai-chat', upstream: CHAT },
  { id: 'anthropic-messages', upstream: MESSAGES },
  { id: 'gemini', upstream: gemini },
] as const;

const OWN = 'A function of the client';
const PARAMETERS = { type: 'object', properties: { line: { type: 'string' } } };

/** A tool of Responses itself, the input of its call, and the call as its client knows it. */
const BUILT_IN = [
  {
    tool: { type: 'shell' },
    input: { commands: ['ls'] },
    item: { type: 'shell_call', action: { commands: ['ls'] } },
  },
  {
    tool: { type: 'local_shell' },
    input: { command: ['ls'] },
    item: { type: 'local_shell_call', action: { type: 'exec', command: ['ls'] } },
  },
  {
    tool: { type: 'apply_patch' },
    input: { type: 'delete_file', path: 'a' },
    item: { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } },
  },
  {
    tool: { type: 'tool_search', execution: 'client', description: 'Finds tools' },
    input: { query: 'a' },
    item: { type: 'tool_search_call', arguments: { query: 'a' } },
  },
] as const;

const CASES = UPSTREAMS.flatMap((upstream) =>
  BUILT_IN.flatMap((builtIn) =>
    [false, true].map((ownFirst) => ({
      ...upstream,
      ...builtIn,
      ownFirst,
      order: ownFirst ? 'behind a function' : 'before a function',
      kind: builtIn.tool.type,
    })),
  ),
);

describe.each(CASES)(
  '$kind $order of that name, over $id',
  ({ id, upstream, tool, input, item, ownFirst }) => {
    const name = tool.type;
    const own = { type: 'function', name, description: OWN, parameters: PARAMETERS };
    const ask = { model: 'public', input: 'hi', tools: ownFirst ? [own, tool] : [tool, own] };
    const ownCall = { type: 'function_call', name, arguments: '{"line":"a"}' };

    /** The names that the upstream has for the client's function and for the built-in tool. */
    function namesIn(sent: object): readonly [string, string] {
      const { tools } = viewOf(id, { ...sent });
      const [functionTool] = tools.filter(({ description }) => description === OWN);
      const [builtIn] = tools.filter(({ description }) => description !== OWN);
      expect(tools).toHaveLength(2);
      return [functionTool?.name ?? '', builtIn?.name ?? ''];
    }

    const names = namesIn(sentTo(upstream, RESPONSES, ask));
    const turn = {
      calls: [
        { id: 'c1', name: names[0], input: { line: 'a' } },
        { id: 'c2', name: names[1], input },
      ],
    };
    const items = [
      { ...ownCall, call_id: 'c1' },
      { ...item, call_id: 'c2' },
    ];

    it('is offered next to it, each by a name of its own', () => {
      expect(names[0]).not.toBe(names[1]);
      expect(names).toContain(name);
    });

    it('is called as what it is', () => {
      const body = Buffer.from(JSON.stringify(wholeReply(id, turn)));
      const codec = translate(RESPONSES, upstream);
      const reply = codec.decode(body, parsedBy(RESPONSES, ask), () => undefined);
      expect(JSON.parse(reply?.bytes.toString() ?? '')).toMatchObject({ output: items });

      const packets = TURN_UPSTREAMS.find(({ protocol }) => protocol === id)?.events(turn) ?? [];
      const { text } = streamed({ client: RESPONSES, upstream }, { ...ask, stream: true }, packets);
      const last = parseEvents(text).at(-1);
      expect(last).toMatchObject({ type: 'response.completed', response: { output: items } });
    });

    it('keeps its calls in the history apart, and can be forced', () => {
      const outputs = [
        { type: 'function_call_output', call_id: 'c1', output: 'of the function' },
        {
          type: `${name}_${name === 'tool_search' ? '' : 'call_'}output`,
          call_id: 'c2',
          output: [],
        },
      ];
      const history = [{ role: 'user', content: 'hi' }, ...items, ...outputs];
      const { calls } = viewOf(id, { ...sentTo(upstream, RESPONSES, { ...ask, input: history }) });
      expect(calls.map((call) => call.name)).toEqual(names);
      const choices = [{ type: 'function', name }, { type: tool.type }];
      for (const [index, choice] of choices.entries()) {
        const { tools: _tools, ...rest } = sentTo(upstream, RESPONSES, {
          ...ask,
          tool_choice: choice,
        });
        expect(JSON.stringify(rest)).toContain(`"${names[index] ?? ''}"`);
      }
    });
  },
);
