import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { CacheMark } from '../../neutral-form/request.ts';
import type { TargetProfile } from '../../target-profile.ts';

/** Bedrock takes so many in one request. */
const CACHE_POINTS_MAX = 4;

/** The block that follows the part of the prompt that is worth caching. */
export function cachePoint({ ttl }: CacheMark, { hourlyCache }: TargetProfile): JsonObject {
  const hour = ttl === '1h' && hourlyCache ? { ttl } : {};
  return { cachePoint: { type: 'default', ...hour } };
}

export function isCachePoint(block: JsonObject | undefined): boolean {
  return block?.['cachePoint'] !== undefined;
}

/**
 * Takes the first points of those that are too many out of the lists: the last ones cover the
 * longest prompts. Returns whether there are any.
 * @param lists in the order of the prompt: tools, system, messages
 */
export function limitCachePoints(lists: readonly JsonObject[][]): boolean {
  const points = lists.flatMap((list) => list.filter(isCachePoint));
  const dropped = new Set(points.slice(0, Math.max(0, points.length - CACHE_POINTS_MAX)));
  if (dropped.size > 0) {
    for (const list of lists) {
      list.splice(0, list.length, ...list.filter((block) => !dropped.has(block)));
    }
  }
  return points.length > 0;
}
