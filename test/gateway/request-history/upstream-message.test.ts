import { expect, it } from 'vitest';
import {
  cleanMessage,
  hideSecrets,
  upstreamMessage,
} from '../../../gateway/request-history/upstream-message.ts';

const CREDENTIAL = 'upstream-credential-1234';
const PROMPT = 'My grandmother keeps savings of 12,000 dollars below the third floorboard.';
const REQUEST = Buffer.from(
  JSON.stringify({ model: 'm', messages: [{ role: 'user', content: PROMPT }] }),
);

function message(body: object | string, status: number | null = 500): string | null {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return upstreamMessage(status, Buffer.from(text), { credential: CREDENTIAL, body: REQUEST });
}

it.each([
  [{ error: { message: 'CUDA out of memory', type: 'server_error' } }, 'CUDA out of memory'],
  [{ error: 'model is loading' }, 'model is loading'],
  [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'Overloaded'],
  [{ response: { error: { message: 'The server broke' } } }, 'The server broke'],
  [{ detail: [{ loc: ['body', 'n'], msg: 'too large' }] }, 'body.n: too large'],
  [[{ error: { code: 503, message: 'No capacity' } }], 'No capacity'],
  ['<html><style>a{}</style><h1>502 Bad Gateway</h1><hr>nginx</html>', '502 Bad Gateway nginx'],
  ['upstream connect error', 'upstream connect error'],
  ['', null],
])('tells an operator what an upstream said: %o', (body, words) => {
  expect(message(body)).toBe(words);
});

it.each([
  `Incorrect API key provided: sk-proj-abcdef1234567890. Find your key`,
  `Incorrect API key provided: sk-ab***********xyz9`,
  `bad header Authorization: Bearer abcdefgh12345678`,
  `key=AIzaSyA1234567890abcdefghijk is not valid`,
  `cannot log in as ${CREDENTIAL}`,
  `token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln expired`,
  `api_key: 'Zq81hsLLkd83hs' was revoked`,
  `could not reach https://weir:hunter22@upstream.example/v1`,
])('hides credentials: %s', (words) => {
  const told = message({ error: { message: words } });
  expect(told).toContain('[…]');
  expect(told).not.toMatch(
    /abcdef1234567890|xyz9|abcdefgh12345678|AIzaSy|credential-1234|eyJ|Zq81|hunter22/,
  );
});

it.each([
  ['x', 'context exceeds the maximum: expected x < 8'],
  ['e', 'the engine is overloaded'],
  ['-', 'rate-limited - try again'],
  ['.', 'Wait. And try again.'],
  ['no', 'no such model, nothing is known of it'],
  ['none', 'none of the tools is known'],
  ['EMPTY', 'EMPTY prompt'],
  ['a1b2', 'a1b2c3 is no model, nor is xa1b2'],
])('is not garbled by the short credential %j', (credential, words) => {
  const body = Buffer.from(JSON.stringify({ error: { message: words } }));
  expect(upstreamMessage(500, body, { credential, body: null })).toBe(words);
  expect(hideSecrets(words, credential)).toBe(words);
});

it.each([
  ['a1b2', 'wrong token: a1b2.', 'wrong token: […].'],
  ['p@$1', 'cannot log in with "p@$1"', 'cannot log in with "[…]"'],
  ['longer-one', 'xlonger-onex', 'x[…]x'],
])('hides the credential %j in %j', (credential, words, told) => {
  expect(hideSecrets(words, credential)).toBe(told);
});

it.each([
  `Input should be a valid string: ${PROMPT}`,
  `invalid value "${PROMPT}"`,
  `Could not parse '${PROMPT.slice(4)}' (char 17)`,
])('repeats no prompt: %s', (words) => {
  const told = message({ error: { message: words } }, 400);
  expect(told).toContain('[…]');
  for (let at = 0; at + 48 <= PROMPT.length; at += 1) {
    expect(told).not.toContain(PROMPT.slice(at, at + 48));
  }
});

it('keeps nothing of a reply that is no error', () => {
  expect(message({ output: 'generated text' }, 200)).toBeNull();
  expect(message('generated text', 200)).toBeNull();
  expect(message({ error: { message: 'broken' } }, 200)).toBe('broken');
});

it('keeps a request id and a field name, which an operator needs', () => {
  const words = 'messages[0].content is required (request id req_011CSHoEeqs5C35K2UUqR7Fy)';
  expect(message({ error: { message: words } }, 400)).toBe(words);
});

it('takes no long time for any text', () => {
  for (const text of [' ', 'key=', 'bearer ', '"', "'", 'sk-', 'a:'].map((one) =>
    one.repeat(4_000),
  )) {
    expect(cleanMessage(text)?.length ?? 0).toBeLessThanOrEqual(500);
  }
});

it('is short, in one line, and storable', () => {
  const told = cleanMessage(`a\n\u0000b\ud83d ${'long '.repeat(1_000)}`) ?? '';
  expect(told.length).toBeLessThanOrEqual(500);
  expect(told).toMatch(/^a b long/);
  expect(cleanMessage(' \n ')).toBeNull();
});
