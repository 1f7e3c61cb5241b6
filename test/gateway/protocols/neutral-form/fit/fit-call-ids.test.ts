import { describe, expect, it } from 'vitest';
import { fitCallIds } from '../../../../../gateway/protocols/neutral-form/fit/names/fit-call-ids.ts';
import type { NeutralMessage } from '../../../../../gateway/protocols/neutral-form/request.ts';
import { MISTRAL_ID, profileWith } from './support/profile-with.ts';
import { assistant, call, fitted, requestOf, result, results, user } from './support/requests.ts';

const OPENAI = profileWith({ callId: { letters: '!-~', charactersMax: 64 } });
const ANTHROPIC = profileWith({ callId: { letters: 'A-Za-z0-9_-', charactersMax: 64 } });
const MISTRAL = profileWith({ callId: MISTRAL_ID });

function turn(...ids: readonly string[]): NeutralMessage[] {
  return [
    assistant(...ids.map((id) => call(id))),
    results(...ids.map((id, at) => result(id, `result ${at} of ${id}`))),
  ];
}

/** The ids of calls and of results, in the order of the conversation. */
function idsIn(messages: readonly NeutralMessage[]): {
  readonly calls: string[];
  readonly results: string[];
} {
  const parts = messages.flatMap((message) => [...message.parts]);
  return {
    calls: parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])),
    results: parts.flatMap((part) => (part.type === 'tool_result' ? [part.callId] : [])),
  };
}

describe('ids of calls', () => {
  it('that the target refuses become ones that it takes, and results keep their calls', () => {
    const ids = ['x'.repeat(86), 'functions.list_dir:0', 'é', '', 'a b', 'call_1'];
    const request = requestOf([user('go'), ...ids.flatMap((id) => turn(id))]);
    for (const [profile, rule] of [
      [OPENAI, /^[!-~]{1,64}$/],
      [ANTHROPIC, /^[\w-]{1,64}$/],
      [MISTRAL, /^[A-Za-z0-9]{9}$/],
    ] as const) {
      const sent = idsIn(fitted(fitCallIds, request, profile).request.messages);
      expect(sent.results).toEqual(sent.calls);
      expect(new Set(sent.calls).size).toBe(ids.length);
      for (const id of sent.calls) expect(id).toMatch(rule);
      if (profile !== MISTRAL) expect(sent.calls.at(-1)).toBe('call_1');
    }
  });

  it('that come again in later turns, or within one, become distinct', () => {
    const request = requestOf([
      user('go'),
      ...turn('list_dir:0'),
      ...turn('list_dir:0', 'list_dir:1'),
      ...turn('call_0', 'call_0'),
      ...turn('call_0'),
    ]);
    for (const profile of [OPENAI, ANTHROPIC, MISTRAL]) {
      const { messages } = fitted(fitCallIds, request, profile).request;
      const { calls, results: of } = idsIn(messages);
      expect(of).toEqual(calls);
      expect(new Set(calls).size).toBe(6);
    }
    const kept = idsIn(fitted(fitCallIds, request, OPENAI).request.messages).calls;
    expect(kept[0]).toBe('list_dir:0');
    expect(kept[3]).toBe('call_0');
  });

  it('stay the same when the conversation grows', () => {
    const begun = [user('go'), ...turn('list_dir:0'), ...turn('list_dir:0', 'a b')];
    const grown = [...begun, user('more'), ...turn('list_dir:0'), ...turn('a b', 'x')];
    for (const profile of [OPENAI, ANTHROPIC, MISTRAL]) {
      const before = fitted(fitCallIds, requestOf(begun), profile).request.messages;
      const after = fitted(fitCallIds, requestOf(grown), profile).request.messages;
      expect(after.slice(0, before.length)).toEqual(before);
    }
  });

  it('stay distinct where a client has the id that another would get', () => {
    const [made = ''] = idsIn(
      fitted(fitCallIds, requestOf(turn('a b')), ANTHROPIC).request.messages,
    ).calls;
    for (const ids of [
      ['a b', made],
      [made, 'a b'],
    ]) {
      const request = requestOf(ids.flatMap((id) => turn(id)));
      const sent = idsIn(fitted(fitCallIds, request, ANTHROPIC).request.messages);
      expect(new Set(sent.calls).size).toBe(2);
      expect(sent.results).toEqual(sent.calls);
    }
  });

  it('that fit leave the request the very same', () => {
    const request = requestOf([user('go'), ...turn('call_1', 'call_2'), ...turn('call_3')]);
    const step = fitted(fitCallIds, request, ANTHROPIC);
    expect(step.request).toBe(request);
    expect(step.restoration?.callIds).toEqual(new Set(['call_1', 'call_2', 'call_3']));
    expect(fitted(fitCallIds, requestOf([user('go')]), ANTHROPIC).restoration).toBeUndefined();
  });
});
