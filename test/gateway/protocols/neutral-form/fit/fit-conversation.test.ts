import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../../gateway/platform/errors/refusal.ts';
import type { Fit } from '../../../../../gateway/protocols/neutral-form/fit/fit-request.ts';
import { fitParts } from '../../../../../gateway/protocols/neutral-form/fit/conversation/fit-parts.ts';
import { fitConversation } from '../../../../../gateway/protocols/neutral-form/fit/conversation/fit-conversation.ts';
import type {
  AssistantPart,
  NeutralMessage,
} from '../../../../../gateway/protocols/neutral-form/request.ts';
import type { ConversationRules } from '../../../../../gateway/protocols/target-profile.ts';
import { profileWith } from './support/profile-with.ts';
import {
  assistant,
  call,
  fitted,
  refusalOf,
  requestOf,
  result,
  results,
  system,
  user,
} from './support/requests.ts';

/** The steps that are about the messages themselves. */
const fitBoth: Fit = (request, profile) => {
  const whole = fitParts(request, profile);
  return isRefusal(whole) ? whole : fitConversation(whole.request, profile);
};

function sent(
  messages: readonly NeutralMessage[],
  conversation: Partial<ConversationRules>,
): readonly NeutralMessage[] {
  return fitted(fitBoth, requestOf(messages), profileWith({ conversation })).request.messages;
}

function refused(
  messages: readonly NeutralMessage[],
  conversation: Partial<ConversationRules> = {},
): unknown {
  return refusalOf(fitBoth, requestOf(messages), profileWith({ conversation }));
}

const thought: AssistantPart = { type: 'reasoning', text: 'hm' };
const TURN = [assistant(call('1')), results(result('1'))];

describe('a last message of the assistant', () => {
  it('is refused with the reason where the model does not continue it', () => {
    expect(refused([user('go'), assistant('Once')], { lastAssistant: 'refused' })).toMatchObject({
      refused: 'invalid_value',
      param: 'messages',
      message: expect.stringContaining('End with a message of the user') as string,
    });
    // What is behind it decides.
    for (const rest of [[user('on')], [system('on')]]) {
      const messages = [user('go'), assistant('Once'), ...rest];
      const rules = { lastAssistant: 'refused', systemMessages: 'leading' } as const;
      expect(sent(messages, rules).at(-1)?.role).toBe('user');
    }
  });

  it('ends without white space where that is refused', () => {
    const rules = { lastAssistant: 'without_trailing_space' } as const;
    expect(sent([user('go'), assistant('Once \n\t')], rules)).toEqual([
      user('go'),
      assistant('Once'),
    ]);
    expect(sent([user('go'), assistant('Once', ' \n')], rules)).toEqual([
      user('go'),
      assistant('Once'),
    ]);
    const kept = [user('go '), assistant('Once ', 'upon')];
    expect(sent(kept, rules)).toBe(kept);
  });

  it('of nothing but thoughts is left out: the model thinks again', () => {
    for (const lastAssistant of ['refused', 'without_trailing_space'] as const) {
      expect(sent([user('go'), assistant(thought)], { lastAssistant })).toEqual([user('go')]);
    }
  });
});

describe('blank messages', () => {
  it('are left out', () => {
    expect(
      sent([system(' '), user('go'), assistant(''), assistant(), user(' \n'), user('on')], {}),
    ).toEqual([user('go'), user('on')]);
    const kept = [user('go'), assistant(thought, call('1')), results(result('1'))];
    expect(sent(kept, {})).toBe(kept);
  });

  it('alone are refused by name', () => {
    for (const messages of [[], [user(' ')], [system('\n'), user(''), assistant(' ')]]) {
      expect(refused(messages)).toMatchObject({ refused: 'invalid_value', param: 'messages' });
    }
    expect(refused([assistant(thought)], { lastAssistant: 'refused' })).toMatchObject({
      param: 'messages',
    });
  });
});

describe('system messages', () => {
  const messages = [system('a'), system('b'), user('go'), ...TURN, system('late'), assistant('ok')];
  const reminder = user('<system-reminder>\nlate\n</system-reminder>');

  it('stay where the target takes them', () => {
    expect(sent(messages, { systemMessages: 'anywhere' })).toBe(messages);
    const leading = messages.slice(0, 5);
    expect(sent(leading, { systemMessages: 'leading' })).toBe(leading);
    // A user has begun the conversation.
    const begun = [user('go'), system('late'), assistant('ok'), user('on')];
    expect(sent(begun, { systemMessages: 'anywhere', startsWithUser: true })).toBe(begun);
  });

  it('that come late are the user’s text under a mark, and leading ones can be one', () => {
    const others = [user('go'), ...TURN, reminder, assistant('ok')];
    expect(sent(messages, { systemMessages: 'leading' })).toEqual([
      system('a'),
      system('b'),
      ...others,
    ]);
    expect(sent(messages, { systemMessages: 'one_leading' })).toEqual([
      { role: 'system', parts: [...(messages[0]?.parts ?? []), ...(messages[1]?.parts ?? [])] },
      ...others,
    ]);
  });

  it('alone are asked by the user where a user must begin', () => {
    const rules = { systemMessages: 'leading', startsWithUser: true } as const;
    expect(sent([system('a'), system('b')], rules)).toEqual([user('a', 'b')]);
    const kept = [system('a')];
    expect(sent(kept, { systemMessages: 'one_leading' })).toBe(kept);
  });
});

describe('the order of roles', () => {
  it('begins with a user where it must', () => {
    const rules = { startsWithUser: true };
    for (const messages of [[assistant('Hello'), user('go')], TURN]) {
      expect(sent([system('a'), ...messages], rules)).toEqual([
        system('a'),
        user('Begin the conversation.'),
        ...messages,
      ]);
    }
    const kept = [system('a'), user('go')];
    expect(sent(kept, rules)).toBe(kept);
  });

  it('has the assistant between results and what the user says, where it must', () => {
    const rules = { assistantBehindResults: true };
    expect(sent([user('go'), ...TURN, user('stop'), ...TURN], rules)).toEqual([
      user('go'),
      ...TURN,
      assistant('Understood.'),
      user('stop'),
      ...TURN,
    ]);
    const late = [user('go'), ...TURN, system('note')];
    expect(sent(late, { ...rules, systemMessages: 'leading' }).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    const kept = [user('go'), ...TURN, ...TURN, assistant('ok'), user('on')];
    expect(sent(kept, rules)).toBe(kept);
  });

  it('alternates where it must', () => {
    const rules = { strictAlternation: true };
    expect(
      sent([system('a'), user('1'), user('2'), assistant('3'), assistant('4'), user('5')], rules),
    ).toEqual([system('a'), user('1', '2'), assistant('3', '4'), user('5')]);
    // A message that is put in and one that is merged leave the number as it was.
    expect(
      sent([assistant('1'), user('2'), user('3')], { ...rules, startsWithUser: true }),
    ).toEqual([user('Begin the conversation.'), assistant('1'), user('2', '3')]);
    const kept = [user('1'), assistant('2'), user('3'), ...TURN];
    expect(sent(kept, rules)).toBe(kept);
  });
});

describe('what was thought in earlier turns', () => {
  const messages = [user('go'), assistant(thought, 'Well', call('1')), results(result('1'))];

  it('is left out where it is refused', () => {
    expect(sent([...messages, assistant(thought)], { reasoningText: 'refused' })).toEqual([
      user('go'),
      assistant('Well', call('1')),
      results(result('1')),
    ]);
    const kept = [user('go'), ...TURN];
    expect(sent(kept, { reasoningText: 'refused' })).toBe(kept);
  });

  it('is a blank in turns with calls that lack it, where vendors want it', () => {
    const encrypted: AssistantPart = {
      type: 'reasoning',
      text: '',
      proof: { of: 'openai-responses', value: 'x' },
    };
    const blank: AssistantPart = { type: 'reasoning', text: ' ' };
    expect(
      sent([...messages, user('go'), assistant(encrypted, call('2'))], {
        reasoningText: 'required',
      }),
    ).toEqual([...messages, user('go'), assistant(blank, encrypted, call('2'))]);
    expect(sent(messages, { reasoningText: 'required' })).toBe(messages);
  });
});
