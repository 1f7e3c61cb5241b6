import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import { isJsonObject, parseOwnObject, type JsonObject } from '../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../platform/json/utf8-text.ts';
import {
  vectorOf,
  type EmbeddingForm,
  type EmbeddingInput,
} from '../neutral-form/translations/embedding.ts';
import { invalidValue } from '../fields/field-faults.ts';
import { contentsAsked, embeddingModel, readEmbeddingUsage } from './embed.ts';
import { fieldOf, listOf } from './fields.ts';
import type { GeminiRequest } from './from-client/parse-request.ts';
import { CONTENTS_MAX } from './from-client/parse-embed.ts';

/** Mere advice, which no other protocol has a field for. */
export const LEFT_OUT_FIELDS: readonly string[] = ['taskType', 'title'];

const TOKENS_REFUSED =
  'The upstream of this model reads text, and these are numbers of tokens. Send "input" as a text or an array of texts (in LangChain: check_embedding_ctx_length=False).';

/** To and from the neutral form. */
export const embedding: EmbeddingForm<GeminiRequest> = {
  inputsOf: ({ contents = 0 }) => contents,
  readRequest: (request) => {
    const asked = contentsAsked(request);
    const isList = request.embeds === 'many';
    const inputs: string[] = [];
    for (const [index, one] of asked.entries()) {
      const path = isList ? `requests[${index}].` : '';
      const text = textOf(fieldOf(one, 'content'), `${path}content`);
      if (isRefusal(text)) return text;
      inputs.push(text.text);
    }
    const [first, ...others] = asked.map(dimensionsOf);
    const odd = others.findIndex((dimensions) => dimensions !== first);
    if (odd !== -1) {
      return invalidValue(
        `requests[${odd + 1}].outputDimensionality`,
        'The upstream of this model makes all vectors of a request equally long. Ask for the same outputDimensionality everywhere.',
      );
    }
    return { inputs, ...(typeof first === 'number' ? { dimensions: first } : {}) };
  },
  writeRequest: ({ inputs, dimensions }, { upstreamModel, omittedFields }) => {
    if (inputs.length > CONTENTS_MAX) {
      return invalidValue(
        'input',
        `The upstream of this model embeds at most ${CONTENTS_MAX} texts at once, and "input" has ${inputs.length}. Send them in several requests.`,
      );
    }
    if (!inputs.every(isText)) return invalidValue('input', TOKENS_REFUSED);
    const model = embeddingModel(upstreamModel);
    const isSent = dimensions !== undefined && !omittedFields.includes('outputDimensionality');
    const more = isSent ? { outputDimensionality: dimensions } : {};
    return {
      requests: inputs.map((text) => ({ model, content: { parts: [{ text }] }, ...more })),
    };
  },
  readReply: (body) => {
    const reply = parseOwnObject(withoutByteOrderMark(body));
    const { embeddings } = reply ?? {};
    if (reply === undefined || !Array.isArray(embeddings)) return undefined;
    const vectors = embeddings.flatMap((item: unknown) => {
      const vector = isJsonObject(item) ? vectorOf(item['values']) : undefined;
      return vector === undefined ? [] : [vector];
    });
    return { vectors, usage: readEmbeddingUsage(reply) };
  },
  writeReply: ({ vectors }, { embeds }, usage) => {
    const embeddings = vectors.map((values) => ({ values }));
    const reported = usage === null ? {} : { usageMetadata: { promptTokenCount: usage.input } };
    const form = embeds === 'many' ? { embeddings } : { embedding: embeddings[0] };
    return Buffer.from(JSON.stringify({ ...form, ...reported }));
  },
};

function isText(input: EmbeddingInput): input is string {
  return typeof input === 'string';
}

/** Newer clients have it among the settings of a request. */
function dimensionsOf(asked: JsonObject): unknown {
  const config = fieldOf(asked, 'embedContentConfig');
  const within = isJsonObject(config) ? fieldOf(config, 'outputDimensionality') : undefined;
  return fieldOf(asked, 'outputDimensionality') ?? within;
}

/** The parts of a content make up one text. */
function textOf(content: unknown, path: string): { readonly text: string } | Refusal {
  const texts: string[] = [];
  const parts = isJsonObject(content) ? listOf(content['parts']) : [];
  for (const [index, part] of parts.entries()) {
    const text = isJsonObject(part) ? part['text'] : undefined;
    if (typeof text !== 'string') {
      return invalidValue(
        `${path}.parts[${index}]`,
        'The upstream of this model embeds text alone. Send parts of the form {"text": "…"}.',
      );
    }
    texts.push(text);
  }
  return { text: texts.join('\n') };
}
