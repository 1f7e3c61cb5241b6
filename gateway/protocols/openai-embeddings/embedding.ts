import { isJsonObject, parseOwnObject, type JsonObject } from '../../platform/json/json-value.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { withoutByteOrderMark } from '../../platform/json/utf8-text.ts';
import {
  vectorOf,
  type EmbeddingForm,
  type EmbeddingInput,
} from '../neutral-form/translations/embedding.ts';
import { bodyOf } from '../fields/parsed-body.ts';
import { invalidValue } from '../fields/field-faults.ts';
import type { EmbeddingsRequest } from './from-client/parse-request.ts';
import { base64Of, fromBase64 } from './pass-through/base64-vector.ts';
import { embeddingUsage, usageOf } from './pass-through/embeddings-reply.ts';

/** Names that vendors have for the numbers of a vector. */
const DIMENSIONS_FIELDS = ['dimensions', 'output_dimension', 'dense_embedding_dimension'] as const;

/**
 * Mere advice, and what vendors of OpenAI-compatible interfaces have of their own: no upstream of
 * another protocol gets it.
 */
export const LEFT_OUT_FIELDS: readonly string[] = `user input_type truncate truncation task
  late_chunking normalized normalize text_type instruct instruction truncate_prompt_tokens
  add_special_tokens priority modality request_id stream stream_options`.split(/\s+/);

/** The fields that select another type than float, each with its value for floats. */
export const NUMBER_FIELDS: ReadonlyMap<string, string> = new Map([
  ['output_dtype', 'float'],
  ['embedding_type', 'float'],
  ['embedding_types', 'float'],
  ['output_type', 'dense'],
]);

/** To and from the neutral form. */
export const embedding: EmbeddingForm<EmbeddingsRequest> = {
  inputsOf: ({ inputs }) => inputs,
  readRequest: (request) => {
    const body = bodyOf(request);
    if (body === undefined) return refuse('invalid_json', 'The body is not valid JSON.');
    const fault = refuseOtherNumbers(body);
    if (fault !== undefined) return fault;
    const dimensions = DIMENSIONS_FIELDS.map((name) => body[name]).find((one) => one != null);
    return {
      inputs: inputsIn(body['input']),
      ...(typeof dimensions === 'number' ? { dimensions } : {}),
    };
  },
  writeRequest: ({ inputs, dimensions }, { upstreamModel, omittedFields }) => {
    const body = { model: upstreamModel, input: inputs, dimensions };
    const sent = Object.entries(body).filter(([name]) => !omittedFields.includes(name));
    return Object.fromEntries(sent);
  },
  readReply: (body) => {
    const reply = parseOwnObject(withoutByteOrderMark(body)) ?? {};
    const { data, usage, error } = reply;
    if (!Array.isArray(data) || (error !== undefined && error !== null)) return undefined;
    const items = inOrder(data.filter((item) => isJsonObject(item)));
    const vectors = items.flatMap((item) => {
      const { embedding: value } = item;
      const vector = typeof value === 'string' ? fromBase64(value) : vectorOf(value);
      return vector === undefined ? [] : [vector];
    });
    return { vectors, usage: usageOf(isJsonObject(usage) ? usage : undefined) };
  },
  writeReply: ({ vectors }, { model, base64 }, usage) => {
    const data = vectors.map((vector, index) => {
      return { object: 'embedding', index, embedding: base64 ? base64Of(vector) : vector };
    });
    const reported = usage === null ? {} : { usage: embeddingUsage(usage.input) };
    return Buffer.from(JSON.stringify({ object: 'list', data, model, ...reported }));
  },
};

/** A field that passed the checks. */
function inputsIn(value: unknown): readonly EmbeddingInput[] {
  const items = (Array.isArray(value) ? value : [value]) as readonly (string | number)[];
  const isTokens = items.every((item): item is number => typeof item === 'number');
  return isTokens ? [items] : (items as readonly EmbeddingInput[]);
}

function refuseOtherNumbers(body: JsonObject): Refusal | undefined {
  for (const [name, floats] of NUMBER_FIELDS) {
    const value = body[name];
    const asked = value === undefined || value === null ? [] : [value].flat();
    if (asked.every((one) => one === floats)) continue;
    return invalidValue(
      name,
      `The upstream of this model makes vectors of floats alone. Leave "${name}" out.`,
    );
  }
  return undefined;
}

/** Some servers send the vectors as they are ready. */
function inOrder(items: readonly JsonObject[]): readonly JsonObject[] {
  const indexOf = ({ index }: JsonObject): number => (typeof index === 'number' ? index : NaN);
  const isNumbered = items.every((item) => Number.isInteger(indexOf(item)));
  return isNumbered ? items.toSorted((one, other) => indexOf(one) - indexOf(other)) : items;
}
