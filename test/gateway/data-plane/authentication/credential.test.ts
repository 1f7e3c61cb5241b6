import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCodePoint } from '../../../support/any-code-point.ts';
import { growth } from '../../platform/support/growth.ts';
import { readCredential } from '../../../../gateway/data-plane/authentication/credential.ts';
import { isRefusal, type Refusal } from '../../../../gateway/platform/errors/refusal.ts';
import {
  generateKey,
  KEY_LETTERS_MAX,
  KEY_LETTERS_MIN,
} from '../../../../gateway/platform/secrets/api-key.ts';
import { TEST_SECRETS } from '../../../support/seed.ts';

const KEY = 'sk-Ab3'.padEnd(3 + 43, 'x7Q');
const OTHER_KEY = 'sk-Zz9'.padEnd(3 + 43, 'k2P');

function read(headers: Record<string, string>, query = ''): { readonly key: string } | Refusal {
  return readCredential({ header: (name) => headers[name] ?? '', query: () => query });
}

function refusal(headers: Record<string, string>, query = ''): Refusal {
  const credential = read(headers, query);
  if (!isRefusal(credential)) throw new Error('it was accepted');
  return credential;
}

describe('readCredential', () => {
  it('takes a bearer key without looking anywhere else', () => {
    const asked: string[] = [];
    const credential = readCredential({
      header: (name) => {
        asked.push(name);
        return `Bearer ${KEY}`;
      },
      query: () => {
        throw new Error('the query was read');
      },
    });
    expect(credential).toEqual({ key: KEY });
    expect(asked).toEqual(['authorization']);
  });

  it('takes every key that is generated here', () => {
    const { key } = generateKey(TEST_SECRETS);
    expect(read({ authorization: `Bearer ${key}` })).toEqual({ key });
  });

  it.each([
    ['a small scheme', `bearer ${KEY}`],
    ['a shouted scheme', `BEARER ${KEY}`],
    ['no scheme', KEY],
    ['"Bearer " typed into the key box', `Bearer Bearer ${KEY}`],
    ['and typed twice', `Bearer bearer Bearer ${KEY}`],
    ['a leading space in the key', `Bearer  ${KEY}`],
    ['a trailing space', `Bearer ${KEY}  `],
    ['a tab', `Bearer\t${KEY}`],
    ['no space behind the scheme', `Bearer${KEY}`],
    ['a colon behind the scheme', `Bearer: ${KEY}`],
    ['the whole header in the key box', `Bearer Authorization: Bearer ${KEY}`],
    ['double quotes', `Bearer "${KEY}"`],
    ['single quotes', `Bearer '${KEY}'`],
    ['quotes around the scheme too', `"Bearer ${KEY}"`],
    ['backquotes', `Bearer \`${KEY}\``],
    ['angle brackets', `Bearer <${KEY}>`],
    ['a no-break space read as Latin-1', `Bearer ${KEY}\u00a0`],
    ['a no-break space read as UTF-8', `Bearer ${KEY}\ufffd`],
    ['a no-break space behind the scheme', `Bearer\u00a0${KEY}`],
    ['typographic quotes', `Bearer \u201c${KEY}\u201d`],
    ['the variable it came in', `Bearer OPENAI_API_KEY="${KEY}"`],
  ])('takes a key with %s', (_, authorization) => {
    expect(read({ authorization })).toEqual({ key: KEY });
  });

  it.each(['x-api-key', 'api-key', 'x-goog-api-key'])('takes a key from %s', (name) => {
    expect(read({ [name]: KEY })).toEqual({ key: KEY });
    expect(read({ [name]: ` Bearer ${KEY}` })).toEqual({ key: KEY });
  });

  it('takes a key from the query', () => {
    expect(read({}, `alt=sse&key=${KEY}`)).toEqual({ key: KEY });
    expect(read({}, `key=%20${KEY}`)).toEqual({ key: KEY });
  });

  it.each(['', 'alt=sse', 'key=', 'monkey=1', 'key=%zz%', '&&=', 'beta=true'])(
    'lives with the query %j',
    (query) => {
      expect(isRefusal(read({}, query))).toBe(true);
      expect(read({ 'x-api-key': KEY }, query)).toEqual({ key: KEY });
    },
  );

  it.each([
    [{ authorization: 'Bearer sk-ant-api03-abc', 'x-api-key': KEY }, KEY],
    [{ authorization: 'Bearer', 'x-api-key': KEY }, KEY],
    [{ authorization: 'Basic dXNlcjpwYXNz', 'api-key': KEY }, KEY],
    [{ authorization: `Bearer ${KEY}`, 'x-api-key': 'sk-ant-api03-abc' }, KEY],
    [{ authorization: `Bearer ${KEY}`, 'x-api-key': OTHER_KEY }, KEY],
    [{ authorization: `Bearer  ${KEY}`, 'x-api-key': OTHER_KEY }, KEY],
    [{ 'x-api-key': 'undefined', 'x-goog-api-key': KEY }, KEY],
  ])('of several prefers the first that can be ours: %j', (headers, key) => {
    expect(read(headers)).toEqual({ key });
  });

  it('says that no key was sent', () => {
    expect(refusal({}).refused).toBe('missing_api_key');
    expect(refusal({}).message).toContain('Authorization: Bearer sk-');
    expect(refusal({}).message).toContain('API Keys page');
  });

  it.each(['Bearer', 'Bearer ', 'bearer  ', 'Bearer ""', 'Bearer Bearer', "''"])(
    'says that %j is a place without a key',
    (authorization) => {
      const { refused, message } = refusal({ authorization });
      expect(refused).toBe('missing_api_key');
      expect(message).toContain('empty');
    },
  );

  it.each([
    ['undefined', 'not set'],
    ['null', 'not set'],
    ['None', 'not set'],
    ['$OPENAI_API_KEY', 'variable'],
    ['${WEIR_KEY}', 'variable'],
    ['{env:WEIR_KEY}', 'variable'],
    ['{{ key }}', 'variable'],
    ['%WEIR_KEY%', 'variable'],
    ['process.env.WEIR_KEY', 'variable'],
    ['OPENAI_API_KEY', 'variable'],
    ['YOUR_API_KEY', 'placeholder'],
    ['<API_KEY>', 'placeholder'],
    ['<your-key>', 'placeholder'],
    ['sk-your-key-here', 'placeholder'],
    ['sk-xxxxxxxx', 'placeholder'],
    ['my_api_key', 'placeholder'],
    ['ollama', 'placeholder'],
    ['sk-ant-api03-0123456789', 'Anthropic'],
    ['sk-proj-0123456789', 'OpenAI'],
    ['sk-or-v1-0123456789', 'OpenRouter'],
    ['AIzaSy0123456789', 'Google'],
    ['gsk_0123456789', 'Groq'],
    ['nk-0123456789', 'NextChat'],
    [KEY.toUpperCase(), 'small letters'],
    [KEY.slice(3), 'begins with "sk-"'],
    [KEY.slice(0, 20), 'too short'],
    [`sk-${'a'.repeat(KEY_LETTERS_MIN - 1)}`, 'too short'],
    ['sk-', 'too short'],
    [`sk-${'a'.repeat(KEY_LETTERS_MAX + 1)}`, 'too long'],
    [`sk-${'a'.repeat(5_000)}`, 'too long'],
    [`${KEY.slice(0, 12)} ${KEY.slice(12)}`, 'white space'],
    [`${KEY.slice(0, 12)}-${KEY.slice(12)}`, 'letters and digits'],
    [`${KEY.slice(0, 9)}...${KEY.slice(-4)}`, 'shortened'],
    [`${KEY.slice(0, 9)}****${KEY.slice(-4)}`, 'shortened'],
    [`${KEY},${OTHER_KEY}`, 'more than one'],
    [`${KEY}${OTHER_KEY}`, 'more than one'],
  ])('refuses %j and names the mistake', (text, hint) => {
    for (const headers of [{ authorization: `Bearer ${text}` }, { 'x-api-key': text }]) {
      const { refused, message } = refusal(headers);
      expect(refused).toBe('invalid_api_key');
      expect(message).toContain(hint);
      expect(message).toContain('Authorization: Bearer sk-');
    }
  });

  it.each([
    ['Basic dXNlcjpwYXNz', 'Basic'],
    ['Basic', 'Basic'],
    ['Digest username="x"', 'scheme'],
  ])('refuses the scheme of %j', (authorization, hint) => {
    expect(refusal({ authorization }).refused).toBe('invalid_api_key');
    expect(refusal({ authorization }).message).toContain(hint);
  });

  it('takes keys at both ends of the allowed length', () => {
    for (const letters of [KEY_LETTERS_MIN, KEY_LETTERS_MAX]) {
      const key = `sk-${'a'.repeat(letters)}`;
      expect(read({ authorization: `Bearer ${key}` })).toEqual({ key });
    }
  });

  it('answers whatever is sent, and never repeats it', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCodePoint, minLength: 12, maxLength: 80 }),
      fc.stringMatching(/^(?:[Bb]earer ?|sk-|["' :=<>$])*[A-Za-z0-9_-]{12,40}$/),
    );
    fc.assert(
      fc.property(text, (sent) => {
        const credential = read({ authorization: sent });
        if (isRefusal(credential)) {
          expect(credential.message).not.toContain(sent);
          expect(credential.message).not.toContain(sent.slice(-12));
        } else {
          expect(sent).toContain(credential.key);
          expect(credential.key).toMatch(/^sk-[0-9A-Za-z]{27,256}$/);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['Bearer ', '"', ' x', 'a:', '<'])(
    'takes no longer for a header that is built to be slow than for its beginning: %j, again and again',
    (unit) => {
      const read = (times: number): void => {
        for (let turn = 0; turn < 20; turn += 1) refusal({ authorization: unit.repeat(times) });
      };
      expect(growth(read, 600, 6_000)).toBeLessThan(4);
    },
  );
});
