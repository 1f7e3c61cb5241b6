import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import type { MemberSpans } from '../../../platform/json/scan-members.ts';
import type { AskedVariant } from '../../../pricing/variants.ts';
import { estimatePromptTokens } from '../../../tokens/prompt-estimate.ts';
import { asksForCost } from '../../fields/asks-for-cost.ts';
import { checkModel, checkNumber } from '../../fields/field-checks.ts';
import { invalidValue, missing, wrongType } from '../../fields/field-faults.ts';
import { ParsedBody } from '../../fields/parsed-body.ts';
import { findUnknownFields } from '../../fields/unknown-fields.ts';
import { fieldRules, readFields } from '../../openai-family/check-fields.ts';
import { inputTokensBound } from '../../openai-family/token-input.ts';
import { WITHHELD_FIELDS } from '../../openai-family/withheld-fields.ts';
import type { ParsedRequest, RequestHead, RequestLimits } from '../../protocol.ts';
import { CONTENT_TYPES, isSoundFormat, type SoundFormat } from '../wire/sound-format.ts';
import { SPEECH_FIELDS } from './known-fields.ts';

/** A request for speech that passed every check, with the places of its members in the bytes. */
export interface SpeechRequest extends ParsedRequest {
  readonly members: MemberSpans;
  readonly withheldFields: readonly string[];
  /** Unicode code points of `input`. */
  readonly characters: number;
  readonly format: SoundFormat;
  /** 1 unless the client asks for another. */
  readonly speed: number;
  /** The client reads events; otherwise it reads the bytes of a file. */
  readonly asksForEvents: boolean;
}

const STREAM_FORMATS = ['audio', 'sse'];
const REPLACED_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'stream_format',
  ...WITHHELD_FIELDS,
]);

const RULES = fieldRules([
  ['model', checkModel],
  ['input', checkText],
  ['instructions', checkText],
  ['speed', checkNumber],
  ['response_format', checkFormat],
  ['stream_format', checkStreamFormat],
]);

const NO_METERS: readonly never[] = [];
const NO_VARIANT: AskedVariant = { words: [], open: 0 };

/** Reads a request for speech; `input` is what is billed by characters. */
export function parseRequest(
  body: Buffer,
  _head: RequestHead,
  limits: RequestLimits,
): SpeechRequest | Refusal {
  const read = readFields(body, { rules: RULES, replaced: REPLACED_FIELDS }, limits);
  if (isRefusal(read)) return read;
  const { bytes, members, value, withheldFields } = read;
  const { model, input, speed, response_format: asked } = value;
  if (typeof model !== 'string') {
    return missing('model', '"model" is missing. Send the ID of a model from the price list.');
  }
  if (typeof input !== 'string' || input === '') {
    return missing('input', '"input" is missing. Send the text to be spoken.');
  }
  const characters = countCodePoints(input);
  const format = isSoundFormat(asked) ? asked : 'mp3';
  const asksForEvents = value['stream_format'] === 'sse';
  const promptTokensBound = inputTokensBound(bytes.length);
  const content = { bodyBytes: bytes.length, mediaParts: 0, mediaBytes: 0 };
  return {
    model,
    // Bytes are passed as they come as well: a speech of minutes begins at once.
    stream: true,
    ...(asksForEvents ? {} : { replyForm: bytesOf(format) }),
    // No limit can be imposed on speech.
    maxOutputTokens: Infinity,
    heldInSlices: false,
    meters: NO_METERS,
    units: { meter: 'character', count: characters, variant: NO_VARIANT },
    unknownFields: findUnknownFields(value, read.keys, {
      shapes: SPEECH_FIELDS,
      withheld: withheldFields,
    }),
    conversation: null,
    choices: 1,
    promptTokensBound,
    textTokensBound: promptTokensBound,
    promptTokensEstimate: estimatePromptTokens(content),
    hasUnboundedParts: false,
    reportsCost: asksForCost(value),
    withheldFields,
    characters,
    format,
    speed: typeof speed === 'number' ? speed : 1,
    asksForEvents,
    bytes,
    parsed: new ParsedBody(value),
    members,
  };
}

/** Nothing but sound may be in the bytes of a file: no keep-alive, and no error. */
function bytesOf(format: SoundFormat): NonNullable<ParsedRequest['replyForm']> {
  return {
    streamContentType: CONTENT_TYPES[format],
    keepAlive: '',
    splitsEvents: true,
    breaksOff: true,
  };
}

/** Without a copy of the text as a list: texts of megabytes come here before they are refused. */
function countCodePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isPair = unit >= 0xd800 && unit <= 0xdbff && (text.codePointAt(at) ?? 0) > 0xffff;
    if (isPair) at += 1;
    count += 1;
  }
  return count;
}

function checkText(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'string' ? undefined : wrongType(key, 'a string', value);
}

function checkFormat(key: string, value: unknown): Refusal | undefined {
  if (isSoundFormat(value)) return undefined;
  return invalidValue(key, `"${key}" must be one of ${Object.keys(CONTENT_TYPES).join(', ')}.`);
}

function checkStreamFormat(key: string, value: unknown): Refusal | undefined {
  if (STREAM_FORMATS.some((one) => one === value)) return undefined;
  return invalidValue(key, `"${key}" must be "audio" or "sse".`);
}
