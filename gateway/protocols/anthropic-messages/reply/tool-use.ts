import { createHash, randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';

const ID = /^[\w-]+$/;
/** Kimi's client cuts longer ids off. */
const ID_CHARACTERS = 32;

/**
 * Returns an id that Anthropic's clients and Anthropic take: the same one where it fits, else one
 * that is as distinct, so that call and result still find each other.
 */
export function toolUseId(id: string): string {
  if (ID.test(id)) return id;
  if (id === '') return `toolu_${randomUUID().replaceAll('-', '')}`;
  return `toolu_${createHash('sha256').update(id).digest('hex').slice(0, ID_CHARACTERS)}`;
}

/** Returns a call's input as an object: of a free-form tool its text is the one property. */
export function toolInput(text: string, freeForm: boolean): JsonObject {
  if (freeForm) return { input: text };
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : { _raw: text };
  } catch {
    // Models write such things; the tool says what is wrong with it.
    return { _raw: text };
  }
}
