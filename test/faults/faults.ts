import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerStore } from '../../gateway/ledger/ledger-store.ts';
import type { Random } from '../simulator/random.ts';
import type { FaultFixture } from './fault-fixture.ts';
import { POSTGRES_FAULTS } from './stores/postgres-faults.ts';
import { REDIS_FAULTS } from './stores/redis-faults.ts';

const FAULTS = { gateway: strikeGateway, ...POSTGRES_FAULTS, ...REDIS_FAULTS } as const;

/**
 *   gateway               one of two gateway processes is killed
 *   postgres              PostgreSQL's postmaster is killed
 *   postgres_restarted    PostgreSQL ends in good order, and starts
 *   postgres_crashed      one of its processes is killed, and it recovers by itself
 *   postgres_frozen       all of its processes stop for a while and go on
 *   sessions_ended        it ends Weir's sessions
 *   statements_cancelled  it cancels Weir's statements
 *   connections_cut       the second gateway's connections to it break
 *   connections_silent    the second gateway's connections to it swallow everything
 *   redis                 Redis is killed; its append-only file stays as it is
 *   redis_tail            Redis is killed, and its append-only file loses its end
 *   redis_emptied         Redis is killed, and loses all of its data
 */
export type FaultKind = keyof typeof FAULTS;

const POSTGRES_KINDS = Object.keys(POSTGRES_FAULTS) as (keyof typeof POSTGRES_FAULTS)[];
const REDIS_KINDS = Object.keys(REDIS_FAULTS) as (keyof typeof REDIS_FAULTS)[];

/** Kinds that take the ledger away, by the store that has it. */
const OF_LEDGER: Readonly<Record<LedgerStore, readonly FaultKind[]>> = {
  redis: REDIS_KINDS,
  postgres: POSTGRES_KINDS,
};

export const FAULT_KINDS: Readonly<Record<LedgerStore, readonly FaultKind[]>> = {
  redis: ['gateway', ...POSTGRES_KINDS, ...REDIS_KINDS],
  postgres: ['gateway', ...POSTGRES_KINDS],
};

/** The faults of one round, in order. */
export type Plan = readonly { readonly kind: FaultKind; readonly afterMs: number }[];

const STRIKE_AFTER_MS_MAX = 900;
const GATEWAY_DOWN_MS_MAX = 500;
const SECOND_FAULT = 0.3;

/**
 * One fault or two. A gateway that is killed takes with it the bills that it keeps while the ledger
 * is away, and what it keeps for the case that Redis loses something: only together with a fault of
 * the ledger that may cost a bill, and nobody promises otherwise. So no round has both.
 */
export function planRound(
  random: Random,
  options: {
    readonly store: LedgerStore;
    readonly kinds: readonly FaultKind[];
    readonly faultsMax: number;
  },
): Plan {
  const { store, kinds, faultsMax } = options;
  const first = random.pick(kinds);
  const afterMs = random.between(0, STRIKE_AFTER_MS_MAX);
  if (faultsMax < 2 || !random.chance(SECOND_FAULT)) return [{ kind: first, afterMs }];
  const second = random.pick(kinds.filter((kind) => !costBill([first, kind], store)));
  return [
    { kind: first, afterMs },
    { kind: second, afterMs: random.between(0, STRIKE_AFTER_MS_MAX) },
  ];
}

function costBill(kinds: readonly FaultKind[], store: LedgerStore): boolean {
  return kinds.includes('gateway') && kinds.some((kind) => OF_LEDGER[store].includes(kind));
}

/** Returns what was done, in words. */
export function strike(fixture: FaultFixture, kind: FaultKind, random: Random): Promise<string> {
  return FAULTS[kind](fixture, random);
}

async function strikeGateway({ gateways }: FaultFixture, random: Random): Promise<string> {
  const gateway = random.pick(gateways);
  await gateway.kill();
  await sleep(random.between(0, GATEWAY_DOWN_MS_MAX));
  const startMs = performance.now();
  await gateway.restart();
  return `${gateway.name}, started in ${((performance.now() - startMs) / 1_000).toFixed(1)} s`;
}
