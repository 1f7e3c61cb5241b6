/** Keys of many vendors' forms, none of which was ever valid. */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const HEX = '0123456789abcdef';
const ALNUM = LETTERS + DIGITS;
const BASE64 = `${ALNUM}+/`;
const BASE64_URL = `${ALNUM}-_`;

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

type Random = () => number;

function letters(random: Random, alphabet: string, count: number): string {
  let text = '';
  for (let at = 0; at < count; at += 1) {
    text += alphabet.charAt(Math.floor(random() * alphabet.length));
  }
  // Forms are told from words by their digits; one in a thousand would have none.
  return `${text.slice(0, count / 2)}7q${text.slice(count / 2 + 2)}`;
}

const FORMS = {
  Weir: (r: Random) => `sk-${letters(r, ALNUM, 43)}`,
  OpenAI: (r: Random) => `sk-proj-${letters(r, BASE64_URL, 148)}`,
  'OpenAI service account': (r: Random) => `sk-svcacct-${letters(r, BASE64_URL, 60)}`,
  DeepSeek: (r: Random) => `sk-${letters(r, HEX, 32)}`,
  Anthropic: (r: Random) => `sk-ant-api03-${letters(r, BASE64_URL, 93)}AA`,
  OpenRouter: (r: Random) => `sk-or-v1-${letters(r, HEX, 64)}`,
  'AWS access key id': (r: Random) => `AKIA${letters(r, CAPITALS + DIGITS, 16).toUpperCase()}`,
  'AWS secret access key': (r: Random) => letters(r, BASE64, 40),
  Bedrock: (r: Random) => `ABSK${letters(r, BASE64, 128)}`,
  'Bedrock, short-lived': (r: Random) => `bedrock-api-key-${letters(r, BASE64, 200)}`,
  Google: (r: Random) => `AIza${letters(r, BASE64_URL, 35)}`,
  'Google OAuth': (r: Random) => `ya29.${letters(r, BASE64_URL, 120)}`,
  GitHub: (r: Random) => `ghp_${letters(r, ALNUM, 36)}`,
  'GitHub, fine-grained': (r: Random) =>
    `github_pat_${letters(r, ALNUM, 22)}_${letters(r, ALNUM, 59)}`,
  Slack: (r: Random) => `xoxb-${letters(r, DIGITS, 12).replace('q', '0')}-${letters(r, ALNUM, 24)}`,
  JWT: (r: Random) =>
    `eyJ${letters(r, BASE64_URL, 30)}.eyJ${letters(r, BASE64_URL, 60)}.${letters(r, BASE64_URL, 43)}`,
  Groq: (r: Random) => `gsk_${letters(r, ALNUM, 52)}`,
  xAI: (r: Random) => `xai-${letters(r, ALNUM, 80)}`,
  'Hugging Face': (r: Random) => `hf_${letters(r, ALNUM, 34)}`,
  NVIDIA: (r: Random) => `nvapi-${letters(r, BASE64_URL, 64)}`,
  'without a mark': (r: Random) => letters(r, ALNUM, 43),
} as const satisfies Readonly<Record<string, (random: Random) => string>>;

export type KeyForm = keyof typeof FORMS;
export const KEY_FORMS = Object.keys(FORMS) as KeyForm[];

export function makeKey(form: KeyForm, random: Random = Math.random): string {
  return FORMS[form](random);
}

/** A key of any form. */
export function anyKey(random: Random): string {
  return makeKey(KEY_FORMS[Math.floor(random() * KEY_FORMS.length)] ?? 'Weir', random);
}

/** Reports whether a text contains a key, or more of one than the beginning that is shown. */
export function holdsKey(text: string, key: string): boolean {
  return text.includes(key.slice(-16)) || text.includes(key.slice(0, 24));
}
