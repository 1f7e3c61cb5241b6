import type { Refusal } from '../../platform/errors/refusal.ts';
import type { RequestLimits } from '../protocol.ts';
import { invalidValue, wrongType } from './field-faults.ts';

/** Checks a `model` that was sent. */
export function checkModel(
  key: string,
  value: unknown,
  limits: RequestLimits,
): Refusal | undefined {
  if (typeof value !== 'string') return wrongType(key, 'a string', value);
  if (value === '') {
    return invalidValue(key, '"model" is empty. Send the ID of a model from the price list.');
  }
  if (value.length > limits.modelCharactersMax) {
    return invalidValue(key, `"model" is longer than ${limits.modelCharactersMax} characters.`);
  }
  return undefined;
}
