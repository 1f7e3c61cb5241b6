import type { Refusal } from '../../platform/errors/refusal.ts';
import type { RequestLimits } from '../protocol.ts';
import { invalidValue, missing, wrongType } from './field-faults.ts';

/** Checks the value of a field, which is not null. */
export type FieldCheck = (
  key: string,
  value: unknown,
  limits: RequestLimits,
) => Refusal | undefined;

/** True or false. */
export function checkBoolean(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'boolean' ? undefined : wrongType(key, 'true or false', value);
}

/** A number. */
export function checkNumber(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'number' ? undefined : wrongType(key, 'a number', value);
}

/** Checks the limit of a reply's tokens. */
export function checkOutputLimit(key: string, value: unknown): Refusal | undefined {
  return checkWhole(key, value, Number.MAX_SAFE_INTEGER);
}

/** A whole number from 1 on; 1.0 is one too. */
export function checkWhole(key: string, value: unknown, max: number): Refusal | undefined {
  if (typeof value !== 'number') return wrongType(key, 'a whole number', value);
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return undefined;
  const range = max === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${max}`;
  return invalidValue(key, `"${key}" must be a whole number ${range}.`);
}

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

/**
 * Refuses the name of a tool that is defined or chosen: absent, empty or no text. No vendor takes
 * it, and some servers answer it with a 500, as if they had failed.
 * @param param where the name should be
 */
export function checkToolName(name: unknown, param: string): Refusal | undefined {
  if (name === undefined || name === null) {
    return missing(param, `"${param}" is missing. Send the name of the tool.`);
  }
  if (typeof name !== 'string') return wrongType(param, 'a string', name);
  return name === ''
    ? invalidValue(param, `"${param}" is empty. Send the name of the tool.`)
    : undefined;
}

/**
 * The same of a call that a client sends back. Models make calls without a name, and servers of
 * one's own take them back: an empty name passes.
 */
export function checkCallName(name: unknown, param: string): Refusal | undefined {
  return name === '' ? undefined : checkToolName(name, param);
}
