import type { StreamPosition } from '../ledger/redis/usage/insert-usage.ts';
import {
  type PartitionUsage,
  RECORDS_PER_TRANSACTION_MAX,
} from '../ledger/redis/usage/usage-stream.ts';

const OPENED = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSED = Buffer.from(']');

/** The argument of `enter_usage` (stores/postgres/functions/usage.sql), from its elements. */
export function jsonList(parts: readonly Buffer[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap((part, index) => [index === 0 ? OPENED : COMMA, part]),
    CLOSED,
  ]);
}

export function recordsIn(pieces: readonly PartitionUsage[]): number {
  return pieces.reduce((sum, { records }) => sum + records, 0);
}

/** The stream positions that these pieces reach. Pieces of one partition are in stream order. */
export function positionsOf(group: readonly PartitionUsage[]): StreamPosition[] {
  const positions = new Map<number, StreamPosition>();
  for (const { partition, epoch, newestId: id } of group) {
    if (epoch !== null) positions.set(partition, { partition, epoch, id });
  }
  return [...positions.values()];
}

/** Pieces combined to groups of about one transaction's size. */
export function groupPartitions(partitions: readonly PartitionUsage[]): PartitionUsage[][] {
  const groups: PartitionUsage[][] = [];
  let current: PartitionUsage[] = [];
  let count = 0;
  for (const partition of partitions) {
    if (count > 0 && count + partition.records > RECORDS_PER_TRANSACTION_MAX) {
      groups.push(current);
      current = [];
      count = 0;
    }
    current.push(partition);
    count += partition.records;
  }
  if (current.length > 0) groups.push(current);
  return groups;
}
