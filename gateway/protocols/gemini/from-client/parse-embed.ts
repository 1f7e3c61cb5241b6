import type { Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import type { ReadObject } from '../../../platform/json/read-object.ts';
import { promptSize } from '../../../tokens/prompt-size.ts';
import { invalidValue, missing, wrongType } from '../../fields/field-faults.ts';
import type { Endpoint } from '../../endpoint.ts';
import { ParsedBody } from '../../fields/parsed-body.ts';
import { listOf } from '../fields.ts';
import type { GeminiRequest } from './parse-request.ts';
import { checkContents } from './check-contents.ts';

/** The input of an embedding: one content, or a list of them, whose reply is a list. */
export type Embeds = 'one' | 'many';

const BATCH = ':batchEmbedContents';
const NO_METERS: readonly never[] = [];
const NO_FIELDS: readonly never[] = [];
/** Google takes no more at once. */
export const CONTENTS_MAX = 100;

/** Reads a request for embeddings. Nothing is generated, and so nothing is held for it. */
export function parseEmbed(
  { bytes, members, value }: ReadObject,
  endpoint: Endpoint,
  model: string,
): GeminiRequest | Refusal {
  const embeds: Embeds = endpoint.path.endsWith(BATCH) ? 'many' : 'one';
  const requests = embeds === 'many' ? listOf(value['requests']) : [value];
  const fault = checkRequests(requests, model);
  if (fault !== undefined) return fault;
  const contents = checkContents(requests.map((request) => (request as JsonObject)['content']));
  if ('refused' in contents) return contents;
  const { mediaParts, mediaBytes, hasUnboundedParts } = contents;
  const bodyBytes = bytes.length;
  const hasTools = false;
  return {
    model,
    embeds,
    contents: requests.length,
    stream: false,
    serverSentEvents: false,
    maxOutputTokens: 0,
    heldInSlices: false,
    meters: NO_METERS,
    conversation: null,
    choices: 1,
    ...promptSize({ bodyBytes, hasTools, mediaParts, mediaBytes, hasUnboundedParts }),
    bytes,
    parsed: new ParsedBody(value),
    members,
    withheldFields: NO_FIELDS,
    configName: null,
    includeThoughts: false,
  };
}

function checkRequests(requests: readonly unknown[], model: string): Refusal | undefined {
  if (requests.length === 0) {
    return missing('requests', '"requests" is missing. Send "requests": [{"content": {…}}].');
  }
  if (requests.length > CONTENTS_MAX) {
    return invalidValue('requests', `At most ${CONTENTS_MAX} contents are embedded at once.`);
  }
  for (const [index, request] of requests.entries()) {
    const param = `requests[${index}]`;
    if (!isJsonObject(request)) return wrongType(param, 'an object', request);
    if (!isJsonObject(request['content'])) {
      return missing(
        `${param}.content`,
        'The content is missing. Send "content": {"parts": [{"text": "…"}]}.',
      );
    }
    const named = stringOf(request['model']).replace(/^models\//, '');
    if (named !== '' && named !== model) {
      return invalidValue(
        `${param}.model`,
        `All contents are embedded by the model of the path, "${model}".`,
      );
    }
  }
  return undefined;
}
