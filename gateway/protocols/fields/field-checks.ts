import type { Refusal } from '../../platform/errors/refusal.ts';
import type { RequestLimits } from '../protocol.ts';
import { invalidValue, wrongType } from './field-faults.ts';

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
