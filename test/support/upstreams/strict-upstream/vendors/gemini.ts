import { imageTypes, lengthMax, only, range, says, toolNames } from '../checks.ts';
import {
  first,
  isObject,
  items,
  rule,
  valueAt,
  type Fault,
  type Json,
  type Path,
  type Refused,
  type Rule,
  type Vendor,
} from '../rule.ts';
import { checkSchema, type SchemaLimits } from '../schema-check.ts';
import { sentenceFor, UNPROVEN, type Sentences } from '../words.ts';
import { checkSignatures, checkTurns } from './gemini-turns.ts';

const SDK = 'npm @google/genai 3.3.0, dist/genai.d.ts';
const PARAMS = 'modelparams 0.0.53';

/** Fields of the messages of the API's proto; those that Vertex alone has are not among them. */
const MESSAGES: Readonly<Record<string, string>> = {
  '': 'model contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent serviceTier store',
  generationConfig: `stopSequences responseMimeType responseSchema responseJsonSchema
    responseModalities candidateCount maxOutputTokens temperature topP topK seed presencePenalty
    frequencyPenalty responseLogprobs logprobs enableEnhancedCivicAnswers speechConfig thinkingConfig
    mediaResolution imageConfig`,
  thinkingConfig: 'includeThoughts thinkingBudget thinkingLevel',
  content: 'role parts',
  part: `text inlineData fileData functionCall functionResponse executableCode codeExecutionResult
    thought thoughtSignature videoMetadata mediaResolution toolCall toolResponse partMetadata`,
  functionCall: 'id name args partialArgs willContinue',
  functionResponse: 'id name response willContinue scheduling parts',
  tool: `functionDeclarations googleSearch googleSearchRetrieval codeExecution urlContext googleMaps
    computerUse fileSearch mcpServers`,
  functionDeclaration:
    'name description behavior parameters parametersJsonSchema response responseJsonSchema',
  functionCallingConfig: 'mode allowedFunctionNames streamFunctionCallArguments',
};

function snake(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${String(step)}]` : step))
    .join('.')
    .replaceAll('.[', '[')
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function unknownIn(value: unknown, message: string, path: Path): Fault | undefined {
  if (!isObject(value)) return undefined;
  const known = (MESSAGES[message] ?? '').split(/\s+/);
  const key = Object.keys(value).find((name) => !known.includes(camel(name)));
  return key === undefined ? undefined : { kind: 'unknown', path: [...path, key] };
}

const protoFields = rule('unknown field', SDK, (body) => {
  const { generationConfig: config, contents, tools } = body;
  return (
    unknownIn(body, '', []) ??
    unknownIn(config, 'generationConfig', ['generationConfig']) ??
    unknownIn(valueAt(body, 'generationConfig.thinkingConfig'), 'thinkingConfig', [
      'generationConfig',
      'thinkingConfig',
    ]) ??
    unknownIn(valueAt(body, 'toolConfig.functionCallingConfig'), 'functionCallingConfig', [
      'toolConfig',
      'functionCallingConfig',
    ]) ??
    first(items(contents), ([at, content]) => {
      const path = ['contents', at];
      return (
        unknownIn(content, 'content', path) ??
        first(items(content['parts']), ([index, part]) => {
          const inner = [...path, 'parts', index];
          return (
            unknownIn(part, 'part', inner) ??
            unknownIn(part['functionCall'], 'functionCall', [...inner, 'functionCall']) ??
            unknownIn(part['functionResponse'], 'functionResponse', [...inner, 'functionResponse'])
          );
        })
      );
    }) ??
    first(items(tools), ([at, tool]) => {
      const path = ['tools', at];
      return (
        unknownIn(tool, 'tool', path) ??
        first(items(tool['functionDeclarations']), ([index, declared]) =>
          unknownIn(declared, 'functionDeclaration', [...path, 'functionDeclarations', index]),
        )
      );
    })
  );
});

/** The proto Schema, an OpenAPI subset. */
const PROTO_SCHEMA: SchemaLimits = {
  properties: 'non_empty',
  arrayItems: true,
  oneType: true,
  stringEnums: true,
  keywords: `anyOf default description enum example format items maxItems maxLength maxProperties
    maximum minItems minLength minProperties minimum nullable pattern properties propertyOrdering
    required title type`.split(/\s+/),
  formats: ['enum', 'date-time', 'int32', 'int64', 'float', 'double'],
};
/** Keywords that the SDK's comment of `responseJsonSchema` does not list. */
const JSON_SCHEMA: SchemaLimits = {
  arrayItems: true,
  refused: [
    'const',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'patternProperties',
    'not',
    'if',
  ],
};

const schemas = rule('schema', SDK, (_body, { tools, format }) =>
  first(
    [
      ...tools.map(({ schemaPath, schema }) => ({ path: schemaPath, schema })),
      ...(format === undefined ? [] : [format]),
    ],
    ({ path, schema }) => {
      const isProto = !String(path.at(-1)).endsWith('JsonSchema');
      const fault = checkSchema(schema, isProto ? PROTO_SCHEMA : JSON_SCHEMA);
      return fault && { kind: 'schema', path, owner: '', ...fault };
    },
  ),
);

const SENTENCES: Sentences = {
  unknown: ({ path }) => {
    const place = snake(path.slice(0, -1));
    const at = place === '' ? '' : ` at '${place}'`;
    return `Invalid JSON payload received. Unknown name "${String(path.at(-1))}"${at}: Cannot find field.`;
  },
  value: ({ path, value }) =>
    String(path.at(-1)).endsWith('Data')
      ? `Unsupported MIME type: ${String(value)}`
      : `Invalid value at '${snake(path)}' (TYPE_STRING), "${String(value)}"`,
  below: ({ path, value }) => `Invalid value at '${snake(path)}' (TYPE_INT32), ${String(value)}`,
  above: ({ path, value }) => `Invalid value at '${snake(path)}' (TYPE_INT32), ${String(value)}`,
  many: ({ count, max }) =>
    `The number of stop sequences (${String(count)}) exceeds the maximum of ${String(max)}.`,
  long: ({ path }) => nameRule(path),
  pattern: ({ path }) => nameRule(path),
  schema: ({ path, place, problem, word }) => {
    const at = snake([...path, ...place]);
    switch (problem) {
      case 'keyword':
        return `Invalid JSON payload received. Unknown name "${word}" at '${at}': Cannot find field.`;
      case 'type_list':
        return `Invalid JSON payload received. Unknown name "type" at '${at}': Proto field is not repeating, cannot start list.`;
      case 'no_items':
        return `* GenerateContentRequest.${at}.items: missing field.\n`;
      case 'no_properties':
        return `* GenerateContentRequest.${at}.properties: should be non-empty for OBJECT type\n`;
      case 'enum_value':
        return `Invalid value at '${at}.enum[0]' (TYPE_STRING), ${word}`;
      default:
        return `* GenerateContentRequest.${at}.${problem}: only 'enum' and 'date-time' are supported for STRING type\n`;
    }
  },
};

function nameRule(path: Path): string {
  return `* GenerateContentRequest.${snake(path)}: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.\n`;
}

function refuseAsGemini(fault: Fault): Refused {
  const message = sentenceFor(fault, SENTENCES);
  const details =
    fault.kind === 'unknown'
      ? [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: snake(fault.path.slice(0, -1)), description: message }],
          },
        ]
      : [];
  const error = { code: 400, message, status: 'INVALID_ARGUMENT', ...(details[0] && { details }) };
  return { status: 400, body: { error } };
}

const IMAGES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/heic',
  'image/heif',
  'application/pdf',
];

const RULES: readonly Rule[] = [
  protoFields,
  toolNames('kaitranntt/ccs#25', /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/, 64),
  schemas,
  lengthMax('simonw/llm-gemini#45', 'generationConfig.stopSequences', 5),
  range(SDK, 'generationConfig.seed', -(2 ** 31), 2 ** 31 - 1),
  range(PARAMS, 'generationConfig.temperature', 0, 2),
  says('contents', 'google-gemini/gemini-cli#26486, #3814', ({ contents }) =>
    checkTurns(items(contents).map(([, content]) => content)),
  ),
  says(
    'allowed_function_names',
    SDK,
    (body) => {
      const { mode, allowedFunctionNames: names } = (valueAt(
        body,
        'toolConfig.functionCallingConfig',
      ) ?? {}) as Json;
      return names !== undefined && mode !== 'ANY'
        ? 'Please set allowed_function_names only when function calling mode is ANY.'
        : undefined;
    },
    'toolConfig',
  ),
];

const CONFIG = 'generationConfig.thinkingConfig';

function hasFunctions({ tools }: Json): boolean {
  return items(tools).some(([, tool]) => Array.isArray(tool['functionDeclarations']));
}

/** A JSON reply alongside functions is from Gemini 3 on. */
const noJsonWithTools = says(
  'JSON with tools',
  'google-gemini/cookbook#393',
  (body) =>
    hasFunctions(body) && valueAt(body, 'generationConfig.responseMimeType') === 'application/json'
      ? "Function calling with a response mime type: 'application/json' is unsupported"
      : undefined,
  'generationConfig.responseMimeType',
);

function penalties(model: string): Rule {
  return says('penalties', PARAMS, ({ generationConfig: config }) =>
    isObject(config) && ('presencePenalty' in config || 'frequencyPenalty' in config)
      ? `Penalty is not enabled for models/${model}`
      : undefined,
  );
}

function budget(min: number, max: number, zero: boolean): Rule[] {
  return [
    says('thinkingBudget', `${PARAMS}; vercel/ai#8027`, (body) => {
      const asked = valueAt(body, `${CONFIG}.thinkingBudget`);
      if (typeof asked !== 'number' || asked === -1 || (asked === 0 && zero)) return undefined;
      if (asked === 0) return 'Budget 0 is invalid. This model only works in thinking mode.';
      return asked < min || asked > max
        ? `The thinking budget ${String(asked)} is invalid. Please choose a value between ${String(min)} and ${String(max)}.`
        : undefined;
    }),
    says('thinkingLevel', 'Kilo-Org/kilocode#5139', (body) =>
      valueAt(body, `${CONFIG}.thinkingLevel`) === undefined
        ? undefined
        : 'Thinking level is not supported for this model.',
    ),
  ];
}

const SIGNED = says(
  'thought_signature',
  'google docs, langgenius/dify-official-plugins#2088',
  (body) => checkSignatures(items(body['contents']).map(([, content]) => content)),
);

function levels(words: string): Rule[] {
  return [
    SIGNED,
    only(
      PARAMS,
      `${CONFIG}.thinkingLevel`,
      words.split(' ').flatMap((word) => [word, word.toLowerCase()]),
    ),
    says('thinkingBudget', PARAMS, (body) => {
      const config = valueAt(body, CONFIG);
      return isObject(config) && 'thinkingBudget' in config && 'thinkingLevel' in config
        ? 'You can only set only one of thinking budget and thinking level.'
        : undefined;
    }),
    imageTypes(UNPROVEN, IMAGES),
  ];
}

const OLD = [noJsonWithTools, imageTypes(UNPROVEN, IMAGES, false)];

export const GEMINI: Vendor = {
  id: 'gemini',
  protocol: 'gemini',
  refuse: refuseAsGemini,
  rules: RULES,
  families: {
    'gemini-2.0-flash': [
      ...OLD,
      says('thinkingConfig', PARAMS, (body) =>
        isObject(valueAt(body, CONFIG))
          ? `Unable to submit request because thinking is not supported by this model.`
          : undefined,
      ),
    ],
    'gemini-2.5-pro': [...OLD, ...budget(128, 32_768, false), penalties('gemini-2.5-pro')],
    'gemini-2.5-flash': [...OLD, ...budget(1, 24_576, true), penalties('gemini-2.5-flash')],
    'gemini-3.1-pro-preview': levels('LOW MEDIUM HIGH'),
    'gemini-3-flash-preview': levels('MINIMAL LOW MEDIUM HIGH'),
    'gemini-3.8-flash': levels('LOW MEDIUM HIGH'),
  },
};
