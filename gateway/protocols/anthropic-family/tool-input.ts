import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';
import { rawInput } from '../neutral-form/raw-input.ts';

/** Returns a call's input as an object: of a free-form tool its text is the one property. */
export function toolInput(text: string, freeForm: boolean): JsonObject {
  if (freeForm) return { input: text };
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : rawInput(text);
  } catch {
    return rawInput(text);
  }
}
