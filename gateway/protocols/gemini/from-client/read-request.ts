import { isRefusal, refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { shapes } from '../../fields/shape.ts';
import type { Effort, NeutralRequest, ReplyFormat } from '../../neutral-form/request.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { uncarriedFields } from '../../fields/uncarried-fields.ts';
import { bodyOf } from '../../fields/parsed-body.ts';
import { fieldOf, listOf, sentName } from '../fields.ts';
import { inBothCases } from '../in-both-cases.ts';
import type { GeminiRequest } from './parse-request.ts';
import { modalitiesOf } from './check-config.ts';
import { checkTools } from './check-tools.ts';
import { readContents, readInstruction } from './read-contents.ts';
import { readToolChoice, readTools } from './read-tools.ts';
import { jsonSchemaOf } from './schema.ts';

/**
 * Fields that say nothing of what is to be answered, or that are mere advice: no upstream of
 * another protocol gets them. So are fields that Weir does not know.
 */
export const LEFT_OUT_FIELDS: readonly string[] = ['safetySettings', 'labels', 'store'];

/** The same within `generationConfig`. */
export const LEFT_OUT_CONFIG: readonly string[] = [
  'mediaResolution',
  'enableAffectiveDialog',
  'audioTranscriptionConfig',
  'translationConfig',
  'enableEnhancedCivicAnswers',
  'routingConfig',
  'modelSelectionConfig',
  // Without `responseLogprobs` it says nothing.
  'logprobs',
];

/** Fields of `generationConfig` whose meaning only an upstream of this protocol knows. */
export const REFUSED_CONFIG: readonly string[] = [
  'responseLogprobs',
  'speechConfig',
  'imageConfig',
  'audioTimestamp',
];

/** The fields that `readRequest` reads. All others are named as left out. */
const CARRIED_FIELDS = inBothCases(
  shapes('cachedContent', [
    ['contents', shapes('role parts')],
    ['systemInstruction', shapes('role parts')],
    ['tools', 'any'],
    ['toolConfig', shapes('', [['functionCallingConfig', shapes('mode allowedFunctionNames')]])],
    [
      'generationConfig',
      shapes(
        `temperature topP topK candidateCount maxOutputTokens stopSequences seed presencePenalty
         frequencyPenalty responseMimeType responseLogprobs responseModalities responseSchema
         responseJsonSchema _responseJsonSchema responseFormat speechConfig imageConfig
         audioTimestamp`,
        [['thinkingConfig', shapes('includeThoughts thinkingBudget thinkingLevel')]],
      ),
    ],
  ]),
);

/** A client's request in the neutral form. A refusal names the field that this has no place for. */
export function readRequest(request: GeminiRequest): NeutralRequest | Refusal {
  const body = bodyOf(request);
  if (body === undefined) return refuse('invalid_json', 'The body is not valid JSON.');
  const given = fieldOf(body, 'generationConfig');
  const config = isJsonObject(given) ? given : {};
  const refused = refuseTools(body) ?? refuseConfig(config, request);
  if (refused !== undefined) return refused;
  const messages = readContents(body['contents']);
  if (isRefusal(messages)) return messages;
  const system = readInstruction(fieldOf(body, 'systemInstruction'));
  return {
    stream: request.stream,
    leftOut: uncarriedFields(body, CARRIED_FIELDS, request.withheldFields),
    messages: system.length === 0 ? messages : [{ role: 'system', parts: system }, ...messages],
    tools: readTools(body['tools']),
    toolChoice: readToolChoice(fieldOf(body, 'toolConfig')),
    maxOutputTokens: request.maxOutputTokens ?? undefined,
    choices: 1,
    ...readSettings(config),
    ...readThinking(config),
    format: readFormat(config),
  };
}

function refuseTools(body: JsonObject): Refusal | undefined {
  const tools = checkTools(body['tools']);
  if (isRefusal(tools)) return tools;
  const [tool] = tools.serverTools;
  return tool === undefined
    ? undefined
    : invalidValue(
        'tools',
        `This model is served by an upstream that has no "${tool}". Leave it out, or use a Gemini model.`,
      );
}

function refuseConfig(config: JsonObject, { choices }: GeminiRequest): Refusal | undefined {
  if (choices > 1) {
    return invalidValue(
      'generationConfig.candidateCount',
      'The upstream of this model gives one reply to a request. Ask for one, or send the request several times.',
    );
  }
  const [, wanted] = [...modalitiesOf(config)].find(([modality]) => modality !== 'TEXT') ?? [];
  const refused = wanted ?? REFUSED_CONFIG.find((name) => isAsked(fieldOf(config, name)));
  if (refused === undefined) return undefined;
  const field = sentName(config, refused) ?? refused;
  return invalidValue(
    `generationConfig.${field}`,
    `This model is served by an upstream that cannot do what "${field}" asks for. Leave it out, or use a Gemini model.`,
  );
}

function isAsked(value: unknown): boolean {
  return value !== undefined && value !== false;
}

function readSettings(config: JsonObject): Partial<NeutralRequest> {
  const stop = listOf(fieldOf(config, 'stopSequences')).filter((one) => typeof one === 'string');
  return {
    temperature: numberIn(config, 'temperature'),
    topP: numberIn(config, 'topP'),
    topK: numberIn(config, 'topK'),
    presencePenalty: numberIn(config, 'presencePenalty'),
    frequencyPenalty: numberIn(config, 'frequencyPenalty'),
    seed: numberIn(config, 'seed'),
    stop: stop.length === 0 ? undefined : stop,
  };
}

const LEVELS: ReadonlyMap<unknown, Effort> = new Map([
  ['MINIMAL', 'minimal'],
  ['LOW', 'low'],
  ['MEDIUM', 'medium'],
  ['HIGH', 'high'],
]);

/** A budget of -1 leaves it to the model. */
function readThinking(config: JsonObject): Partial<NeutralRequest> {
  const thinking = fieldOf(config, 'thinkingConfig');
  if (!isJsonObject(thinking)) return {};
  const budget = numberIn(thinking, 'thinkingBudget');
  return {
    effort: LEVELS.get(stringOf(fieldOf(thinking, 'thinkingLevel')).toUpperCase()),
    reasoningTokensMax: budget === undefined || budget < 0 ? undefined : budget,
    reasoningText: fieldOf(thinking, 'includeThoughts') === true,
  };
}

const JSON_TYPES: readonly unknown[] = ['application/json', 'APPLICATION_JSON'];
const SCHEMA_FIELDS = ['responseJsonSchema', '_responseJsonSchema', 'responseSchema'];

/** The format is a field of its own, and in older requests three. */
function readFormat(config: JsonObject): ReplyFormat | undefined {
  const [text] = listOf(fieldOf(config, 'responseFormat')).flatMap((format) =>
    isJsonObject(format) && isJsonObject(format['text']) ? [format['text']] : [],
  );
  const type = text ? fieldOf(text, 'mimeType') : fieldOf(config, 'responseMimeType');
  if (!JSON_TYPES.includes(type)) return undefined;
  const schema = text
    ? text['schema']
    : SCHEMA_FIELDS.map((field) => fieldOf(config, field)).find(isJsonObject);
  // Gemini CLI writes types in capitals into JSON Schema.
  return isJsonObject(schema)
    ? { type: 'json_schema', schema: jsonSchemaOf(schema) }
    : { type: 'json' };
}

function numberIn(config: JsonObject, name: string): number | undefined {
  const value = fieldOf(config, name);
  return typeof value === 'number' ? value : undefined;
}
