import type { Refusal } from '../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';
import type { MemberEdit } from '../../platform/json/rewrite-members.ts';
import { asksForCost } from '../fields/asks-for-cost.ts';
import { wrongCase, wrongType } from '../fields/field-faults.ts';
import { caseVariantOf } from '../fields/field-names.ts';
import { fits, prune } from '../fields/shape.ts';
import { STREAM_OPTIONS as STREAM_OPTION_FIELDS } from './known-fields.ts';

const STREAM_OPTIONS: ReadonlySet<string> = new Set(['include_usage']);

/** Checks a `stream_options` that was sent. */
export function checkStreamOptions(key: string, value: unknown): Refusal | undefined {
  if (!isJsonObject(value)) return wrongType(key, 'an object', value);
  for (const option in value) {
    const known = caseVariantOf(option, STREAM_OPTIONS);
    if (known !== undefined) return wrongCase(`stream_options.${known}`);
  }
  const includeUsage = value['include_usage'];
  return includeUsage === undefined || includeUsage === null || typeof includeUsage === 'boolean'
    ? undefined
    : wrongType('stream_options.include_usage', 'true or false', includeUsage);
}

/** The stream options of a request. */
export interface StreamOptions {
  readonly stream: boolean;
  /** The options as they were sent; null when absent. */
  readonly streamOptions: JsonObject | null;
  /** The client asked for the usage chunk of a stream. */
  readonly includeUsage: boolean;
  /** The client wants its cost in the usage. */
  readonly reportsCost: boolean;
}

/** Reads `stream` and `stream_options` of a request that passed the checks. */
export function readStreamOptions(body: JsonObject): StreamOptions {
  const stream = body['stream'] === true;
  const reportsCost = asksForCost(body);
  const options = body['stream_options'];
  const sent = isJsonObject(options) ? knownOptions(options) : null;
  return {
    stream,
    streamOptions: sent,
    includeUsage: stream && (reportsCost || sent?.['include_usage'] === true),
    reportsCost,
  };
}

/** Usage is asked for on every stream, whatever the client asked for: it is what is billed. */
export function editStreamOptions(request: StreamOptions, edits: MemberEdit[]): void {
  const name = 'stream_options';
  if (!request.stream) {
    // OpenAI rejects `stream_options` without `stream`; drop it.
    if (request.streamOptions !== null) edits.push({ name, value: undefined });
  } else if (request.streamOptions?.['include_usage'] !== true) {
    const value =
      request.streamOptions === null
        ? '{"include_usage":true}'
        : JSON.stringify({ ...request.streamOptions, include_usage: true });
    edits.push({ name, value });
  }
}

/** They are rewritten if they have to change, with known fields alone. */
function knownOptions(options: JsonObject): JsonObject {
  if (fits(options, STREAM_OPTION_FIELDS)) return options;
  const known = prune(options, STREAM_OPTION_FIELDS, '', new Set());
  return isJsonObject(known) ? known : {};
}
