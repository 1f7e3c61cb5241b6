import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { KEY_LETTERS_MIN } from '../../platform/secrets/api-key.ts';
import { VENDOR_KEYS } from '../../providers/vendor-keys.ts';

const REMEDY =
  'Send the header "Authorization: Bearer sk-…". A key is shown once, when it is created: if you have no copy, create another one on the console’s API Keys page.';

function invalid(message: string): Refusal {
  return refuse('invalid_api_key', message);
}

/** Refusals are made once: a flood of wrong keys must cost less than a request that is served. */
const FAULTS = {
  absent: refuse('missing_api_key', `No API key was sent. ${REMEDY}`),
  empty: refuse(
    'missing_api_key',
    `The API key is empty: the client sent its place without a key. Fill in its API key setting, and check that the environment variable it reads is set. ${REMEDY}`,
  ),
  unset: invalid(
    `The API key is the text of an empty variable, such as "undefined", "null" or "None": the variable that should hold the key is not set where the client runs. ${REMEDY}`,
  ),
  template: invalid(
    `The API key is the name of a variable, such as "$KEY" or "{env:KEY}", not its value: the client did not replace it. Set the variable, or enter the key itself. ${REMEDY}`,
  ),
  placeholder: invalid(
    `The API key is a placeholder from an example, such as "YOUR_API_KEY". Replace it by your own key. ${REMEDY}`,
  ),
  basic: invalid(
    `"Authorization: Basic" carries a user name and a password, which are not used here. ${REMEDY}`,
  ),
  signature: invalid(
    'The request is signed with AWS access keys, which cannot be checked here. Send a key from the console’s API Keys page as a bearer token instead: set AWS_BEARER_TOKEN_BEDROCK to it, or ANTHROPIC_AUTH_TOKEN together with CLAUDE_CODE_SKIP_BEDROCK_AUTH=1.',
  ),
  scheme: invalid(`The Authorization header has a scheme that is not used here. ${REMEDY}`),
  shortened: invalid(
    `The API key is the shortened form that is shown in lists. The whole key is shown once, when it is created; create a new one if it is lost. ${REMEDY}`,
  ),
  several: invalid(`There is more than one API key in one place. Send one key. ${REMEDY}`),
  capitals: invalid(`An API key begins with "sk-" in small letters. ${REMEDY}`),
  prefix: invalid(`An API key of this service begins with "sk-"; this one does not. ${REMEDY}`),
  spaces: invalid(
    `There is white space inside the API key. Copy it again, without line breaks. ${REMEDY}`,
  ),
  letters: invalid(
    `After "sk-" an API key consists of letters and digits only; this one has other characters. Copy it again. ${REMEDY}`,
  ),
  short: invalid(
    `The API key is too short: at least ${KEY_LETTERS_MIN} letters and digits follow "sk-". Copy the whole key. ${REMEDY}`,
  ),
  long: invalid(`The API key is too long. Copy it again, and enter it once. ${REMEDY}`),
} as const;

/** Keys of vendors, which people enter here by mistake. */
const VENDORS = VENDOR_KEYS.map(([prefix, vendor]) => ({
  prefix,
  refusal: invalid(`This is a key of ${vendor}, not a key of this service. ${REMEDY}`),
}));

const ACCESS_CODE = invalid(
  `This is an access code of NextChat ("nk-…"), not a key of this service. Enter the key in NextChat’s API key setting. ${REMEDY}`,
);

const UNSET = new Set(['undefined', 'null', 'none', 'nil', 'nan', 'false', 'true', '(null)']);
const PLACEHOLDERS = new Set([
  'api_key',
  'api-key',
  'apikey',
  'key',
  'token',
  'secret',
  'test',
  'dummy',
  'fake',
  'empty',
  'changeme',
  'placeholder',
  'no-key',
  'not-needed',
  'no-key-required',
  'sk-no-key-required',
  'ollama',
  'lm-studio',
]);
/** "your-key", "sk-your_key_here", "my_api_key", "sk-xxxx", "insert key here". */
const PLACEHOLDER =
  /^(?:sk-)?(?:(?:your|insert|enter|put|paste|replace).*|my[-_ ].*|x{3,}|1234\d*)$/i;
/** "$KEY", "${KEY}", "{env:KEY}", "{{KEY}}", "%KEY%", "process.env.KEY", "os.environ[…". */
const TEMPLATE = /^(?:sk-)?(?:\$|\{|%\w+%$|process\.env\b|os\.(?:environ|getenv)\b|env[.:])/;
/** MY_API_KEY, YOUR_API_KEY, API_KEY. */
const VARIABLE_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const SCHEME = /^(?:digest|negotiate|ntlm|token|oauth|apikey|hmac)\s/i;
/** AWS' Signature Version 4. */
const SIGNATURE = /^aws4-/i;
/**
 * A list shows the first letters and then dots or asterisks. Typographic dots arrive as other
 * bytes.
 */
const SHORTENED = /\.\.|\*{2,}|[^\x20-\x7e]/;

/**
 * Names what is wrong with a credential that cannot be a key of this service, without repeating it.
 * @param text the credential without quotes, "Bearer" and white space around it; undefined when
 *   none was sent
 */
export function explainCredential(text: string | undefined): Refusal {
  if (text === undefined) return FAULTS.absent;
  if (text === '') return FAULTS.empty;
  const lower = text.toLowerCase();
  if (UNSET.has(lower)) return FAULTS.unset;
  if (TEMPLATE.test(text)) return FAULTS.template;
  if (PLACEHOLDERS.has(lower) || PLACEHOLDER.test(text)) return FAULTS.placeholder;
  if (VARIABLE_NAME.test(text)) {
    return text.startsWith('YOUR_') || text === 'API_KEY' ? FAULTS.placeholder : FAULTS.template;
  }
  if (lower === 'basic' || lower.startsWith('basic ')) return FAULTS.basic;
  if (SIGNATURE.test(text)) return FAULTS.signature;
  if (SCHEME.test(text)) return FAULTS.scheme;
  const vendor = VENDORS.find(({ prefix }) => text.startsWith(prefix));
  if (vendor !== undefined) return vendor.refusal;
  if (text.startsWith('nk-')) return ACCESS_CODE;
  return explainForm(text);
}

function explainForm(text: string): Refusal {
  if (!text.startsWith('sk-')) return /^sk-/i.test(text) ? FAULTS.capitals : FAULTS.prefix;
  if (text.includes('sk-', 1)) return FAULTS.several;
  if (/\s/.test(text)) return FAULTS.spaces;
  if (SHORTENED.test(text)) return FAULTS.shortened;
  const letters = text.slice('sk-'.length);
  if (!/^[0-9A-Za-z]*$/.test(letters)) return FAULTS.letters;
  return letters.length < KEY_LETTERS_MIN ? FAULTS.short : FAULTS.long;
}
