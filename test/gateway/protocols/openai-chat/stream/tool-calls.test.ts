import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { event, read, translate } from '../../../../support/clients/recorded-stream.ts';
import { readStrictly } from '../../../../support/clients/strict-chat-client.ts';

/**
 * The tool calls that a strict client reads from these fragments, each array in a chunk of its own.
 */
function callsOf(chunks: readonly (readonly object[])[]): ReturnType<typeof readStrictly>['tools'] {
  const events = [event({ role: 'assistant', content: null })];
  for (const fragments of chunks) events.push(event({ tool_calls: fragments }));
  return readStrictly(translate([Buffer.from(events.join(''))]).text).tools;
}

/** Each call as its name and arguments. */
function asText(calls: ReturnType<typeof callsOf>): string[] {
  return calls.map((call) => `${call.name}(${call.arguments})`);
}

/** A fragment that has an index and an id, a name and arguments. */
function whole(index: number, id: string, name: string, args: string): object {
  return { index, id, type: 'function', function: { name, arguments: args } };
}

/** The fragments after a call's first from servers that give every call index 0. */
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
            [whole(0, `call_${at}`, 'f', '')],
            ...args.map((text) => [later(text)]),
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

describe('a call begins', () => {
  const rest = (text: string): object => ({ index: 0, function: { arguments: text } });

  it.each<[string, readonly object[], readonly string[]]>([
    [
      'with another name under the same index without ids',
      [whole(0, '', 'f', '{"x":1}'), whole(0, '', 'g', '{"y":2}')],
      ['f({"x":1})', 'g({"y":2})'],
    ],
    [
      'with the same name behind complete arguments',
      [whole(0, '', 'f', '{"x":1}'), whole(0, '', 'f', '{"x":1}'), whole(0, 'f', 'f', '{}')],
      ['f({"x":1})', 'f({"x":1})', 'f({})'],
    ],
    [
      'with the same name behind arguments that went on without it',
      [whole(0, '', 'f', ''), rest('{"x"'), rest(':1}'), whole(0, '', 'f', '{'), rest('}')],
      ['f({"x":1})', 'f({})'],
    ],
    [
      'under another index although its id is the same',
      [whole(0, 'call_0', 'f', '{"x":1}'), whole(1, 'call_0', 'g', '{"y":2}')],
      ['f({"x":1})', 'g({"y":2})'],
    ],
    [
      'under the same index and id with another name, or other complete arguments',
      [whole(0, 'f', 'f', '{"x":1}'), whole(0, 'f', 'f', '{"x":2}'), whole(0, 'f', 'g', '{}')],
      ['f({"x":1})', 'f({"x":2})', 'g({})'],
    ],
  ])('%s', (_how, fragments, calls) => {
    expect(asText(callsOf(fragments.map((fragment) => [fragment])))).toEqual(calls);
    expect(asText(callsOf([fragments]))).toEqual(calls);
  });

  it('with its name when the id came before', () => {
    const named = { index: 0, function: { name: 'f', arguments: '' } };
    for (const first of [
      { index: 0, id: 'call_a', type: 'function' },
      whole(0, 'call_a', '', ''),
    ]) {
      expect(callsOf([[first], [named], [rest('{"x"')], [rest(':1}')]])).toEqual([
        { id: 'call_a', name: 'f', arguments: '{"x":1}' },
      ]);
    }
  });
});

describe('a call goes on', () => {
  const first = [whole(0, 'call_a', 'f', '{"x"')];

  it.each<[string, (args: string) => object]>([
    ['with id and name repeated', (args) => whole(0, 'call_a', 'f', args)],
    ['with its name repeated, but not its id', (args) => whole(0, '', 'f', args)],
    ['with an id of its own in each fragment', (args) => whole(0, `call_${args}`, '', args)],
    ['with an empty type', (args) => ({ ...whole(0, '', '', args), type: '' })],
    ['under the id alone', (args) => ({ id: 'call_a', function: { arguments: args } })],
  ])('%s', (_how, later) => {
    const calls = callsOf([first, ...[':', '1', '}', ''].map((text) => [later(text)])]);
    expect(asText(calls)).toEqual(['f({"x":1})']);
  });

  it('under its index when another call has the same id', () => {
    const later = (index: number, text: string): object[] => [whole(index, 'call_0', '', text)];
    const begun = [[whole(0, 'call_0', 'f', '')], [whole(1, 'call_0', 'g', '')]];
    const calls = callsOf([
      ...begun,
      later(0, '{"x"'),
      later(1, '{'),
      later(0, ':1}'),
      later(1, '}'),
    ]);
    expect(asText(calls)).toEqual(['f({"x":1})', 'g({})']);
  });

  it('once when all of it is sent once more', () => {
    const call = whole(0, 'call_a', 'f', '{"x":1}');
    expect(asText(callsOf([[call], [call], [call]]))).toEqual(['f({"x":1})']);
  });
});

describe('a call of a custom tool', () => {
  /** The fragments as the client gets them, and the stream they came in. */
  function sent(...fragments: object[]) {
    const events = fragments.map((one) => event({ tool_calls: [one] })).join('');
    const { text, stream } = translate([Buffer.from(events)]);
    const chunks = text.split('\n\n').filter((block) => block !== '');
    const got = chunks.flatMap((block) => {
      const { choices } = JSON.parse(block.slice(6)) as {
        choices: { delta: { tool_calls: object[] } }[];
      };
      return choices[0]?.delta.tool_calls ?? [];
    });
    return { got, stream };
  }
  const first = { index: 0, id: 'a', type: 'custom', custom: { name: 'f', input: '' } };
  const more = (input: string): object => ({ index: 0, custom: { input } });

  it('is output: its name once, and all of its input, whether it was parsed or recognised', () => {
    const { got, stream } = sent(first, more('a'), more('{'), more('}\n'), more(''));
    expect(got).toEqual([first, more('a'), more('{'), more('}\n'), more('')]);
    expect(stream.deliveredText()).toBe('fa{}\n');
    expect(stream.hasContent).toBe(true);
  });

  it('has its name, id and type once', () => {
    const named = (input: string): object => ({ ...first, custom: { name: 'f', input } });
    const { got, stream } = sent(first, named('a'), named('b'));
    expect(got).toEqual([first, more('a'), more('b')]);
    expect(stream.deliveredText()).toBe('fab');
  });

  it('gets an id and its type where it has none, and waits for its name', () => {
    const { got } = sent(
      { index: 0, id: 'a', type: 'custom' },
      { index: 0, custom: { name: 'f', input: 'x' } },
    );
    expect(got).toEqual([{ ...first, custom: { name: 'f', input: 'x' } }]);
    const made = { id: expect.stringMatching(/^call_/) as string, type: 'custom' };
    expect(sent({ custom: { name: 'f' } }).got).toMatchObject([made]);
  });

  it('may end without an input: that is any text, and needs no braces', () => {
    const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const events = event({ tool_calls: [first] }) + event({}, finish);
    const { text } = translate([Buffer.from(events)]);
    expect(text).not.toContain('{}"');
    expect(text).toContain('"finish_reason":"tool_calls"');
  });
});

describe('fragments of any kind, in any order', () => {
  it('come out the same whether they were parsed or recognised', () => {
    const fragment = fc.record(
      {
        index: fc.constantFrom(0, 0, 1),
        id: fc.constantFrom('', 'a', 'b'),
        type: fc.constantFrom('', 'function'),
        function: fc.record(
          {
            name: fc.constantFrom('', 'f', 'g'),
            arguments: fc.constantFrom('', '{', '{}', '1', '}'),
          },
          { requiredKeys: [] },
        ),
        custom: fc.record(
          { name: fc.constantFrom('', 'f', 'g'), input: fc.constantFrom('', '{', '{}', '1', '}') },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    );
    const stable = (bytes: string): string =>
      translate([Buffer.from(bytes)]).text.replaceAll(/[0-9a-f]{32}/g, 'made-here');
    fc.assert(
      fc.property(fc.array(fragment, { minLength: 4, maxLength: 12 }), (fragments) => {
        const events = fragments.map((one) => event({ tool_calls: [one] })).join('');
        // Of chunks with CR LF none is recognised.
        expect(stable(events)).toBe(stable(events.replaceAll('\n', '\r\n')));
      }),
      { numRuns: 300 },
    );
  });
});
