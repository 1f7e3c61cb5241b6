import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasSecret, redactSecrets } from '@weir/shared/redact-secrets';
import { LISTED_MODELS } from '../../../../gateway/pricing/price-list.ts';
import { KEY_FORMS, makeKey } from '../../../support/clients/planted-keys.ts';

describe('what looks like a key', () => {
  const around: readonly (readonly [string, string])[] = [
    ['', ''],
    ['model: ', '.'],
    ['"', '"'],
    ['?key=', '&alt=sse'],
    ['/v1/models/', '/'],
    ['a%20', '%20b'],
    ['{"text":"line\\n', '\\n"}'],
    ['{"text":"\\u0022', '"}'],
    ['（', '）'],
    ['key:\u200b', '\u200b'],
  ];

  it.each(KEY_FORMS)('is shown as its beginning: %s', (form) => {
    for (const [before, after] of around) {
      const key = makeKey(form);
      const shown = redactSecrets(before + key + after);
      expect(shown).not.toContain(key.slice(-12));
      expect(shown).toContain('…');
      // A slash may be a part of a key without a mark.
      if (!after.startsWith('/')) {
        expect(shown.startsWith(before)).toBe(true);
        expect(shown.endsWith(after)).toBe(true);
      }
    }
  });

  it.each(['sk-', 'xai-', 'pplx-'])('is shortened when chance gave it no digit: %s', (mark) => {
    const key = `${mark}HSBfTVgcqYzySVQbYlMfrzbrpmGrrMVwZSRBrumCaxn`;
    expect(redactSecrets(`use ${key}.`)).toBe(`use ${key.slice(0, 9)}….`);
    // Few changes of case.
    const calm = `${mark}${'Abcdefghijklm'.repeat(3)}`;
    expect(redactSecrets(`use ${calm}.`)).toBe(`use ${calm.slice(0, 9)}….`);
  });

  it('is found more than once in a text', () => {
    const keys = KEY_FORMS.map((form) => makeKey(form));
    const shown = redactSecrets(keys.join(' and '));
    for (const key of keys) expect(shown).not.toContain(key.slice(-16));
  });

  it('keeps its vendor’s mark, and as much of our own as lists show', () => {
    expect(redactSecrets(`sk-proj-${'a1B2'.repeat(12)}`)).toBe('sk-proj-a…');
    expect(redactSecrets('Authorization: Bearer 0a1b2c3d4e5f6a7b8c9d')).toBe(
      'Authorization: Bearer …',
    );
    expect(redactSecrets('redis://user:secret@host:6379/0')).toBe('redis://…@host:6379/0');
    expect(
      redactSecrets('-----BEGIN PRIVATE KEY-----\nMIIEvQ==\n-----END PRIVATE KEY-----\nrest'),
    ).toBe('-----BEGIN PRIVATE KEY-----…\nrest');
  });

  it('leaves JSON as JSON', () => {
    for (const form of KEY_FORMS) {
      const key = makeKey(form);
      const text = JSON.stringify({ a: key, b: `x\n${key}\t"${key}"`, [key]: [key, 1] });
      const shown = redactSecrets(text);
      expect(shown).not.toContain(JSON.stringify(key).slice(1, -1).slice(-16));
      expect(() => JSON.parse(shown) as unknown).not.toThrow();
    }
  });
});

describe('what is no key', () => {
  it('stays: the models of the first price list', () => {
    for (const { publicId, displayName } of LISTED_MODELS) {
      expect(redactSecrets(publicId)).toBe(publicId);
      expect(redactSecrets(displayName)).toBe(displayName);
    }
  });

  it('stays: IDs as vendors, aggregators and people give them', () => {
    const list = readFileSync(new URL('./model-ids.txt', import.meta.url), 'utf8');
    const ids = list.split('\n').filter((line) => line !== '');
    expect(ids.length).toBeGreaterThan(150);
    expect(ids.filter((id) => redactSecrets(id) !== id)).toEqual([]);
  });

  it.each([
    'risk-assessment-model-2026-11-28-final',
    'task-550e8400-e29b-41d4-a716-446655440000',
    '018f3c5e-7a1b-7c3d-9e4f-0123456789ab',
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'resp_68af4030592c81938ec0a5fbab4a3e9f05438e46b5f69a3b',
    'sk-…',
    'sk-learn-text-classifier-base',
    'Send the header "Authorization: Bearer sk-…". A key is shown once, when it is created.',
    'The basic authentication scheme is not used here. Bearer tokens are.',
    'https://api.example.com/v1/chat/completions?api-version=2026-10-01',
    '{"level":30,"time":"2026-11-28T03:57:46.123Z","requestId":"018f3c5e-7a1b-7c3d-9e4f-0123456789ab","inputTokens":123}',
  ])('stays: %s', (text) => expect(redactSecrets(text)).toBe(text));

  it('stays in a long text: addresses of pictures and documents', () => {
    const random = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7'.repeat(2);
    expect(hasSecret(`![](data:image/png;base64,${random})`)).toBe(false);
    expect(hasSecret(`See https://docs.example.com/d/${random}/edit`)).toBe(false);
    expect(hasSecret(`See https://example.com/?key=sk-proj-${random}`)).toBe(true);
    expect(hasSecret(`The key is ${random}.`)).toBe(true);
  });
});

it('takes no more time than a text is long', () => {
  // Each would take hours if a search began again at each of its letters.
  for (const text of [
    'sk-',
    '-----BEGIN ',
    'eyJ',
    'Bearer ',
    '://',
    'A',
    'aB1',
    'eyJaaaaaaaaaaa.',
  ]) {
    const long = text.repeat(Math.ceil(1_000_000 / text.length));
    expect(typeof redactSecrets(long)).toBe('string');
  }
});
