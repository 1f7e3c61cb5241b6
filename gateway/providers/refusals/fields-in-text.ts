/** A field or the path to one: `user`, `tools[0].function.strict`, `tools[].x`, `*.y`. */
const FIELD = String.raw`(?:\*\.)?[A-Za-z_]\w{0,63}(?:\.\w{1,64}|\[\w{0,64}\]){0,15}`;
/** The same, quoted as vendors like. */
const NAMED = String.raw`["'\x60]?(${FIELD})["'\x60]?`;
const LISTED = String.raw`((?:["'\x60]?${FIELD}["'\x60]?(?:, ?| and )?){1,16})`;

/**
 * The sentences by which vendors say that they do not take a field, whatever its value. Each is the
 * beginning of a text: further on a text may quote what the client has written. Sources are public
 * bug reports, which `refusal-words.ts` of the tests lists with their words.
 */
const SENTENCES: readonly RegExp[] = [
  // OpenAI, Azure, NVIDIA.
  String.raw`Unsupported parameter(?:\(s\))?: ${LISTED}`,
  String.raw`Unknown parameter: ${NAMED}`,
  String.raw`Unrecognized request arguments? supplied: ${LISTED}`,
  // A value is refused because every value but that of an absent field is.
  String.raw`Unsupported value: ${NAMED} does not support .{1,80} with this model\. Only the default`,
  String.raw`invalid ${NAMED}: only \S{1,20} is allowed for this model`,
  // Anthropic, Bedrock, Fireworks, NVIDIA; pydantic's first version.
  String.raw`${NAMED}: (?:Extra inputs are not permitted|extra fields not permitted)`,
  String.raw`Extra inputs are not permitted, field: ${NAMED}`,
  String.raw`body -> (\w+(?: -> \w+)*)\s+(?:Extra inputs are|extra fields) not permitted`,
  String.raw`(?:\{'detail': )?\[\{'type': 'extra_forbidden', 'loc': [([]([^()[\]]{1,300})[)\]], 'msg': 'Extra inputs are not`,
  String.raw`${NAMED} is deprecated for this model`,
  // Groq, Cerebras.
  String.raw`(?:[\w.]{1,200}: )?property ${NAMED} is unsupported`,
  String.raw`'(messages)\.\d+' : for 'role: ?\w+' the following must be satisfied\[\('messages\.\d+' : property ${NAMED} is unsupported`,
  String.raw`(?:The )?(?:[Pp]arameter |[Aa]rgument )?${NAMED} is not supported (?:with|by|for|on) (?:this|the) model`,
  String.raw`(${FIELD}): \w+ is not supported with this model`,
  // Google.
  String.raw`Invalid JSON payload received\. Unknown name "(${FIELD})"(?: at '([\w.[\]]{1,200})')?: Cannot find`,
  // xAI.
  String.raw`Argument not supported on this model: ${NAMED}`,
  String.raw`Model \S{1,200} does not support parameter ${NAMED}`,
  // SiliconFlow.
  String.raw`(?:Value error, )?current model does not support parameter ${NAMED}`,
  // Meta, of a member that is known in objects of another type.
  String.raw`${NAMED} is only supported for \w+ tools`,
  // LiteLLM; values may be behind the first name.
  String.raw`\S{1,200} does not support parameters: \[${LISTED}\]`,
  String.raw`\S{1,200} does not support parameters: \{${NAMED}:`,
  String.raw`(?:[\w.-]{1,200}|[\w.-]{1,40} models(?: \([^()]{1,80}\))?) (?:doesn't|don't) support (${FIELD})=`,
  // Servers in Go, Rust, Java and Python.
  String.raw`(?:json: )?unknown field "(${FIELD})"`,
  String.raw`(?:[\w.[\]]{1,100}: )?unknown field ${NAMED}, (?:expected|there are no)`,
  String.raw`Unrecognized field ${NAMED}`,
  String.raw`Additional properties are not allowed \(${LISTED} (?:was|were) unexpected`,
  String.raw`[\w.]{1,100}\(\) got an unexpected keyword argument ${NAMED}`,
  String.raw`Unrecognized key(?:\(s\) in object|s)?: ${LISTED}`,
  // Cohere.
  String.raw`unknown field: parameter ${NAMED} is not a valid field`,
  String.raw`unprocessable entity: ${NAMED} is not supported`,
].map((sentence) => new RegExp(`^${sentence}`));

/** Sentences that mean a field and do not name it. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/^Your organization must be verified to generate reasoning summaries/, 'reasoning.summary'],
  [/^Your organization must be verified to stream this model/, 'stream'],
  // Gemini; a level may be named.
  [
    /^Thinking level (?:[A-Z_]{1,20} )?is not supported for this model/,
    'generationConfig.thinkingConfig.thinkingLevel',
  ],
  [/^(?:thinking_config|Thinking budget) is not supported/, 'generationConfig.thinkingConfig'],
  // SiliconFlow, to adaptive thinking.
  [/^thinking type should be enabled or disabled/, 'thinking'],
  [/^Encrypted content is not supported with this model/, 'include'],
];

/** What gateways and servers say before the sentence of the vendor that they have called. */
const PREFIXES =
  /^(?:litellm\.\w+: |\w+Error: |\w*Exception(?: \w+)* - |Error code: \d+ - |\[\d{3}\]: |HTTP \d{3}: |<\d{3}> [\w.]+: |Validation: |Bad request: |Input validation error: |The model returned the following errors: |Failed to deserialize the JSON body into the target type: |1 validation error detected: |error parsing grammar: |invalid request(?: body)?: |Error from provider \([^()]{1,60}\): |Upstream request failed: |\[[a-z_]{1,40}\] |request validation failed: |Error: )/i;
const PREFIXES_MAX = 6;

/** Returns the paths of the fields that a sentence refuses; none of any other sentence. */
export function fieldsInText(text: string): readonly string[] {
  const sentence = withoutPrefixes(text.trimStart());
  const meaning = MEANINGS.find(([words]) => words.test(sentence));
  if (meaning !== undefined) return [meaning[1]];
  for (const pattern of SENTENCES) {
    const match = pattern.exec(sentence);
    if (match !== null) return fieldsOf(match);
  }
  return [];
}

function withoutPrefixes(text: string): string {
  let rest = text;
  for (let count = 0; count < PREFIXES_MAX; count += 1) {
    const next = rest.replace(PREFIXES, '');
    if (next === rest) break;
    rest = next;
  }
  return rest;
}

/** A match has one path, a list of names, a tuple of Python's, or a name and what it is in. */
function fieldsOf([all, first = '', second]: RegExpExecArray): readonly string[] {
  if (second !== undefined) {
    const path = all.startsWith('Invalid JSON') ? `${second}.${first}` : `${first}.${second}`;
    return [path];
  }
  if (all.includes("'loc': ")) return [joined(first.split(','))];
  if (first.includes(' -> ')) return [joined(first.split(' -> '))];
  return first.split(/, ?| and /).flatMap((name) => {
    const bare = bareName(name);
    return bare === '' ? [] : [bare.replace(/^body\./, '')];
  });
}

function joined(steps: readonly string[]): string {
  return steps
    .map(bareName)
    .filter((step) => step !== 'body' && step !== '')
    .join('.');
}

function bareName(name: string): string {
  return name.trim().replace(/^["'`]|["'`]$/g, '');
}
