import type { Refusal } from '../../platform/errors/refusal.ts';
import { invalidValue, missing, wrongType } from './field-faults.ts';

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
