import { isOwnJsonObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';

/** Anthropic takes so many marks in one request. */
const CACHE_MARKS_MAX = 4;
const MARK = 'cache_control';

/**
 * Keeps the last marks of those that are too many: they cover the longest prompts. Without any, a
 * client that names a cache has the whole prompt cached, which other vendors do by themselves.
 * @param marksWhole whether the upstream takes one mark for the whole prompt; without it the last
 *   block of the prompt is marked
 */
export function limitCacheMarks(
  body: OwnJsonObject,
  { namesCache, marksWhole }: { readonly namesCache: boolean; readonly marksWhole: boolean },
): void {
  const marked: OwnJsonObject[] = [];
  collect([body['tools'], body['system'], body['messages']], marked);
  for (const holder of marked.slice(0, Math.max(0, marked.length - CACHE_MARKS_MAX))) {
    Reflect.deleteProperty(holder, MARK);
  }
  if (marked.length > 0 || !namesCache) return;
  const holder = marksWhole ? body : lastBlock(body['messages']);
  if (holder !== undefined) holder[MARK] = { type: 'ephemeral' };
}

/** Blocks of thinking take no mark. */
const UNMARKABLE: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

function lastBlock(messages: unknown): OwnJsonObject | undefined {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (!isOwnJsonObject(last)) return undefined;
  if (typeof last['content'] === 'string') {
    last['content'] = [{ type: 'text', text: last['content'] }];
  }
  const block: unknown = Array.isArray(last['content']) ? last['content'].at(-1) : undefined;
  return isOwnJsonObject(block) && !UNMARKABLE.has(block['type']) ? block : undefined;
}

/** In the order of the prompt. */
function collect(value: unknown, marked: OwnJsonObject[]): void {
  if (Array.isArray(value)) for (const one of value as unknown[]) collect(one, marked);
  else if (isOwnJsonObject(value)) {
    collect(value['content'], marked);
    if (value[MARK] !== undefined) marked.push(value);
  }
}
