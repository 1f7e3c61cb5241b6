import { partitionKey, PARTITION_NAMES } from '../ledger/partition.ts';
import { loadScript, runsWithoutMemory } from '../ledger/redis/transport/load-script.ts';
import { callScript, isCluster, routeKeys } from '../ledger/redis/transport/run-script.ts';
import { type UsageEntry, usageEntriesOf } from '../ledger/redis/commands/usage-entry.ts';
import type { RedisClient } from '../stores/redis/connect.ts';

const LUA = new URL('./lua/', import.meta.url);
// Both take leases or counts back, which Redis refuses to other scripts once its memory is full: it would then stay full for ever.
const READ = {
  ...runsWithoutMemory(loadScript(LUA, 'read-usage.lua', {})),
  replyEncoding: 'buffer',
} as const;
const FORGET = runsWithoutMemory(loadScript(LUA, 'forget-usage.lua', {}));

/**
 * A reader that dies holds up its partitions for this long. Well above what a round takes (a transaction or two of some tens of
 * milliseconds); where one takes longer, two readers do the same work, and the book takes each record once.
 */
const LEASE_MS = 5_000;

/** Records read at a time, about. Redis puts their texts together, for one or two milliseconds in which no request is held. */
const RECORDS_PER_READ_MAX = 200;

/** Bounds one transaction: large enough to share its cost, small enough to hold row locks for some tens of milliseconds. */
export const RECORDS_PER_TRANSACTION_MAX = 500;

/** The oldest records of a partition's stream, or those that follow a piece of them. */
export interface PartitionUsage {
  readonly partition: number;
  /** The epoch of Redis when it was read; null when the partition had none. */
  readonly epoch: number | null;
  /** The stream's entry with which the piece ends. */
  readonly newestId: string;
  /** Entries of the stream; each has as many records as its batch settled in the partition. */
  readonly entries: number;
  readonly records: number;
  /** Nothing more of the partition was read. */
  readonly last: boolean;
  /** The records as elements of `apply_usage`'s argument (migration 0002), with a comma between them. */
  readonly json: Buffer;
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
    const pieces: PartitionUsage[] = [];
    const newest = new Map<number, PartitionUsage>();
    let reading: UsageReading;
    let records = 0;
    do {
      reading = await this.#readSome(ageMsMin, newest);
      for (const piece of reading.partitions) {
        pieces.push(piece);
        newest.set(piece.partition, piece);
        records += piece.records;
      }
    } while (reading.full && records < recordsMax);
    const partitions = pieces.map((piece) => ({
      ...piece,
      last: newest.get(piece.partition) === piece,
    }));
    return { ...reading, partitions };
  }

  /** @param read the newest pieces that have been read, by partition: what stands behind them is next */
  async #readSome(
    ageMsMin: number,
    read: ReadonlyMap<number, PartitionUsage>,
  ): Promise<UsageReading> {
    // Another partition first each time, so that a busy one does not hold up the rest.
    const partitions = [...PARTITION_NAMES.keys()];
    const order = [...partitions.slice(this.#first), ...partitions.slice(0, this.#first)];
    this.#first = (this.#first + 1) % partitions.length;
    const groups = isCluster(this.#redis) ? order.map((partition) => [partition]) : [order];
    const readings = await Promise.all(
      groups.map(async (group) => {
        const asked = group.map(
          (partition) =>
            `${PARTITION_NAMES[partition] ?? ''}${read.get(partition)?.newestId ?? ''}`,
        );
        const bounds = [LEASE_MS, ageMsMin, RECORDS_PER_READ_MAX].map(String);
        const keys = routeKeys(this.#redis, group[0] ?? 0);
        const args = [this.#reader, ...bounds, ...asked];
        return parseReading(await callScript(this.#redis, READ, keys, args));
      }),
    );
    const oldest = readings.map(({ oldestMs }) => oldestMs).filter((ms) => ms > 0);
    return {
      partitions: readings.flatMap(({ partitions: found }) => found),
      full: readings.some(({ full }) => full),
      waiting: readings.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestMs: oldest.length === 0 ? 0 : Math.min(...oldest),
      aheadMs: Math.max(...readings.map(({ aheadMs }) => aheadMs)),
    };
  }

  /** The records of a piece one by one, and those before them that have not been forgotten. */
  async entriesUntil({ partition, epoch, newestId }: PartitionUsage): Promise<UsageEntry[]> {
    const found = await this.#redis.xrange(partitionKey(partition, 'usage'), '-', newestId);
    return found.flatMap(([, fields]) => usageEntriesOf(partition, epoch, fields));
  }

  /** Deletes what is in Postgres, and lets other readers have the partitions of which nothing more was read. */
  async forget(pieces: readonly PartitionUsage[]): Promise<void> {
    await this.#forget(pieces);
  }

  /** Lets other readers have these partitions, with all that is in them. */
  async releaseLeases(partitions: readonly number[]): Promise<void> {
    await this.#forget(partitions.map((partition) => ({ ...NOTHING_READ, partition })));
  }

  async #forget(pieces: readonly Forgotten[]): Promise<void> {
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

/** What was read and is to be deleted. */
type Forgotten = Omit<PartitionUsage, 'epoch' | 'json'>;

const NOTHING_READ = { newestId: '', entries: 0, records: 0, last: true };

function forgetArguments({ newestId, entries, records, last }: Forgotten): string[] {
  return [newestId, String(entries), String(records), last ? '1' : '0'];
}

/** Of each partition, as read-usage.lua answers them. */
const FIELDS = 6;

function parseReading(reply: unknown): UsageReading {
  if (!Array.isArray(reply)) throw new Error('the usage streams answered no list');
  const [waiting, oldest, ahead, more, ...rest] = reply as [
    number,
    Buffer,
    number,
    number,
    ...(Buffer | number)[],
  ];
  const partitions: PartitionUsage[] = [];
  for (let at = 0; at < rest.length; at += FIELDS) {
    partitions.push(parsePartition(rest.slice(at, at + FIELDS)));
  }
  return {
    partitions,
    full: more === 1,
    waiting,
    oldestMs: Number(String(oldest)),
    aheadMs: ahead,
  };
}

function parsePartition(fields: readonly (Buffer | number)[]): PartitionUsage {
  const [partition = '', epoch = '', newestId = ''] = fields.slice(0, 3).map(String);
  const [entries = 0, records = 0] = fields.slice(3, 5).map(Number);
  const json = fields[5];
  if (!Buffer.isBuffer(json)) throw new Error('a partition of the usage streams has no records');
  return {
    partition: Number(partition),
    epoch: epoch === '' ? null : Number(epoch),
    newestId,
    entries,
    records,
    last: true,
    json,
  };
}
