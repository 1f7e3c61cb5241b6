import { partitionKey, PARTITION_NAMES } from '../ledger/partition.ts';
import { loadScript, runsWithoutMemory } from '../ledger/redis/load-script.ts';
import { callScript, isCluster, routeKeys } from '../ledger/redis/run-script.ts';
import { type UsageEntry, usageEntriesOf } from '../ledger/redis/usage-entry.ts';
import type { RedisClient } from '../redis/connect.ts';

const LUA = new URL('./lua/', import.meta.url);
// Both take leases or counts back, which Redis refuses to other scripts once its memory is full: it would then stay full for ever.
const READ = runsWithoutMemory(loadScript(LUA, 'read-usage.lua', {}));
const FORGET = runsWithoutMemory(loadScript(LUA, 'forget-usage.lua', {}));

/**
 * A reader that dies holds up its partitions for this long. Well above what a round takes (two or three transactions of some tens of
 * milliseconds); where one takes longer, two readers do the same work, and the book takes each record once.
 */
const LEASE_MS = 5_000;

/** Stream entries of one partition read at a time; each has as many records as its batch settled in the partition. */
const ENTRIES_MAX = 200;

/** Bounds one transaction: large enough to share its cost, small enough to hold row locks for some tens of milliseconds. */
export const RECORDS_PER_TRANSACTION_MAX = 500;

export interface StreamEntry {
  readonly id: string;
  readonly records: number;
}

/** A partition to be given back, and what to delete of it. */
export type Forgotten = Pick<PartitionUsage, 'partition' | 'entries'>;

/** What a partition had to read, or a piece of it of about one transaction's size. */
export interface PartitionUsage {
  readonly partition: number;
  /** The epoch of Redis when it was read; null when the partition had none. */
  readonly epoch: number | null;
  /** What to forget when the records are in the book. */
  readonly entries: readonly StreamEntry[];
  readonly records: readonly UsageEntry[];
}

export interface UsageReading {
  readonly partitions: readonly PartitionUsage[];
  /** As much was read as may be at once: there is likely more of the same age. */
  readonly full: boolean;
  /** Records in all streams, read or not. */
  readonly waiting: number;
  /** When the oldest of them was written, on the store's clock; 0 when there is none. */
  readonly oldestMs: number;
  /** By how much a stream is ahead of the store's clock, which has been set back then; 0 when none is by more than the least age. */
  readonly aheadMs: number;
}

/** The usage streams of all partitions, as one reader sees them. */
export class UsageStream {
  readonly #redis: RedisClient;
  readonly #reader: string;
  #first = 0;

  /** `reader` must be this process's own: it tells its leases from others'. */
  constructor(redis: RedisClient, reader: string) {
    this.#redis = redis;
    this.#reader = reader;
  }

  /** Reads about `recordsMax` of the oldest records that are at least `ageMsMin` old. Rejects when Redis cannot be asked. */
  async read(recordsMax: number, ageMsMin: number): Promise<UsageReading> {
    // Another partition first each time, so that a busy one does not hold up the rest.
    const names = [...PARTITION_NAMES.slice(this.#first), ...PARTITION_NAMES.slice(0, this.#first)];
    this.#first = (this.#first + 1) % PARTITION_NAMES.length;
    const groups = isCluster(this.#redis) ? names.map((name) => [name]) : [names];
    const readings = await Promise.all(
      groups.map(async (group) => {
        const args = [this.#reader, LEASE_MS, ageMsMin, recordsMax, ENTRIES_MAX, ...group].map(
          String,
        );
        const keys = routeKeys(this.#redis, Number(group[0]));
        return parseReading(await callScript(this.#redis, READ, keys, args));
      }),
    );
    const records = readings.reduce((sum, reading) => sum + reading.records, 0);
    const oldest = readings.map(({ oldestMs }) => oldestMs).filter((ms) => ms > 0);
    return {
      partitions: readings.flatMap(({ partitions }) => partitions),
      full: records >= recordsMax || readings.some(({ full }) => full),
      waiting: readings.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestMs: oldest.length === 0 ? 0 : Math.min(...oldest),
      aheadMs: Math.max(...readings.map(({ aheadMs }) => aheadMs)),
    };
  }

  /** Deletes what is in Postgres, and lets other readers have the partitions. Without entries it only does the latter. */
  async forget(pieces: readonly Forgotten[]): Promise<void> {
    const calls = isCluster(this.#redis) ? pieces.map((piece) => [piece]) : [pieces];
    await Promise.all(
      calls.map((call) =>
        callScript(
          this.#redis,
          FORGET,
          call.flatMap(({ partition }) =>
            ['usage', 'drain', 'joined', 'entered'].map((name) => partitionKey(partition, name)),
          ),
          [this.#reader, ...call.flatMap(forgetArguments)],
        ),
      ),
    );
  }
}

function forgetArguments({ entries }: Forgotten): string[] {
  const several = entries.filter(({ records }) => records > 1);
  const single = entries.filter(({ records }) => records <= 1);
  return [
    entries.at(-1)?.id ?? '',
    String(several.length),
    String(single.length),
    ...several.flatMap(({ id, records }) => [id, String(records)]),
    ...single.map(({ id }) => id),
  ];
}

interface Reading extends UsageReading {
  readonly records: number;
}

function parseReading(reply: unknown): Reading {
  if (!Array.isArray(reply)) throw new Error('the usage streams answered no list');
  const [waiting, oldest, ahead, ...rest] = reply as unknown[];
  const partitions: PartitionUsage[] = [];
  let records = 0;
  let full = false;
  for (let at = 0; at + 2 < rest.length; at += 3) {
    const partition = Number(rest[at]);
    const epoch = rest[at + 1] === '' ? null : Number(rest[at + 1]);
    const found = rest[at + 2] as FoundEntry[];
    full ||= found.length >= ENTRIES_MAX;
    for (const piece of parsePartition(partition, epoch, found)) {
      records += piece.records.length;
      partitions.push(piece);
    }
  }
  return {
    partitions,
    records,
    full,
    waiting: Number(waiting),
    oldestMs: Number(oldest),
    aheadMs: Number(ahead),
  };
}

/** As XRANGE gives it: id, and the fields `r` and `c` in turn, each with its value (lua/settle.lua). */
type FoundEntry = readonly [id: string, fields: readonly string[]];

function parsePartition(
  partition: number,
  epoch: number | null,
  found: readonly FoundEntry[],
): PartitionUsage[] {
  const pieces: PartitionUsage[] = [];
  let entries: StreamEntry[] = [];
  let records: UsageEntry[] = [];
  for (const [id, fields] of found) {
    const count = fields.length / 4;
    if (records.length + count > RECORDS_PER_TRANSACTION_MAX && records.length > 0) {
      pieces.push({ partition, epoch, entries, records });
      entries = [];
      records = [];
    }
    entries.push({ id, records: count });
    records.push(...usageEntriesOf(partition, epoch, fields));
  }
  pieces.push({ partition, epoch, entries, records });
  return pieces;
}
