/**
 * Keys that clients and operators send in the wrong place: a key in the model setting of a client,
 * in an address, in the name of a thing. Each is written as its beginning, so that the owner
 * recognises it and no one else can use it.
 */

/**
 * The characters of a key that are shown, as in a list of keys: its vendor's mark and a few more.
 */
const SHOWN_CHARACTERS = 9;
/** The characters that are shown of a key without a vendor's mark. */
const SHOWN_UNMARKED_CHARACTERS = 4;
const CUT = '…';

/**
 * The random part of a key that chance gave no digit: of Weir's own, one in 2,000 is such. No name
 * has so many letters of both cases without a sign between them.
 */
const LETTERS = '(?=[a-z]{0,40}[A-Z])(?=[A-Z]{0,40}[a-z])[A-Za-z]{30,}';

/**
 * Vendors' marks and what follows them. Sources: the vendors' documentation of their keys, and the
 * partner patterns of GitHub's secret scanning. What may fail after a search has a bound: a text
 * made of beginnings of keys must not be searched to its end from each of them.
 */
const MARKED = [
  // Weir, OpenAI, Anthropic, OpenRouter, DeepSeek, Moonshot, Langfuse and many more; Cerebras.
  String.raw`c?sk-(?:(?=[\w-]{0,60}\d)[\w-]{16,}|${LETTERS})`,
  // Weir's access tokens and webhook secrets; Stripe.
  String.raw`(?:weir|whsec|[sr]k_(?:live|test))_[\w-]{16,}`,
  // Google: API keys, OAuth access and refresh tokens, client secrets.
  String.raw`AIza[\w-]{20,}`,
  String.raw`ya29\.[\w-]{16,}`,
  String.raw`1//0[\w-]{20,}`,
  String.raw`GOCSPX-[\w-]{16,}`,
  // AWS: access key ids, and both kinds of Bedrock API keys.
  String.raw`A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  String.raw`ABSK(?:[A-Za-z0-9+/=]|%2[BbFf]|%3[Dd]){40,}`,
  String.raw`bedrock-api-key-(?:[\w+/=-]|%2[BbFf]|%3[Dd]){16,}`,
  // GitHub, GitLab, Slack, npm, PyPI.
  String.raw`gh[pousr]_[A-Za-z0-9]{20,}`,
  String.raw`github_pat_\w{20,}`,
  String.raw`glpat-[\w-]{16,}`,
  String.raw`xox[a-z](?:\.xox[a-z])?-[\w-]{16,}`,
  String.raw`xapp-[\w-]{16,}`,
  String.raw`npm_[A-Za-z0-9]{30,}`,
  String.raw`pypi-[\w-]{40,}`,
  // Groq, xAI, Hugging Face, NVIDIA, Replicate, Perplexity, Fireworks, Together, Databricks.
  String.raw`gsk_[A-Za-z0-9]{20,}`,
  String.raw`xai-(?:(?=\w{0,40}\d)[A-Za-z0-9]{20,}|${LETTERS})`,
  String.raw`hf_[A-Za-z0-9]{20,}`,
  String.raw`nvapi-[\w-]{20,}`,
  String.raw`r8_[A-Za-z0-9]{20,}`,
  String.raw`pplx-(?:(?=\w{0,40}\d)[A-Za-z0-9]{30,}|${LETTERS})`,
  String.raw`fw_[A-Za-z0-9]{16,}`,
  String.raw`tgp_v1_[\w-]{20,}`,
  String.raw`dapi[0-9a-f]{32}`,
  // Vault, SendGrid.
  String.raw`hvs\.[\w-]{20,}`,
  String.raw`SG\.[\w-]{16,60}\.[\w-]{16,}`,
  // A JSON Web Token has at least two parts.
  String.raw`eyJ[\w-]{10,400}(?:\.[\w-]+){1,4}`,
].join('|');

/** The keys that are longer than one word, each with what is shown of it in front. */
const WORDY = [
  String.raw`(?<pem>-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)[^"]*?(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|(?=")|$)`,
  String.raw`(?<scheme>\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC)(?:\s|%20|\+){1,4})(?=[^\s"]{0,60}\d)[\w+/=.~%-]{16,}`,
  String.raw`(?<userinfo>:\/\/)[^\s/@"\\]+(?=@)`,
].join('|');

const SECRET = new RegExp(`(?<marked>${MARKED})|${WORDY}`, 'y');

/**
 * The first two characters of the keys above. Regular expressions are tried at these places alone:
 * every request passes here, and few model IDs have such a place.
 */
const BEGINNINGS = new Set(
  'sk cs we wh rk AI ya 1/ GO AK AS AB AC be gh gi gl xo xa np py gs hf nv r8 pp fw tg da hv SG ey -- Be BE ba Ba BA :/'.split(
    ' ',
  ),
);
const ASCII = 0x80;
const BEGINS = Uint8Array.from({ length: ASCII * ASCII }, (_, pair) =>
  BEGINNINGS.has(String.fromCharCode(Math.floor(pair / ASCII), pair % ASCII)) ? 1 : 0,
);

/**
 * A key begins behind anything but a letter or a digit, and also behind an escape sequence of JSON
 * or of an address, whose last character is one.
 */
const ESCAPE = /(?:\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2})$/;
const ESCAPE_CHARACTERS = 6;

/**
 * Keys without a mark, such as AWS' secret access keys, with a path in front of them perhaps. Not
 * from inside an escape sequence of JSON, which would be cut off.
 */
const UNMARKED = /(?<!\\|\\u[0-9a-fA-F]{0,3})(?:[A-Za-z0-9+/]|%2[BbFf]){32,}(?:=|%3[Dd]){0,2}/g;
/**
 * The length of text in which CHANGES_MIN neighbours are of different kinds if a machine chose
 * them.
 */
const WINDOW_CHARACTERS = 32;
const CHANGES_MIN = 11;
/** Names in camel case have no digits. */
const CHANGES_WITHOUT_DIGIT_MIN = 14;

/**
 * The kind of a character: 0 of none, a digit, a capital, a small letter, a sign of base 64 as it
 * is or with a percent sign.
 */
const KINDS = Uint8Array.from({ length: ASCII }, (_, code) => {
  const character = String.fromCharCode(code);
  return [/[0-9]/, /[A-Z]/, /[a-z]/, /[+/%]/].findIndex((kind) => kind.test(character)) + 1;
});
const SIGN = 4;

/**
 * The text with each key in it shortened to its beginning; the same text where it has none. What is
 * no key stays as it is, model IDs among them. JSON stays JSON.
 */
export function redactSecrets(text: string): string {
  const { rest, hasLongRun } = redactMarked(text);
  return hasLongRun ? rest.replace(UNMARKED, shortenedIfRandom) : rest;
}

/** Reports whether a text contains a key that is known by how it begins. */
export function hasMarkedSecret(text: string): boolean {
  const plain = text.replace(USERINFO, '://');
  return redactMarked(plain).rest !== plain;
}

/** Reports whether a text contains something that looks like a key. */
export function hasSecret(text: string): boolean {
  const plain = text.replace(USERINFO, '://');
  // Addresses of pictures and documents are as random as keys without a mark.
  const words = plain.replace(ADDRESS, '');
  return hasMarkedSecret(text) || redactSecrets(words) !== words;
}

const ADDRESS = /\b(?:https?|data):\S+/g;
/** A name and password before a host is no key: who checks the address has a word about it. */
const USERINFO = /:\/\/[^\s/@]+@/g;

/** One walk over the text, without a regular expression where no key begins. */
function redactMarked(text: string): { readonly rest: string; readonly hasLongRun: boolean } {
  let redacted = '';
  let kept = 0;
  let runLength = 0;
  let hasLongRun = false;
  // The character before the one that is looked at, and the kind of the one before that.
  let first = 0;
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const second = text.charCodeAt(at);
    const kind = second < ASCII ? (KINDS[second] ?? 0) : 0;
    runLength = kind === 0 ? 0 : runLength + 1;
    if (runLength === WINDOW_CHARACTERS) hasLongRun = true;
    if (second < ASCII && BEGINS[first * ASCII + second] === 1) {
      const shown = secretAt(text, at - 1, before);
      if (shown !== undefined) {
        redacted += text.slice(kept, at - 1) + shown + CUT;
        kept = SECRET.lastIndex;
        at = kept - 1;
        first = 0;
        before = 0;
        runLength = 0;
        continue;
      }
    }
    before = first < ASCII ? (KINDS[first] ?? 0) : 0;
    first = second < ASCII ? second : 0;
  }
  return { rest: kept === 0 ? text : redacted + text.slice(kept), hasLongRun };
}

interface Parts {
  readonly marked?: string;
  readonly pem?: string;
  readonly scheme?: string;
  readonly userinfo?: string;
}

/**
 * Returns what is shown of a key that begins here; its end is then in `SECRET.lastIndex`.
 * @param before the kind of the character in front of it
 */
function secretAt(text: string, at: number, before: number): string | undefined {
  const isWord = KINDS[text.charCodeAt(at)] !== 0;
  const isStart = !isWord || before === 0 || before === SIGN;
  if (!isStart && !ESCAPE.test(text.slice(Math.max(0, at - ESCAPE_CHARACTERS), at))) {
    return undefined;
  }
  SECRET.lastIndex = at;
  const found = SECRET.exec(text);
  if (found === null) return undefined;
  const { marked, pem, scheme, userinfo } = found.groups as Parts;
  return marked === undefined ? (pem ?? scheme ?? userinfo) : marked.slice(0, SHOWN_CHARACTERS);
}

function shortenedIfRandom(run: string): string {
  return isRandom(run) ? run.slice(0, SHOWN_UNMARKED_CHARACTERS) + CUT : run;
}

/**
 * Reports whether small letters, capitals and digits alternate somewhere as in a text that a
 * machine chose by chance. Words that are joined, and hexadecimal digits, change less often.
 */
function isRandom(run: string): boolean {
  if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) return false;
  const changesMin = /\d/.test(run) ? CHANGES_MIN : CHANGES_WITHOUT_DIGIT_MIN;
  let changes = 0;
  for (let at = 1; at < run.length; at += 1) {
    changes += changesAt(run, at);
    if (at >= WINDOW_CHARACTERS) changes -= changesAt(run, at - WINDOW_CHARACTERS + 1);
    if (changes >= changesMin) return true;
  }
  return false;
}

function changesAt(run: string, at: number): 0 | 1 {
  return KINDS[run.charCodeAt(at)] === KINDS[run.charCodeAt(at - 1)] ? 0 : 1;
}
