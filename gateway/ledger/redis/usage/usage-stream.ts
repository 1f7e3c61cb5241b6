import { partitionKey, PARTITION_NAMES } from '../../partition.ts';
import { loadScript, runsWithoutMemory } from '../transport/load-script.ts';
import { callScript, isCluster, routeKeys } from '../transport/run-script.ts';
import { type UsageEntry, usageEntriesOf } from '../commands/usage-entry.ts';
import type { RedisClient } from '../../../stores/redis/connect.ts';

const LUA = new URL('./lua/', import.meta.url);
// Both write (leases, counts), which Redis denies to ordinary scripts when its memory is full: it
// would then stay full.
export const READ = {
  ...runsWithoutMemory(loadScript(LUA, 'read-usage.lua', {})),
  replyEncoding: 'buffer',
} as const;
export const FORGET = runsWithoutMemory(loadScript(LUA, 'forget-usage.lua', {}));

/**
 * Time for which a reader that dies blocks its partitions. Well above the duration of a round, one
 * or two transactions of some tens of milliseconds. If a round takes longer, two readers do the
 * same work, and each record is inserted once.
 */
const LEASE_MS = 5_000;

/**
 * Approximate records per read. Redis concatenates their texts, which blocks it for one or two
 * milliseconds.
 */
const RECORDS_PER_READ_MAX = 200;

/**
 * Bounds a transaction: large enough to share its cost, small enough to hold row locks for some
 * tens of milliseconds.
 */
export const RECORDS_PER_TRANSACTION_MAX = 500;

/** The oldest records of a partition's stream, or those after a piece that was read before. */
export interface PartitionUsage {
  readonly partition: number;
  /** The epoch of the partition in Redis at that time; null when it had none. */
  readonly epoch: number | null;
  /** Id of the last stream entry of the piece. */
  readonly newestId: string;
  /** Stream entries; each has all records that one batch settled in the partition. */
  readonly entries: number;
  readonly records: number;
  /** No later piece of the partition was read. */
  readonly last: boolean;
  /**
   * The records as elements of the argument of `enter_usage` (stores/postgres/functions/usage.sql),
   * separated by commas.
   */
  readonly json: Buffer;
}

export interface UsageReading {
  readonly partitions: readonly PartitionUsage[];
  /** The read reached its limit: there are probably more of the same age. */
  readonly full: boolean;
  /** Records in all streams, read or not. */
  readonly waiting: number;
  /** When the oldest was written, on the store's clock; 0 when there is none. */
  readonly oldestMs: number;
  /**
   * The lead of a stream over the store's clock, which was set back; 0 unless it exceeds the least
   * age.
   */
  readonly aheadMs: number;
}

/** The usage streams of all partitions, for one reader. */
export class UsageStream {
  readonly #redis: RedisClient;
  readonly #reader: string;
  #first = 0;

  /** @param reader unique to this process; identifies its leases */
  constructor(redis: RedisClient, reader: string) {
    this.#redis = redis;
    this.#reader = reader;
  }

  /**
   * Reads about `recordsMax` of the oldest records that are at least `ageMsMin` old. Rejects when
   * Redis is unreachable.
   */
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

  /** @param read the last piece of each partition that was read; reading continues after it */
  async #readSome(
    ageMsMin: number,
    read: ReadonlyMap<number, PartitionUsage>,
  ): Promise<UsageReading> {
    // Starts with another partition each time, so that a busy one does not delay the rest.
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

  /** The records of a piece one by one, including earlier ones that are not deleted yet. */
  async entriesUntil({ partition, epoch, newestId }: PartitionUsage): Promise<UsageEntry[]> {
    const found = await this.#redis.xrange(partitionKey(partition, 'usage'), '-', newestId);
    return found.flatMap(([, fields]) => usageEntriesOf(partition, epoch, fields));
  }

  /** Deletes what is in Postgres, and releases the leases of partitions without a later piece. */
  async forget(pieces: readonly PartitionUsage[]): Promise<void> {
    await this.#forget(pieces);
  }

  /** Releases the leases of these partitions without deleting anything. */
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

/** A piece to delete. */
type Forgotten = Omit<PartitionUsage, 'epoch' | 'json'>;

const NOTHING_READ = { newestId: '', entries: 0, records: 0, last: true };

function forgetArguments({ newestId, entries, records, last }: Forgotten): string[] {
  return [newestId, String(entries), String(records), last ? '1' : '0'];
}

/** Fields per partition in the reply of read-usage.lua. */
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
