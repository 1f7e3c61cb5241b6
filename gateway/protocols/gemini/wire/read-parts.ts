import {
  isJsonObject,
  isOwnJsonObject,
  stringOf,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { newCallId, plainCallId } from '../../neutral-form/call-id.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type { AssistantPart, ImagePart } from '../../neutral-form/request.ts';
import { fieldOf } from '../fields.ts';
import { proofOf } from './signature.ts';

/**
 * Returns a part of a model's content in the neutral form; undefined of those that the neutral form
 * has no place for, which a client of another protocol cannot have asked for.
 * @param ids of the calls before it; that of a call is added
 */
export function readPart(part: OwnJsonObject, ids: Set<string>): AssistantPart | undefined {
  const proof = proofOf(fieldOf(part, 'thoughtSignature'));
  const proved = proof === null ? {} : { proof };
  const call = fieldOf(part, 'functionCall');
  if (isOwnJsonObject(call)) return readCall(call, proved, ids);
  const image = readMadeImage(part);
  // Drafts are thoughts.
  if (image !== undefined && part['thought'] !== true) return { ...image, ...proved };
  const { text } = part;
  if (typeof text !== 'string') {
    return proof === null ? undefined : { type: 'reasoning', text: '', proof };
  }
  if (part['thought'] === true) return { type: 'reasoning', text, ...proved };
  // A signature alone, as the last part of a reply: it is of the thoughts before it.
  if (text === '') return proof === null ? undefined : { type: 'reasoning', text, proof };
  return { type: 'text', text, ...proved };
}

/** The image that a part is; undefined of other parts, and of other media. */
export function readMadeImage(part: JsonObject): ImagePart | undefined {
  const inline = fieldOf(part, 'inlineData');
  if (!isJsonObject(inline)) return undefined;
  const base64 = stringOf(inline['data']);
  const mediaType = stringOf(fieldOf(inline, 'mimeType'));
  if (base64 === '' || !mediaType.startsWith('image/')) return undefined;
  return { type: 'image', source: { base64, mediaType } };
}

function readCall(
  call: OwnJsonObject,
  proved: { readonly proof?: Proof },
  ids: Set<string>,
): AssistantPart {
  const id = distinctCallId(stringOf(call['id']), ids);
  ids.add(id);
  return {
    type: 'tool_call',
    id,
    name: stringOf(call['name']),
    input: JSON.stringify(call['args'] ?? {}),
    freeForm: false,
    ...proved,
  };
}

/**
 * Returns an id for a call of a reply, which Gemini often gives none; no two calls have the same.
 */
function distinctCallId(given: string, taken: ReadonlySet<string>): string {
  const id = given === '' ? '' : plainCallId(given);
  return id !== '' && !taken.has(id) ? id : newCallId();
}
