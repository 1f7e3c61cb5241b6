import { expect, it } from 'vitest';
import { openId, sealId } from '../../../../gateway/platform/secrets/opaque-id.ts';

const KEYS = { mac: Buffer.alloc(32, 1), cipher: Buffer.alloc(32, 2) };
const TEXT = 'channel\ncredential\nresp_ä';

it('an id opens for its owner alone, and says nothing to anybody else', () => {
  const id = sealId(KEYS, TEXT, 'owner');
  expect(id).toMatch(/^[\w-]+$/);
  expect(openId(KEYS, id, 'owner')).toBe(TEXT);
  expect(openId(KEYS, id, 'other')).toBeUndefined();
  expect(openId({ ...KEYS, mac: Buffer.alloc(32, 3) }, id, 'owner')).toBeUndefined();
  expect(Buffer.from(id, 'base64url').toString('latin1')).not.toContain('channel');
});

it('the same text has the same id, and another one for another owner', () => {
  expect(sealId(KEYS, TEXT, 'owner')).toBe(sealId(KEYS, TEXT, 'owner'));
  expect(sealId(KEYS, TEXT, 'owner')).not.toBe(sealId(KEYS, TEXT, 'other'));
});

it('an id that was changed anywhere opens for nobody', () => {
  const bytes = Buffer.from(sealId(KEYS, TEXT, 'owner'), 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(openId(KEYS, changed.toString('base64url'), 'owner')).toBeUndefined();
  }
});

it.each(['', 'x', 'AAAA', 'A'.repeat(22), '!!!', 'ü'.repeat(40)])('%j is no id', (id) => {
  expect(openId(KEYS, id, 'owner')).toBeUndefined();
});
