import type { Redis } from 'ioredis';
import type { RedisClient } from '../../stores/redis/connect.ts';
import { REDIS_COMMANDS, type RedisCommand } from '../../stores/redis/rights.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { FORGET, READ } from '../redis/usage/usage-stream.ts';
import { encodeCredit, encodeExtend, encodeHold, encodeLoad } from '../redis/commands/encode.ts';
import { encodeAccountState, encodeRelease, encodeSettle } from '../redis/commands/encode.ts';
import { encodePayer } from '../redis/commands/encode-payer.ts';
import { batchFunction, HOT_MS } from '../redis/transport/batch-function.ts';
import { callFunction } from '../redis/transport/load-function.ts';
import { callScript, isCluster } from '../redis/transport/run-script.ts';
import { SelfTestFailure } from './self-test-failure.ts';
import { testPayer, testRecord } from './test-request.ts';

/**
 * Partitions that no account is in: nothing drains or sweeps them. In a cluster each node needs one
 * in its slots.
 */
const SPARE_PARTITIONS = Array.from({ length: 36 }, (_none, index) => String(64 + index));
const USD = 1_000_000_000;

/**
 * Does once what requests, the drain and the recovery ask of Redis, in a partition of its own whose
 * keys are deleted. One process at a time. Rejects with Redis' error, or with what came out wrong.
 */
export async function tryRedis(redis: RedisClient, closedMemoryMs: number): Promise<void> {
  if (!isCluster(redis)) {
    await tryPartition(redis, SPARE_PARTITIONS[0] ?? '', closedMemoryMs);
    return;
  }
  for (const node of redis.nodes('master')) await tryNode(node, closedMemoryMs);
}

/** A node of a cluster has some of the spare partitions and refuses the others. */
async function tryNode(node: Redis, closedMemoryMs: number): Promise<void> {
  for (const partition of SPARE_PARTITIONS) {
    try {
      await tryPartition(node, partition, closedMemoryMs);
      return;
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('MOVED')) throw error;
    }
  }
}

async function tryPartition(node: Redis, partition: string, closedMemoryMs: number): Promise<void> {
  const key = (name: string): string => `{p${partition}}:${name}`;
  const [seconds] = await node.time();
  const nowMs = Number(seconds) * 1_000;
  const requestIds = [newRequestId(nowMs), newRequestId(nowMs)];
  const payer = testPayer();
  const { id: accountId } = payer.account;
  const keys = [
    ...['a:', 'epoch', 'swept', 'usage', 'joined', 'entered', 'drain', 'x'].map(key),
    ...[`a:${accountId}`, `q:${accountId}`].map(key),
    ...requestIds.map((id) => key(`r:${id.slice(0, 8)}${id.slice(9, 10)}`)),
    ...requestIds.map((id) => key(`c:${id.slice(0, 8)}`)),
  ];
  await node.del(...keys);
  try {
    await node.set(key('epoch'), '1', 'NX');
    await useLedger(node, { partition, payer, requestIds, nowMs, closedMemoryMs });
    await drain(node, partition);
    await sendEach(node, key);
  } finally {
    await node.unlink(...keys);
  }
}

interface LedgerTest {
  readonly partition: string;
  readonly payer: ReturnType<typeof testPayer>;
  readonly requestIds: readonly string[];
  /** By the clock of Redis. */
  readonly nowMs: number;
  readonly closedMemoryMs: number;
}

async function useLedger(node: Redis, test: LedgerTest): Promise<void> {
  const { partition, payer, closedMemoryMs } = test;
  const [settled = '', released = ''] = test.requestIds;
  const payerText = encodePayer(payer).text.replace(/^\{p\d\d\}/, `{p${partition}}`);
  // The key of the account's hash (lua/payer.lua).
  const account = payerText.slice(0, 44);
  const row = `;k${payer.key.id},0,0,0,0,0`;
  const hold = { payer, amountNanoUsd: USD, minimumNanoUsd: 1, tokens: 1, ttlMs: 60_000 };
  const extend = { extension: 1, amountNanoUsd: 1, minimumNanoUsd: 1, ttlMs: 60_000 };
  const record = JSON.stringify(testRecord(payer, settled, test.nowMs));
  const settle = { requestId: settled, payer, actualNanoUsd: 1, tokens: 1, recordJson: record };
  const credit = { entryId: '', accountId: payer.account.id, sequence: 1, amountNanoUsd: USD };
  const calls: readonly (readonly [reply: RegExp, ...call: string[]])[] = [
    [/^l$/, encodeLoad({ epoch: 1, creditSequence: 1, balanceNanoUsd: 2 * USD }), account + row],
    [/^h/, encodeHold({ ...hold, requestId: settled }), payerText],
    [/^x/, encodeExtend({ ...extend, requestId: settled, payer }), payerText],
    [/^[sS]1/, encodeSettle(settle, 1), payerText, record],
    [/^h/, encodeHold({ ...hold, requestId: released }), payerText],
    [/^r$/, encodeRelease({ requestId: released, accountId: payer.account.id }), account],
    [/^e/, encodeCredit({ ...credit, holdId: null }), account],
    [/^a1999999999,0,0,/, encodeAccountState(), account],
    [/^x/, `x${partition}10`],
    [/^w1,/, `w${partition}`],
  ];
  const batch = batchFunction({ hotMs: HOT_MS, closedMemoryMs });
  const args = ['0', ...calls.flatMap(([, ...call]) => call)];
  const reply = await callFunction(node, batch, [`{p${partition}}:epoch`], args);
  const lines = typeof reply === 'string' ? reply.split('\n').slice(1) : [];
  for (const [index, [expected, head = '']] of calls.entries()) {
    const line = lines[index] ?? '';
    if (line.startsWith('E')) throw new Error(line.slice(1));
    if (!expected.test(line)) {
      throw new SelfTestFailure('Redis', `the ledger answered "${line}" to "${head.slice(0, 1)}"`);
    }
  }
}

/**
 * Each command once by itself: many are sent only when a request is old, a process has died or a
 * script is not known yet, long after the start.
 */
const EACH: Readonly<Record<RedisCommand, (key: (name: string) => string) => readonly string[]>> = {
  append: (key) => [key('epoch'), '0'],
  decrby: (key) => [key('joined'), '1'],
  del: (key) => [key('epoch')],
  eval: () => ['return 1', '0'],
  evalsha: () => [],
  exists: (key) => [key('swept')],
  fcall: () => [],
  'function|load': () => [],
  get: (key) => [key('epoch')],
  hdel: (key) => [key('a:'), 'a'],
  hget: (key) => [key('a:'), 'a'],
  hgetall: (key) => [key('a:')],
  hmget: (key) => [key('a:'), 'a'],
  hscan: (key) => [key('a:'), '0'],
  hset: (key) => [key('a:'), 'a', ''],
  hsetnx: (key) => [key('a:'), 'a', ''],
  incrby: (key) => [key('joined'), '1'],
  pexpireat: (key) => [key('epoch'), '0'],
  ping: () => [],
  scan: () => ['0', 'MATCH', '{p*', 'COUNT', '1'],
  select: () => [],
  set: (key) => [key('epoch'), '1', 'NX'],
  setnx: (key) => [key('swept'), '1'],
  setrange: (key) => [key('epoch'), '0', '1'],
  time: () => [],
  unlink: (key) => [key('epoch')],
  xadd: (key) => [key('usage'), '*', 'r', ''],
  xdel: (key) => [key('usage'), '0-1'],
  xlen: (key) => [key('usage')],
  xrange: (key) => [key('usage'), '-', '+'],
  xtrim: (key) => [key('usage'), 'MAXLEN', '0'],
  zadd: (key) => [key('x'), '0', ''],
  zrangebyscore: (key) => [key('x'), '0', '0'],
  zrem: (key) => [key('x'), ''],
};

/** Sent in another way: with their scripts, and with the number of the database. */
const SENT_BEFORE: ReadonlySet<RedisCommand> = new Set(['evalsha', 'fcall']);

async function sendEach(node: Redis, key: (name: string) => string): Promise<void> {
  for (const command of REDIS_COMMANDS) {
    if (SENT_BEFORE.has(command)) continue;
    if (command === 'function|load') await loadFunction(node);
    else if (command === 'select') await node.select(node.options.db ?? 0);
    else await node.call(command, ...EACH[command](key));
  }
}

/** A library whose code says nothing: it is refused, but only to users who may load one. */
async function loadFunction(node: Redis): Promise<void> {
  await node.call('FUNCTION', 'LOAD', NO_LIBRARY).catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.includes('Missing library metadata'))
      throw error;
  });
}
const NO_LIBRARY = '-- self-test';

/** Reads the settled record and deletes it, as the drain does. */
async function drain(node: Redis, partition: string): Promise<void> {
  const keys = [`{p${partition}}:epoch`];
  const found = await callScript(node, READ, keys, [
    'self-test',
    '5000',
    '-60000',
    '10',
    partition,
  ]);
  const [waiting, , , , , , newest] = Array.isArray(found) ? (found as unknown[]) : [];
  if (waiting !== 1) throw new SelfTestFailure('Redis', 'a settled record cannot be read');
  const drained = await callScript(
    node,
    FORGET,
    ['usage', 'drain', 'joined', 'entered'].map((name) => `{p${partition}}:${name}`),
    ['self-test', String(newest), '1', '1', '1'],
  );
  if (drained !== 1) throw new SelfTestFailure('Redis', 'a settled record cannot be deleted');
}
