import { describe, expect, it } from 'vitest';
import { plainCallId } from '../../../../../gateway/protocols/neutral-form/call-id.ts';
import type { EventReader } from '../../../../../gateway/protocols/neutral-form/neutral-form.ts';
import type { Restoration } from '../../../../../gateway/protocols/neutral-form/fit/fitted-request.ts';
import { restoreEvents } from '../../../../../gateway/protocols/neutral-form/fit/restore-events.ts';
import { restoreReply } from '../../../../../gateway/protocols/neutral-form/fit/restore-reply.ts';
import type {
  NeutralEvent,
  NeutralReply,
} from '../../../../../gateway/protocols/neutral-form/reply.ts';
import type { AssistantPart } from '../../../../../gateway/protocols/neutral-form/request.ts';
import { call, text } from './support/requests.ts';

const NAMES: Restoration = { toolNames: new Map([['a_b_1234', 'a.b']]) };
const FORMAT: Restoration = { ...NAMES, formatTool: 'answer_1' };

function replyOf(parts: readonly AssistantPart[], end: NeutralReply['end']): NeutralReply {
  return { id: 'r', parts, end, usage: null };
}

/** The events of a reader, one at a time. */
function streamed(events: readonly NeutralEvent[], restoration: Restoration): NeutralEvent[] {
  let at = 0;
  const reader: EventReader = {
    read: () => events.slice(at, (at += 1)),
    close: () => [{ type: 'done' }],
  };
  const restored = restoreEvents(reader, restoration);
  const all = events.flatMap(() => [...restored.read('', Buffer.alloc(0))]);
  return [...all, ...restored.close()];
}

function begun(index: number, name: string): NeutralEvent {
  return { type: 'tool_call', index, id: `id_${index}`, name, freeForm: false };
}

function input(index: number, said: string): NeutralEvent {
  return { type: 'tool_input', index, text: said };
}

function ended(reason: 'tool_calls' | 'stop' | 'length'): NeutralEvent {
  return { type: 'end', reason };
}

const DONE: NeutralEvent = { type: 'done' };

describe('a reply to a request whose names of tools were fitted', () => {
  it('has the client’s own', () => {
    const reply = replyOf([text('x'), call('1', 'a_b_1234'), call('2', 'Bash')], 'tool_calls');
    expect(restoreReply(reply, NAMES)).toEqual({
      ...reply,
      parts: [text('x'), call('1', 'a.b'), call('2', 'Bash')],
    });
    const events = [begun(0, 'a_b_1234'), input(0, '{}'), begun(1, 'Bash'), ended('tool_calls')];
    expect(streamed(events, NAMES)).toEqual([begun(0, 'a.b'), ...events.slice(1), DONE]);
  });
});

describe('calls of a reply', () => {
  const id = 'list_dir:0';
  const plain = plainCallId(id);

  function idsOf(ids: readonly string[], restoration: Restoration): string[][] {
    const parts = ids.map((one) => call(one));
    const restored = restoreReply(replyOf(parts, 'tool_calls'), restoration).parts;
    const events = ids.map((one, at) => ({ ...begun(at, 'ls'), id: one }) as NeutralEvent);
    return [restored, streamed(events, restoration)].map((all) =>
      all.flatMap((one) => (one.type === 'tool_call' ? [one.id] : [])),
    );
  }

  it('have ids that no earlier call has, also where the client’s protocol has changed them', () => {
    for (const taken of [id, plain]) {
      for (const ids of idsOf([id, 'call_9'], { callIds: new Set([taken]) })) {
        expect(ids).toEqual([expect.stringMatching(/^call_[0-9a-f]{24}$/), 'call_9']);
        expect([id, plain]).not.toContain(ids[0]);
      }
    }
  });

  it('have distinct ids among themselves', () => {
    for (const ids of idsOf(['call_0', 'call_0', '', ''], { callIds: new Set(['x']) })) {
      expect(ids[0]).toBe('call_0');
      expect(new Set(ids).size).toBe(4);
      expect(ids).not.toContain('');
    }
  });
});

describe('a reply by the tool of a format', () => {
  it('is the input of that tool as text', () => {
    const reply = replyOf([call('1', 'answer_1', '{"city":"Rome"}')], 'tool_calls');
    const restored = restoreReply(reply, FORMAT);
    expect(restored.parts).toEqual([text('{"city":"Rome"}')]);
    expect(restored.end).toBe('stop');
    expect(
      streamed(
        [begun(0, 'answer_1'), input(0, '{"city":'), input(0, '"Rome"}'), ended('tool_calls')],
        FORMAT,
      ),
    ).toEqual([text('{"city":'), text('"Rome"}'), ended('stop'), DONE]);
  });

  it('has nothing around the JSON: no words before it, no second answer', () => {
    const parts = [text('Here:'), call('1', 'answer_1', '{"a":1}'), call('2', 'answer_1', '{}')];
    expect(restoreReply(replyOf(parts, 'tool_calls'), FORMAT).parts).toEqual([text('{"a":1}')]);
    const events = [
      text('Here:'),
      begun(0, 'answer_1'),
      input(0, '{"a":1}'),
      begun(1, 'answer_1'),
      input(1, '{}'),
      text('Good?'),
      ended('tool_calls'),
    ];
    expect(streamed(events, FORMAT)).toEqual([text('{"a":1}'), ended('stop'), DONE]);
  });

  it('still calls the client’s tools, numbered from 0', () => {
    const reply = replyOf([call('1', 'answer_1'), call('2', 'a_b_1234')], 'tool_calls');
    expect(restoreReply(reply, FORMAT)).toMatchObject({
      parts: [text('{}'), call('2', 'a.b')],
      end: 'tool_calls',
    });
    const events = [
      begun(0, 'answer_1'),
      begun(1, 'a_b_1234'),
      input(0, '{}'),
      input(1, '{"x":1}'),
    ];
    expect(streamed([...events, ended('tool_calls')], FORMAT)).toEqual([
      { ...begun(0, 'a.b'), id: 'id_1' },
      text('{}'),
      input(0, '{"x":1}'),
      ended('tool_calls'),
      DONE,
    ]);
  });

  it('is an empty object where the model sends no input, and keeps its signature', () => {
    const proof = { of: 'gemini', value: 'sig' } as const;
    const reply = replyOf([{ ...call('1', 'answer_1', ''), proof }], 'tool_calls');
    expect(restoreReply(reply, FORMAT).parts).toEqual([{ ...text('{}'), proof }]);
    const events = [{ ...begun(0, 'answer_1'), proof } as NeutralEvent, ended('tool_calls')];
    expect(streamed(events, FORMAT)).toEqual([{ ...text('{}'), proof }, ended('stop'), DONE]);
  });

  it('is the text, where the model wrote one without the tool', () => {
    const reply = replyOf([text('{"a":1}')], 'stop');
    expect(restoreReply(reply, FORMAT)).toEqual(reply);
    const events = [text('{"a"'), text(':1}'), ended('stop')];
    expect(streamed(events, FORMAT)).toEqual([...events, DONE]);
    const called = [text('I look'), begun(0, 'a_b_1234'), ended('tool_calls')];
    expect(streamed(called, FORMAT)).toEqual([
      text('I look'),
      begun(0, 'a.b'),
      ended('tool_calls'),
      DONE,
    ]);
  });

  it('that was cut off at its limit says so', () => {
    const reply = replyOf([call('1', 'answer_1', '{"a":')], 'length');
    expect(restoreReply(reply, FORMAT)).toMatchObject({ parts: [text('{"a":')], end: 'length' });
    const events = [begun(0, 'answer_1'), input(0, '{"a":'), ended('length')];
    expect(streamed(events, FORMAT)).toEqual([text('{"a":'), ended('length'), DONE]);
  });
});

describe('a reply to a request of which nothing has to be changed back', () => {
  it('is the very same', () => {
    const reply = replyOf([call('1')], 'tool_calls');
    const reader: EventReader = { read: () => [], close: () => [] };
    for (const restoration of [null, undefined, {}, { stopSequences: ['x'] }]) {
      expect(restoreReply(reply, restoration)).toBe(reply);
      expect(restoreEvents(reader, restoration)).toBe(reader);
    }
  });
});
