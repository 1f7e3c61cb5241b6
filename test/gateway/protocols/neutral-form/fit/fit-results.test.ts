import { describe, expect, it } from 'vitest';
import { fitParts } from '../../../../../gateway/protocols/neutral-form/fit/conversation/fit-parts.ts';
import { fitResults } from '../../../../../gateway/protocols/neutral-form/fit/conversation/fit-results.ts';
import type { NeutralMessage } from '../../../../../gateway/protocols/neutral-form/request.ts';
import { profileWith } from './support/profile-with.ts';
import {
  assistant,
  call,
  fitted,
  requestOf,
  result,
  results,
  system,
  user,
} from './support/requests.ts';

const INTERRUPTED = {
  ...result('b', 'The call was interrupted and has no result.'),
  name: 'ls',
  isError: true,
};

function order(messages: readonly NeutralMessage[]): readonly NeutralMessage[] {
  const { request } = fitted(fitParts, requestOf(messages), profileWith({}));
  return fitted(fitResults, request, profileWith({})).request.messages;
}

describe('the results of calls', () => {
  it('come right behind their calls, in their order, each once', () => {
    expect(
      order([
        user('go'),
        assistant(call('a'), call('b')),
        user('wait'),
        results(result('b', '2')),
        system('note'),
        results(result('a', '1')),
      ]),
    ).toEqual([
      user('go'),
      assistant(call('a'), call('b')),
      results(result('a', '1'), result('b', '2')),
      user('wait'),
      system('note'),
    ]);
  });

  it('of calls at once that came in several messages belong to one', () => {
    expect(
      order([
        assistant('I look', call('a')),
        assistant(call('b')),
        results(result('a', '1')),
        results(result('b', '2')),
      ]),
    ).toEqual([
      assistant('I look', call('a'), call('b')),
      results(result('a', '1'), result('b', '2')),
    ]);
  });

  it('that never came are said to be missing', () => {
    expect(order([assistant(call('a'), call('b')), results(result('a')), user('go on')])).toEqual([
      assistant(call('a'), call('b')),
      results(result('a'), INTERRUPTED),
      user('go on'),
    ]);
    expect(order([user('go'), assistant(call('b'))]).at(-1)).toEqual(results(INTERRUPTED));
  });

  it('without a call, or that come twice, are what the user says', () => {
    const orphan = (said: string): NeutralMessage =>
      user(`Result of a tool call that is not shown here:\n${said}`);
    const failed = { ...result('gone', 'x'), isError: true };
    expect(order([results(failed)])).toEqual([orphan('Error:\nx')]);
    expect(order([results(result('gone', 'x')), user('go')])).toEqual([orphan('x'), user('go')]);
    expect(order([assistant(call('a')), results(result('a', '1'), result('a', '2'))])).toEqual([
      assistant(call('a')),
      results(result('a', '1')),
      orphan('2'),
    ]);
  });

  it('belong to the newest turn with their id, and in it to the calls in their order', () => {
    const interrupted = { ...INTERRUPTED, callId: 'x' };
    expect(
      order([
        assistant(call('x', 'ls', '1')),
        user('again'),
        assistant(call('x', 'ls', '2'), call('x', 'ls', '3')),
        results(result('x', 'of 2'), result('x', 'of 3')),
      ]),
    ).toEqual([
      assistant(call('x', 'ls', '1')),
      results(interrupted),
      user('again'),
      assistant(call('x', 'ls', '2'), call('x', 'ls', '3')),
      results(result('x', 'of 2'), result('x', 'of 3')),
    ]);
  });

  it('in order leave the request the very same', () => {
    const request = requestOf([
      system('be'),
      user('go'),
      assistant(call('x'), call('x')),
      results(result('x', '1'), result('x', '2')),
      assistant('done'),
      user('more'),
      assistant(call('x')),
      results(result('x')),
    ]);
    expect(fitted(fitResults, request, profileWith({})).request).toBe(request);
  });
});
