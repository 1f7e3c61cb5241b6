import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { event, read, translate } from '../../../support/recorded-stream.ts';
import { readStrictly } from '../../../support/strict-chat-client.ts';

/** The tool calls that a strict client reads from these fragments, each in a chunk of its own. */
function callsOf(fragments: readonly object[]): ReturnType<typeof readStrictly>['tools'] {
  const events = [event({ role: 'assistant', content: null })];
  for (const fragment of fragments) events.push(event({ tool_calls: [fragment] }));
  return readStrictly(translate([Buffer.from(events.join(''))]).text).tools;
}

/** How servers that give every call index 0 send the fragments behind a call's first. */
const LATER_FRAGMENTS: readonly [string, (args: string) => object][] = [
  ['nothing but arguments', (args) => ({ index: 0, function: { arguments: args } })],
  ['no index', (args) => ({ function: { arguments: args } })],
  [
    'id and name that are empty',
    (args) => ({ index: 0, id: '', type: 'function', function: { name: null, arguments: args } }),
  ],
];

describe('calls that all come under index 0', () => {
  it('are two calls with their own arguments', () => {
    expect(read('one-index-tools').tools).toEqual([
      { id: 'call_3ac', name: 'open_gate', arguments: '{"gate": 3, "by": "hand"}' },
      { id: 'call_9b1', name: 'close_gate', arguments: '{"gate": 4}' },
    ]);
  });

  it.each(LATER_FRAGMENTS)(
    'keep their arguments apart, whatever is recognised of them, with %s',
    (_form, later) => {
      const pieces = fc.array(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 4 });
      fc.assert(
        fc.property(fc.array(pieces, { minLength: 1, maxLength: 4 }), (calls) => {
          const fragments = calls.flatMap((args, at) => [
            {
              index: 0,
              id: `call_${at}`,
              type: 'function',
              function: { name: 'f', arguments: '' },
            },
            ...args.map(later),
          ]);
          expect(callsOf(fragments).map((call) => call.arguments)).toEqual(
            calls.map((args) => args.join('')),
          );
        }),
        { numRuns: 50 },
      );
    },
  );
});
