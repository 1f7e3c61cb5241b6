import { describe, expect, it } from 'vitest';
import { utf8Text } from '../../../../gateway/platform/json/utf8-text.ts';

const LONG = 'A long prompt. '.repeat(50);

describe('text of UTF-8', () => {
  it.each([
    ['of ASCII', LONG],
    ['of Latin letters', `${LONG}höchster Stand: ½`],
    ['with Chinese', `半${LONG}闸门`],
    ['with surrogate pairs', `${LONG}😀${LONG}`],
    ['with a byte order mark', `\uFEFF${LONG}é`],
    ['with a NUL', `${LONG}\0é`],
    ['that is short', 'é'],
    ['without a letter', ''],
  ])('%s is read whole', (_name, text) => {
    expect(utf8Text(Buffer.from(text))).toBe(text);
  });

  it.each([
    ['a letter cut off', Buffer.from(`${LONG}半`).subarray(0, -1)],
    ['a lone surrogate', Buffer.concat([Buffer.from(LONG), Buffer.from([0xed, 0xa0, 0x80])])],
    ['Latin-1', Buffer.from(`${LONG}é`, 'latin1')],
  ])('%s is read as Node.js reads it', (_name, bytes) => {
    expect(utf8Text(bytes)).toBe(bytes.toString('utf8'));
  });

  it('a view into a larger buffer is read alone', () => {
    const text = `é${LONG}`;
    const bytes = Buffer.from(`###${text}###`);
    expect(utf8Text(bytes.subarray(3, -3))).toBe(text);
  });
});
