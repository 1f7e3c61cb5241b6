import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { isJsonObject } from '../../../../gateway/platform/json/json-value.ts';
import { readObject } from '../../../../gateway/platform/json/read-object.ts';
import { rewriteMembers } from '../../../../gateway/platform/json/rewrite-members.ts';
import { findMember, scanMembers } from '../../../../gateway/platform/json/scan-members.ts';
import { anyCodePoint } from '../../../support/any-code-point.ts';

const DEPTH_MAX = 128;

function parseObject(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json);
  if (!isJsonObject(value)) throw new Error('not an object');
  return { ...value };
}

function memberTexts(json: string): Record<string, string> {
  const bytes = Buffer.from(json);
  const { offsets, count } = scanMembers(bytes, DEPTH_MAX);
  const texts: Record<string, string> = {};
  for (let member = 0; member < count; member += 1) {
    const [keyStart, keyEnd, start, end] = offsets.slice(member * 4, member * 4 + 4);
    texts[bytes.toString('utf8', keyStart, keyEnd)] = bytes.toString('utf8', start, end).trim();
  }
  return texts;
}

function rewrite(json: string, edits: Parameters<typeof rewriteMembers>[2]): string {
  const bytes = Buffer.from(json);
  return rewriteMembers(bytes, scanMembers(bytes, DEPTH_MAX), edits).toString();
}

/** JSON with white space wherever it may stand, and escapes where they need not. */
function pretty(value: unknown, indent: number): string {
  return JSON.stringify(value, null, indent).replaceAll('é', '\\u00e9');
}

const anyObject = fc.dictionary(
  fc.string({ maxLength: 8 }).filter((key) => !/["\\\u0000-\u001f]/.test(key)),
  fc.jsonValue({ maxDepth: 3 }),
);
/** Text beyond ASCII, also in keys. */
const anyUnicodeObject = fc.dictionary(
  fc
    .string({ unit: anyCodePoint, maxLength: 6 })
    .filter((key) => !/["\\\u0000-\u001f]/.test(key) && key !== '__proto__'),
  fc.jsonValue({ maxDepth: 3, stringUnit: anyCodePoint }),
);
const longText = fc
  .array(fc.constantFrom('"', '\\', 'x', 'é', '\n', '{', '}', ',', ':', 'word '.repeat(20)))
  .map((parts) => parts.join(''));

describe('scanMembers', () => {
  it('finds keys and values at the top and nowhere else', () => {
    expect(memberTexts(' { "a" : 1 , "b":{"a":2,"c":[{"a":3}]},"c":"x,\\"y:}","d":[] } ')).toEqual({
      a: '1',
      b: '{"a":2,"c":[{"a":3}]}',
      c: '"x,\\"y:}"',
      d: '[]',
    });
  });

  it('finds nothing in an empty object', () => {
    expect(memberTexts('{ }')).toEqual({});
  });

  it('agrees with JSON.parse about every object', () => {
    fc.assert(
      fc.property(anyObject, longText, fc.constantFrom(0, 2), (object, text, indent) => {
        const value = { ...object, text };
        const texts = memberTexts(pretty(value, indent));
        expect(Object.keys(texts).sort()).toEqual(Object.keys(value).sort());
        for (const [key, json] of Object.entries(texts)) {
          expect(JSON.parse(json)).toEqual(parseObject(JSON.stringify(value))[key]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('ends on any bytes whatever', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const { count, offsets } = scanMembers(Buffer.from(bytes), 5);
        expect(offsets.length).toBeGreaterThanOrEqual(count * 4);
      }),
    );
  });

  it('counts levels of nesting, not brackets, and ignores those in strings', () => {
    const nested = (levels: number): Buffer =>
      Buffer.from(`{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
    expect(scanMembers(nested(10), 10).tooDeep).toBe(false);
    expect(scanMembers(nested(11), 10).tooDeep).toBe(true);
    expect(scanMembers(Buffer.from('{"a":[[],[],[],[]]}'), 3).tooDeep).toBe(false);
    expect(scanMembers(Buffer.from(`{"a":"${'['.repeat(50)}"}`), 3).tooDeep).toBe(false);
  });
});

describe('findMember', () => {
  it('matches whole names only', () => {
    const bytes = Buffer.from('{"models":1,"mode":2,"model":3}');
    const members = scanMembers(bytes, DEPTH_MAX);
    expect(findMember(bytes, members, 'model')).toBe(2);
    expect(findMember(bytes, members, 'mod')).toBe(-1);
  });
});

describe('rewriteMembers', () => {
  it('answers the same buffer when nothing changes', () => {
    const bytes = Buffer.from('{"a":1}');
    const members = scanMembers(bytes, DEPTH_MAX);
    expect(rewriteMembers(bytes, members, [])).toBe(bytes);
    expect(rewriteMembers(bytes, members, [{ name: 'b', value: undefined }])).toBe(bytes);
  });

  it.each([
    ['{"a":1, "b":2}', [{ name: 'a', value: '"ü"' }], '{"a":"ü", "b":2}'],
    ['{"a":1, "b":2}', [{ name: 'a', value: undefined }], '{"b":2}'],
    ['{"a":1, "b":2 }', [{ name: 'b', value: undefined }], '{"a":1}'],
    [
      '{"a":1,"b":2,"c":3}',
      [
        { name: 'c', value: undefined },
        { name: 'b', value: undefined },
      ],
      '{"a":1}',
    ],
    [
      '{"a":1,"b":2,"c":3}',
      [
        { name: 'a', value: undefined },
        { name: 'c', value: '4' },
      ],
      '{"b":2,"c":4}',
    ],
    ['{ "a":1}', [{ name: 'b', value: '2' }], '{ "b":2,"a":1}'],
    [
      '{"a":1,"b":2}',
      [
        { name: 'c', value: '3' },
        { name: 'a', value: undefined },
      ],
      '{"c":3,"b":2}',
    ],
    [
      '{"a":1,"b":2}',
      [
        { name: 'b', value: '3' },
        { name: 'a', value: '4' },
      ],
      '{"a":4,"b":3}',
    ],
  ])('turns %s into the expected bytes', (before, edits, after) => {
    expect(rewrite(before, edits)).toBe(after);
  });

  it('does what the same edits do to the parsed value', () => {
    const names = ['alpha', 'beta', 'gamma', 'delta'];
    const object = fc
      .tuple(fc.jsonValue(), fc.dictionary(fc.constantFrom(...names), fc.jsonValue()))
      .map(([keep, rest]) => ({ ...rest, keep }));
    const edits = fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(...names),
        value: fc.option(
          fc.jsonValue().map((value) => JSON.stringify(value)),
          { nil: undefined },
        ),
      }),
      { selector: (edit) => edit.name },
    );
    fc.assert(
      fc.property(object, edits, fc.constantFrom(0, 1), (value, changes, indent) => {
        const expected = parseObject(JSON.stringify(value));
        for (const { name, value: text } of changes) {
          if (text === undefined) Reflect.deleteProperty(expected, name);
          else expected[name] = JSON.parse(text);
        }
        expect(JSON.parse(rewrite(JSON.stringify(value, null, indent), changes))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe('readObject', () => {
  function refusal(body: string | Buffer): { code: string; message: string; param: string | null } {
    const read = readObject(Buffer.from(body), DEPTH_MAX);
    if (!isRefusal(read)) throw new Error('it was accepted');
    return { code: read.refused, message: read.message, param: read.param };
  }

  it('reads an object and skips a byte order mark', () => {
    const read = readObject(Buffer.from('\ufeff{"a":"ü"}'), DEPTH_MAX);
    if (isRefusal(read)) throw new Error(read.message);
    expect(read.value).toEqual({ a: 'ü' });
    expect(read.bytes.toString()).toBe('{"a":"ü"}');
  });

  it.each([
    ['', 'empty'],
    ['{"a":1', 'position 6'],
    ['{"a":"x', 'position 7'],
    ['{"a":1,}', 'position 7'],
    ["{'a':1}", 'position 1'],
    ['{"a":user}', '"u"'],
    ['{"a":', 'too early'],
    ['model=gpt-4o', '"m"'],
    ['{"a":1} {"b":2}', 'position 8'],
  ])('says where %j stops being JSON', (body, hint) => {
    const { code, message } = refusal(body);
    expect(code).toBe('invalid_json');
    expect(message).toContain(hint);
  });

  it('never repeats the body in the message', () => {
    expect(refusal('{"key":sk-secret-value}').message).not.toContain('secret');
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(refusal(Buffer.from('{"a":"\xff"}', 'latin1')).message).toContain('UTF-8');
  });

  it('refuses a nesting bomb before parsing it', () => {
    expect(refusal(`{"a":${'['.repeat(1_000_000)}`).message).toContain('128 levels');
  });

  it.each([
    ['[1]', 'an array'],
    ['"x"', 'a string'],
    ['null', 'null'],
    ['3', 'a number'],
  ])('refuses %s, which is no object', (body, named) => {
    expect(refusal(body)).toMatchObject({ code: 'invalid_type', param: null });
    expect(refusal(body).message).toContain(named);
  });

  it.each([
    ['{"model":"a","model":"b"}', 'model'],
    ['{"model":"a","x":1,"mod\\u0065l":"b"}', 'model'],
    ['{"__proto__":1,"__proto__":{}}', '__proto__'],
    ['{"é":1,"\\u00e9":2}', 'é'],
  ])('refuses the repeated field of %s by its name', (body, param) => {
    expect(refusal(body)).toMatchObject({ code: 'invalid_value', param });
  });

  it('reads what is small as it is written, in every alphabet', () => {
    fc.assert(
      fc.property(anyUnicodeObject, fc.integer({ min: 0, max: 2 }), (object, indent) => {
        const read = readObject(Buffer.from(pretty(object, indent)), DEPTH_MAX);
        if (isRefusal(read)) throw new Error(read.message);
        expect(read.value).toEqual(parseObject(JSON.stringify(object)));
        expect(read.keys).toEqual(Object.keys(object));
      }),
    );
  });

  it('lets no member become the object’s prototype', () => {
    const read = readObject(Buffer.from('{"__proto__":{"model":"ö"},"a":1}'), DEPTH_MAX);
    if (isRefusal(read)) throw new Error(read.message);
    expect(read.value['model']).toBeUndefined();
    expect(read.keys).toEqual(['__proto__', 'a']);
  });

  it('does not take a repetition further down for one at the top', () => {
    expect(isRefusal(readObject(Buffer.from('{"a":{"b":1,"b":2}}'), DEPTH_MAX))).toBe(false);
  });
});

it('an empty object gets its first member', () => {
  const bytes = Buffer.from(' {} ');
  const edits = [{ name: 'model', value: '"m"' }];
  const edited = rewriteMembers(bytes, scanMembers(bytes, 8), edits);
  expect(JSON.parse(edited.toString())).toEqual({ model: 'm' });
});
