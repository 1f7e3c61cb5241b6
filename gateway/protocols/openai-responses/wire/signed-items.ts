import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { bareId, isSignedId } from '../../../platform/secrets/signed-id.ts';

/** Fields that mean nothing to an upstream that does not have the item. */
const EMPTY_FIELDS: ReadonlySet<string> = new Set(['type', 'id', 'status', 'summary']);

/**
 * Reports whether an item is only its id to an upstream, such as reasoning without encrypted
 * content.
 */
export function isBareItem(item: JsonObject): boolean {
  return Object.entries(item).every(
    ([name, value]) =>
      EMPTY_FIELDS.has(name) || value === null || (Array.isArray(value) && value.length === 0),
  );
}

/**
 * Items as an upstream knows them, without those that are nothing to it.
 * @param stored ids, as the client knows them, of items that the upstream has
 */
export function unsignedItems(
  items: readonly unknown[],
  stored: ReadonlySet<string>,
): readonly unknown[] {
  return items.flatMap((item) => {
    if (!isJsonObject(item) || !isSignedId(item['id'])) return [item];
    if (isBareItem(item) && !stored.has(item['id'])) return [];
    return [{ ...item, id: bareId(item['id']) }];
  });
}
