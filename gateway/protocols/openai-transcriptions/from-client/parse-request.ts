import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { audioDuration, type AudioDuration } from '../../../platform/audio/audio-duration.ts';
import type { FormPart } from '../../../platform/multipart/read-multipart.ts';
import { checkModel } from '../../fields/field-checks.ts';
import { invalidValue, missing } from '../../fields/field-faults.ts';
import { nameOfList, readForm, textOf, unknownNames } from '../../openai-family/read-form.ts';
import type { AskedVariant } from '../../../pricing/variants.ts';
import type { ParsedRequest, RequestHead, RequestLimits } from '../../protocol.ts';
import { heldMs, measuredMs } from '../wire/audio-ms.ts';
import { audioPromptTokens, audioPromptTokensMax } from '../wire/audio-prompt-tokens.ts';

const FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;
export type TranscriptFormat = (typeof FORMATS)[number];

/** A request for a transcript that passed every check; its parts remain in the body. */
export interface TranscriptionRequest extends ParsedRequest {
  readonly parts: readonly FormPart[];
  readonly format: TranscriptFormat;
  readonly fileBytes: number;
  /** Null if the container does not say. */
  readonly audio: AudioDuration | null;
}

/**
 * OpenAI's fields, and those of servers that transcribe with Whisper. Of lists and objects, whose
 * names go on in brackets, the part in front of these. Others stay here: an upstream could charge
 * for what they ask for.
 */
const KNOWN_FIELDS: ReadonlySet<string> = new Set(
  `file model language languages prompt keywords response_format temperature timestamp_granularities
  chunking_strategy include known_speaker_names known_speaker_references stream hotwords vad_filter
  seed diarize`.split(/\s+/),
);

/** Fields that are read here: two of them could be taken for either by an upstream. */
const SINGLE_FIELDS: readonly string[] = ['file', 'model', 'response_format', 'stream'];

const NO_METERS: readonly never[] = [];
const NO_VARIANT: AskedVariant = { words: [], open: 0 };

export function parseRequest(
  body: Buffer,
  head: RequestHead,
  limits: RequestLimits,
): TranscriptionRequest | Refusal {
  const parts = readForm(body, head, SINGLE_FIELDS);
  if (isRefusal(parts)) return parts;
  const model = head.pathModel ?? textOf(parts, 'model');
  if (model === undefined) {
    return missing('model', '"model" is missing. Send the ID of a model from the price list.');
  }
  const file = parts.find(({ name }) => name === 'file');
  const fault =
    checkModel('model', model, limits) ??
    checkFile(file) ??
    checkFormat(textOf(parts, 'response_format')) ??
    checkStream(textOf(parts, 'stream'), head);
  if (fault !== undefined || file === undefined) return fault ?? missingFile();
  const { stored, size: fileBytes } = file;
  const audio = stored === null ? audioDuration(file.content) : (stored.sound ?? null);
  const textBytes = body.length - file.content.length;
  const most = heldMs(audio, fileBytes);
  return {
    model,
    stream: textOf(parts, 'stream') === 'true',
    // No limit can be imposed: all that the model can say is held for.
    maxOutputTokens: Infinity,
    heldInSlices: false,
    meters: NO_METERS,
    units: { meter: 'second', count: most, variant: NO_VARIANT },
    withheldFields: unknownNames(parts, isKnownField),
    conversation: null,
    choices: 1,
    promptTokensBound: audioPromptTokensMax(most) + textBytes,
    textTokensBound: textBytes,
    promptTokensEstimate: audioPromptTokens(audio?.ms ?? fileBytes, textBytes),
    // A worker, which counts prompts, has no more than the body.
    ...(stored !== null && {
      promptTokensCounted: audioPromptTokens(measuredMs(audio, fileBytes).ms, textBytes),
    }),
    // Its tokens are bounded by its duration; a count of them would not be closer.
    hasUnboundedParts: true,
    parts,
    format: (textOf(parts, 'response_format') ?? 'json') as TranscriptFormat,
    fileBytes,
    audio,
    bytes: body,
  };
}

/** Reports whether a field goes to upstreams. */
export function isKnownField(name: string): boolean {
  return KNOWN_FIELDS.has(nameOfList(name));
}

function checkFile(file: FormPart | undefined): Refusal | undefined {
  if (file === undefined) return missingFile();
  if (file.filename === null) {
    return invalidValue('file', '"file" must be a file: send it with its file name.');
  }
  if (file.size > 0) return undefined;
  return invalidValue('file', '"file" is empty. Send the audio to be transcribed.');
}

function missingFile(): Refusal {
  return missing('file', '"file" is missing. Send the audio as a file of the form.');
}

function checkFormat(format: string | undefined): Refusal | undefined {
  if (format === undefined || FORMATS.some((one) => one === format)) return undefined;
  return invalidValue('response_format', `"response_format" must be one of ${FORMATS.join(', ')}.`);
}

function checkStream(stream: string | undefined, head: RequestHead): Refusal | undefined {
  if (stream === undefined || stream === 'false') return undefined;
  if (stream !== 'true') return invalidValue('stream', '"stream" must be "true" or "false".');
  return head.endpoint.operation === 'translate'
    ? invalidValue('stream', 'Translations are not streamed. Leave "stream" out.')
    : undefined;
}
