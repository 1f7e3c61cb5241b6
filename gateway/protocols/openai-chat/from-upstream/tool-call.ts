import { randomUUID } from 'node:crypto';
import {
  isOwnJsonObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';

/** A function takes arguments, which are JSON; a custom tool takes an input, which is any text. */
export type ToolTextKey = 'arguments' | 'input';

/**
 * Returns the callee of a tool call, with its name and text; undefined if the call has none, or not
 * yet.
 */
export function calleeOf(call: OwnJsonObject): OwnJsonObject | undefined {
  if (isOwnJsonObject(call['function'])) return call['function'];
  return isOwnJsonObject(call['custom']) ? call['custom'] : undefined;
}

/** Returns the key of a call's arguments. */
export function toolTextKey(call: OwnJsonObject): ToolTextKey {
  return isCustom(call) ? 'input' : 'arguments';
}

function isCustom(call: OwnJsonObject): boolean {
  return isOwnJsonObject(call['custom']) && !isOwnJsonObject(call['function']);
}

/** Clients need text where some servers send an object. Returns whether there was one. */
export function stringifyArguments(called: OwnJsonObject, key: ToolTextKey): boolean {
  if (!isOwnJsonObject(called[key])) return false;
  called[key] = JSON.stringify(called[key]);
  return true;
}

/**
 * Gives a call its id, or one made here when that is '' or `taken` by a call before it, and a type
 * when it has none. Returns whether something was changed.
 */
export function identifyCall(call: OwnJsonObject, id: string, taken: boolean): boolean {
  const sentId = id === '' || taken ? `call_${randomUUID().replaceAll('-', '')}` : id;
  let changed = false;
  if (call['id'] !== sentId) {
    call['id'] = sentId;
    changed = true;
  }
  if (stringOf(call['type']) === '') {
    call['type'] = isCustom(call) ? 'custom' : 'function';
    changed = true;
  }
  return changed;
}
