import { isOwnJsonObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';

/** Anthropic takes so many marks in one request. */
const CACHE_MARKS_MAX = 4;
const MARK = 'cache_control';

/**
 * Keeps the last marks of those that are too many: they cover the longest prompts. Without any, a
 * client that names a cache has the whole prompt cached, which other vendors do by themselves.
 */
export function limitCacheMarks(body: OwnJsonObject, namesCache: boolean): void {
  const marked: OwnJsonObject[] = [];
  collect([body['tools'], body['system'], body['messages']], marked);
  for (const holder of marked.slice(0, Math.max(0, marked.length - CACHE_MARKS_MAX))) {
    Reflect.deleteProperty(holder, MARK);
  }
  if (marked.length === 0 && namesCache) body[MARK] = { type: 'ephemeral' };
}

/** In the order of the prompt. */
function collect(value: unknown, marked: OwnJsonObject[]): void {
  if (Array.isArray(value)) for (const one of value as unknown[]) collect(one, marked);
  else if (isOwnJsonObject(value)) {
    collect(value['content'], marked);
    if (value[MARK] !== undefined) marked.push(value);
  }
}
