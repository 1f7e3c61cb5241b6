import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import loadWabt from 'wabt';
import { anyCodePoint } from '../../../support/any-code-point.ts';
import { growth } from '../support/growth.ts';
import { AsciiText, NO_MATCH, Skimmer } from '../../../../gateway/platform/json/skimmer.ts';

const LEVELS = 128;
const LONG = 'a long string is searched for its end in blocks of sixteen bytes, ';

/** Returns the end of the value at the beginning of a text. */
function skim(text: string | Buffer, levels = LEVELS): number {
  return new Skimmer(Buffer.from(text)).value(0, levels);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Texts that are nearly JSON: what JSON.stringify makes, with one of its characters replaced,
 * doubled or left out.
 */
const nearlyJson = fc
  .tuple(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(0, 1),
    fc.nat(),
    fc.constantFrom('', ...Array.from('{}[]":,\\ue0.-+\n\t \u0001x1tf')),
  )
  .map(([value, indent, place, put]) => {
    const text = JSON.stringify(value, null, indent);
    const at = place % text.length;
    return text.slice(0, at) + put + text.slice(at + 1);
  });

describe('a skimmer', () => {
  it('finds the end of every value', () => {
    const value = fc.jsonValue({ maxDepth: 4, stringUnit: anyCodePoint });
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (one, indent) => {
        const text = JSON.stringify(one, null, indent);
        expect(skim(`${text}, and so on`)).toBe(Buffer.byteLength(text));
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with JSON.parse about what is JSON', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const trimmed = text.trim();
        const whole = skim(trimmed) === Buffer.byteLength(trimmed);
        expect(whole).toBe(isJson(trimmed));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ...['01', '-', '1.', '.5', '1e', '1e+', '+1', '-a', 'NaN', 'tru', 'nul', 'Infinity', ''],
    ...['"\\x"', '"\\u12g4"', '"\\u123"', '"\\', '"a\nb"', '"\u0000"', "'a'", '"open'],
    ...['[1,]', '[,1]', '[1 2]', '{"a"}', '{"a":}', '{"a":1,}', '{a:1}', '{"a":1 "b":2}', '[1}'],
  ])('does not take %j for JSON', (text) => {
    expect(skim(text)).not.toBe(Buffer.byteLength(text) || 0);
    expect(isJson(text)).toBe(false);
  });

  it('finds the end of long strings, whatever is escaped in them', () => {
    const parts = fc.array(fc.constantFrom('"', '\\', '\\\\', '\n', LONG, 'é', '}', '\\"'));
    fc.assert(
      fc.property(parts, (some) => {
        const text = JSON.stringify([LONG + some.join('')]);
        expect(skim(`${text}"]`)).toBe(Buffer.byteLength(text));
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with JSON.parse about every character and every escape, wherever in a block it stands', () => {
    for (let code = 0; code < 256; code += 1) {
      for (const before of ['', '\\', '\\u12', '\\u00e']) {
        for (let place = 0; place < 40; place += 1) {
          const text = `"${LONG.slice(0, place)}${before}${String.fromCharCode(code)}f90 ${LONG}"`;
          const whole = skim(text) === Buffer.byteLength(text);
          if (whole !== isJson(text)) expect.fail(`${JSON.stringify(text)} at ${place}`);
        }
      }
    }
  });

  it('does not go on in what the document before has left behind', () => {
    expect(skim(`["${LONG}", true, 1234]`)).toBeGreaterThan(0);
    for (const cut of [
      '["a long',
      '["a\\',
      '["a\\u12',
      '[',
      '["',
      `["${LONG}", tr`,
      `["${LONG}", 12`,
    ]) {
      expect(skim(cut)).toBe(NO_MATCH);
    }
    expect(skim('12')).toBe(2);
  });

  it('takes documents of any size', () => {
    for (const length of [1_048_570, 1_048_576, 1_048_577, 3_000_000]) {
      const text = `["${'x'.repeat(length - 4)}"]`;
      expect(skim(text)).toBe(length);
      expect(skim(text.slice(0, -2))).toBe(NO_MATCH);
    }
    expect(skim('[1]')).toBe(3);
  });

  it.each(['\n', '\r', '\t'])(
    'finds %j in a long string, and lets it be between values',
    (byte) => {
      const good = `[${byte}"${LONG}",${byte}"${LONG}"${byte}]`;
      expect(skim(good)).toBe(good.length);
      expect(skim(`[${byte}"${LONG}",${byte}"${LONG}${byte}${LONG}"${byte}]`)).toBe(NO_MATCH);
    },
  );

  it('compares texts of any length with bytes at any place', () => {
    const document = 'abcdabceabcd"function":"function"null';
    const skimmer = new Skimmer(Buffer.from(document));
    for (let length = 4; length <= document.length; length += 1) {
      const text = document.slice(0, length);
      for (let at = 0; at < document.length; at += 1) {
        const found = skimmer.isTextAt(at, new AsciiText(text));
        expect(found, `${text} at ${at}`).toBe(document.startsWith(text, at));
      }
    }
    expect(() => new AsciiText('abc')).toThrow(RangeError);
  });

  it('compares texts with the end of a document that fills its memory', () => {
    const text = new AsciiText('x'.repeat(64));
    for (const length of [1_114_048, 1_114_047, 1_114_112]) {
      const skimmer = new Skimmer(Buffer.alloc(length, 'x'));
      expect(skimmer.isTextAt(length - 64, text)).toBe(true);
      for (let at = length - 63; at <= length; at += 1) {
        expect(skimmer.isTextAt(at, text)).toBe(false);
      }
    }
  });

  it('finds a word in any case', () => {
    const type = new AsciiText('type');
    for (const [word, found] of [
      ['type', true],
      ['TyPE', true],
      ['typo', false],
      ['4YPE', false],
    ] as const) {
      expect(new Skimmer(Buffer.from(word)).isWordInAnyCaseAt(0, type)).toBe(found);
    }
  });

  it('counts levels of nesting', () => {
    const nested = `${'['.repeat(10)}${']'.repeat(10)}`;
    expect(skim(nested, 10)).toBe(nested.length);
    expect(skim(nested, 9)).toBe(NO_MATCH);
  });

  it('takes time in proportion to the bytes, wherever a line break stands', () => {
    const read = (strings: number): void => {
      const text = `[${`"${LONG}",`.repeat(strings)}"last"\t]`;
      expect(skim(text)).toBe(text.length);
    };
    // Searched again for each string, the line break at the end would make it 256 times as long.
    expect(growth(read, 1_000, 16_000)).toBeLessThan(64);
  });
});

describe('the program that walks values', () => {
  it('is made of its source', async () => {
    const folder = new URL('../../../../gateway/platform/json/', import.meta.url);
    const wabt = await loadWabt();
    const source = wabt.parseWat('skim.wat', readFileSync(new URL('skim.wat', folder)));
    const { buffer } = source.toBinary({});
    expect(readFileSync(new URL('skim.wasm', folder)).equals(buffer)).toBe(true);
  });
});
