import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../simulator/random.ts';
import type { FaultGround } from './fault-ground.ts';
import type { GatewaySlot } from './gateway-slot.ts';

/**
 *   gateway         one of two gateway processes
 *   postgres        PostgreSQL's postmaster
 *   redis           Redis, whose append-only file stays as it is
 *   redis_tail      Redis, and its append-only file loses what was written just before
 *   redis_emptied   Redis, and all of its data
 */
export const FAULT_KINDS = ['gateway', 'postgres', 'redis', 'redis_tail', 'redis_emptied'] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** What is killed in one round, one after the other. */
export type Plan = readonly { readonly kind: FaultKind; readonly afterMs: number }[];

const KILL_AFTER_MS_MAX = 900;
const DOWN_MS_MAX = 500;
/**
 * A server most often hangs before somebody kills it; what was sent to it meanwhile has an unknown
 * fate.
 */
const HANGS_FIRST = 0.3;
const HANG_MS_MAX = 1_500;
/** Having gone on, it does what had gathered, and dies in the midst of that. */
const GOES_ON = 0.5;
const GOES_ON_MS_MAX = 20;
const SECOND_KILL = 0.3;
/** `appendfsync everysec` may lose what was written in the last two seconds. */
const TAIL_MS_MAX = 1_900;

/**
 * One kill or two. A gateway that is killed takes with it what it keeps for the case that Redis
 * loses something: only together with Redis' loss that may cost a bill, and nobody promises
 * otherwise. So no round kills both.
 */
export function planRound(
  random: Random,
  { kinds, killsMax }: { readonly kinds: readonly FaultKind[]; readonly killsMax: number },
): Plan {
  const first = random.pick(kinds);
  const afterMs = random.between(0, KILL_AFTER_MS_MAX);
  if (killsMax < 2 || !random.chance(SECOND_KILL)) return [{ kind: first, afterMs }];
  const second = random.pick(kinds.filter((kind) => mayShareRound(first, kind)));
  return [
    { kind: first, afterMs },
    { kind: second, afterMs: random.between(0, KILL_AFTER_MS_MAX) },
  ];
}

function mayShareRound(first: FaultKind, second: FaultKind): boolean {
  return (first === 'gateway') === (second === 'gateway') || [first, second].includes('postgres');
}

/** Kills, waits a moment, and starts again. Answers what was done, in words. */
export async function strike(
  ground: FaultGround,
  kind: FaultKind,
  random: Random,
): Promise<string> {
  const downMs = random.between(0, DOWN_MS_MAX);
  const lostMs = random.between(0, TAIL_MS_MAX);
  const gateway = random.pick(ground.gateways);
  switch (kind) {
    case 'gateway':
      return strikeGateway(gateway, downMs);
    case 'postgres':
      await hang(ground.postgres, random);
      await ground.postgres.kill();
      await sleep(downMs);
      await ground.postgres.restart();
      return `postgres, down for ${downMs} ms`;
    case 'redis':
      await hang(ground.redis, random);
      await ground.redis.kill();
      await sleep(downMs);
      await ground.redis.restart();
      return `redis, down for ${downMs} ms`;
    case 'redis_tail': {
      await hang(ground.redis, random);
      await ground.redis.kill();
      const bytes = ground.appendLog.cut(lostMs);
      await ground.redis.restart();
      return `redis, lost its last ${lostMs} ms (${bytes} bytes)`;
    }
    case 'redis_emptied':
      await hang(ground.redis, random);
      await ground.redis.kill();
      ground.appendLog.remove();
      await sleep(downMs);
      await ground.redis.restart();
      return `redis, lost everything, down for ${downMs} ms`;
  }
}

async function hang(
  server: { pause: () => void; resume: () => void },
  random: Random,
): Promise<void> {
  if (!random.chance(HANGS_FIRST)) return;
  server.pause();
  await sleep(random.between(0, HANG_MS_MAX));
  if (!random.chance(GOES_ON)) return;
  server.resume();
  await sleep(random.between(0, GOES_ON_MS_MAX));
}

async function strikeGateway(gateway: GatewaySlot, downMs: number): Promise<string> {
  await gateway.kill();
  await sleep(downMs);
  const startMs = performance.now();
  await gateway.restart();
  return `${gateway.name}, started in ${((performance.now() - startMs) / 1_000).toFixed(1)} s`;
}
