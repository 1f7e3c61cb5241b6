/**
 * Number of hash tags that the store's data is spread over. Changing it would move every account.
 */
export const PARTITION_COUNT = 64;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The partition of an account, 0 to 63: 32-bit FNV-1a of its id with both halves folded. */
export function partitionOf(accountId: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < accountId.length; index += 1) {
    hash = Math.imul(hash ^ accountId.charCodeAt(index), FNV_PRIME);
  }
  return (hash ^ (hash >>> 16)) & (PARTITION_COUNT - 1);
}

/** Partition numbers as used in keys and commands: "00" to "63". */
export const PARTITION_NAMES: readonly string[] = Array.from(
  { length: PARTITION_COUNT },
  (_value, partition) => String(partition).padStart(2, '0'),
);

/** A key of the partition: `partitionKey(7, 'usage')` is "{p07}:usage". */
export function partitionKey(partition: number, name: string): string {
  return `{p${PARTITION_NAMES[partition] ?? '00'}}:${name}`;
}
