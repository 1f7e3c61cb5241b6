import { describe, expect, it } from 'vitest';
import {
  generateKey,
  hasCheckLetters,
  KEY_LETTERS_MIN,
  keyDigest,
  keyDigests,
  keyPrefix,
} from '../../../../gateway/platform/secrets/api-key.ts';
import {
  deriveSecrets,
  isSealedCurrently,
  seal,
  unseal,
} from '../../../../gateway/platform/secrets/secrets.ts';

const OLD = 'the key of last year, long enough to be one';
const NEW = 'the key of this year, long enough to be one';

describe('sealed values', () => {
  const secrets = deriveSecrets(OLD);

  it.each(['', 'sk-upstream', 'ключ 🔑', 'x'.repeat(100_000)])(
    'open to what was sealed',
    (plain) => {
      expect(unseal(secrets, seal(secrets, plain))).toBe(plain);
    },
  );

  it('differ each time and show nothing', () => {
    const [one, two] = [seal(secrets, 'sk-upstream'), seal(secrets, 'sk-upstream')];
    expect(one).not.toBe(two);
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('upstream');
  });

  it('do not open when any character is changed', () => {
    const sealed = seal(secrets, 'sk-upstream');
    const start = sealed.lastIndexOf('.') + 1;
    for (let at = start; at < sealed.length - 1; at += 1) {
      const altered = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      expect(() => unseal(secrets, altered)).toThrow();
    }
  });

  it.each(['', 'v1', 'v1.x.y', 'v2.abc.def', 'plain text'])('are told from "%s"', (text) => {
    expect(() => unseal(secrets, text)).toThrow(/SECRET_KEY/);
  });

  it('do not open under another SECRET_KEY, which the message names', () => {
    expect(() => unseal(deriveSecrets(NEW), seal(secrets, 'x'))).toThrow(/SECRET_KEY_PREVIOUS/);
  });

  it('open after a change of SECRET_KEY when the previous one is given', () => {
    const both = deriveSecrets(NEW, OLD);
    expect(unseal(both, seal(secrets, 'x'))).toBe('x');
  });

  it('are sealed under the key in force, and known to be', () => {
    const both = deriveSecrets(NEW, OLD);
    expect(isSealedCurrently(both, seal(both, 'x'))).toBe(true);
    expect(isSealedCurrently(both, seal(secrets, 'x'))).toBe(false);
    expect(unseal(deriveSecrets(NEW), seal(both, 'x'))).toBe('x');
  });
});

describe('API keys', () => {
  const secrets = deriveSecrets(OLD);

  it('carry 220 bits and never repeat', () => {
    const keys = Array.from({ length: 200 }, () => generateKey(secrets));
    for (const { key, prefix } of keys) {
      expect(key).toMatch(/^sk-[0-9A-Za-z]{43}$/);
      expect(prefix).toBe(key.slice(0, 9));
    }
    expect(new Set(keys.map(({ key }) => key)).size).toBe(200);
    expect(KEY_LETTERS_MIN * Math.log2(62)).toBeGreaterThan(160);
  });

  it('are stored as a digest that depends on SECRET_KEY', () => {
    const { key } = generateKey(secrets);
    const [one, two] = [keyDigest(deriveSecrets(OLD), key), keyDigest(deriveSecrets(NEW), key)];
    expect(one).toHaveLength(32);
    expect(one.equals(two)).toBe(false);
    expect(one.equals(keyDigest(deriveSecrets(OLD), key))).toBe(true);
  });

  it('are still found after a change of SECRET_KEY', () => {
    const { key } = generateKey(secrets);
    const stored = keyDigest(deriveSecrets(OLD), key);
    const both = deriveSecrets(NEW, OLD);
    expect(keyDigests(both, key).some((digest) => digest.equals(stored))).toBe(true);
    expect(keyDigest(both, key).equals(stored)).toBe(false);
  });

  it('end in letters that tell a mistyped one at once, whichever letter is wrong', () => {
    const { key } = generateKey(secrets);
    expect(hasCheckLetters(secrets, key)).toBe(true);
    for (let at = 3; at < key.length; at += 1) {
      const other = key[at] === 'A' ? 'B' : 'A';
      const mistyped = key.slice(0, at) + other + key.slice(at + 1);
      expect(hasCheckLetters(secrets, mistyped)).toBe(false);
    }
    expect(hasCheckLetters(secrets, key.slice(0, -1))).toBe(false);
    expect(hasCheckLetters(secrets, `${key}A`)).toBe(false);
  });

  it('end in letters that nobody can make without SECRET_KEY, and that a change of it keeps good', () => {
    const { key } = generateKey(secrets);
    expect(hasCheckLetters(deriveSecrets(NEW), key)).toBe(false);
    expect(hasCheckLetters(deriveSecrets(NEW, OLD), key)).toBe(true);
  });

  it('show too little of themselves to be guessed', () => {
    expect(keyPrefix('sk-abcdefghijklmnopqrstuvwxyz')).toBe('sk-abcdef');
  });
});
