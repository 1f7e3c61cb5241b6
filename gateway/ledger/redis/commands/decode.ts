import {
  type AccountState,
  type CreditOutcome,
  type ExtendOutcome,
  HOLD_REFUSALS,
  type HoldOutcome,
  type HoldRequest,
  isBudgetRefusal,
  type LedgerUnavailable,
  type ReleaseOutcome,
  type SettleOutcome,
  type SettleRequest,
} from '../../ledger.ts';
import { unavailable } from '../transport/call.ts';

/**
 * Replies of the script as outcomes (command-table.ts). Any other line, "E…" above all, is a broken
 * invariant in the store; the call has had no effect.
 */
function broken(line: string): LedgerUnavailable {
  return unavailable(`the script answered "${line}"`);
}

function numbersAfter(line: string, from: number): number[] {
  return line.slice(from).split(',').map(Number);
}

export function decodeHold(line: string, request: HoldRequest): HoldOutcome {
  const rest = line.slice(1);
  switch (line[0]) {
    case 'h':
      return { code: 'held', heldNanoUsd: rest === '' ? request.amountNanoUsd : Number(rest) };
    case 'e':
      return { code: 'exists', heldNanoUsd: Number(rest) };
    case 'R': {
      const [number = 0, wait = -1, affordable = 0] = numbersAfter(line, 1);
      const code = HOLD_REFUSALS[number];
      if (code === undefined) return broken(line);
      return {
        code,
        retryAfterMs: wait < 0 ? null : wait,
        affordableNanoUsd: affordable,
      };
    }
    default:
      return broken(line);
  }
}

export function decodeExtend(line: string): ExtendOutcome {
  const amount = Number(line.slice(1));
  switch (line[0]) {
    case 'x':
      return { code: 'extended', heldNanoUsd: amount };
    case 'e':
      return { code: 'exists', heldNanoUsd: amount };
    case 'f':
      return { code: 'hold_not_found' };
    case 'c':
      return { code: 'request_closed' };
    case 'b':
      return { code: 'insufficient_balance', affordableNanoUsd: amount };
    case 'k': {
      const [number = 0, affordable = 0] = numbersAfter(line, 1);
      const code = HOLD_REFUSALS[number];
      if (code === undefined || !isBudgetRefusal(code)) return broken(line);
      return { code, affordableNanoUsd: affordable };
    }
    default:
      return broken(line);
  }
}

/**
 * Reply to a settle: the outcome, the epoch in which it was applied, and which subscriptions have
 * paid.
 */
export interface SettledLine {
  readonly outcome: SettleOutcome;
  readonly epoch: number;
  /** ";<id>,<startedAtMs>,<amountNanoUsd>" each, the format of the usage stream. */
  readonly subscriptions: string;
}

const SETTLED_CODES = { s: 'settled', S: 'settled', l: 'settled_late', e: 'exists' } as const;
const SETTLED_LINE = /^([sSle])(\d+)(?:,(\d+),(\d+),(\d+)|([su]))?(;.*)?$/;

export function decodeSettle(line: string, request: SettleRequest): SettledLine {
  if (line === 'c') return { outcome: { code: 'request_closed' }, epoch: 0, subscriptions: '' };
  const whole = request.actualNanoUsd;
  // The common reply first: the balance has paid everything.
  if (line.charCodeAt(0) === 115) {
    return {
      outcome: settled('settled', whole, 0, 0),
      epoch: Number(line.slice(1)),
      subscriptions: '',
    };
  }
  const match = SETTLED_LINE.exec(line);
  if (match === null) return { outcome: broken(line), epoch: 0, subscriptions: '' };
  const [, letter, epoch, balance, subscription, uncollected, all, subscriptions = ''] = match;
  const code = SETTLED_CODES[letter as keyof typeof SETTLED_CODES];
  const outcome =
    all === undefined
      ? settled(code, Number(balance), Number(subscription), Number(uncollected))
      : settled(code, all === 's' ? whole : 0, all === 'u' ? whole : 0, 0);
  return { outcome, epoch: Number(epoch), subscriptions };
}

function settled(
  code: 'settled' | 'settled_late' | 'exists',
  balanceNanoUsd: number,
  subscriptionNanoUsd: number,
  uncollectedNanoUsd: number,
): SettleOutcome {
  return { code, balanceNanoUsd, subscriptionNanoUsd, uncollectedNanoUsd };
}

/** The epoch of the store, when a settle or a load was not applied because it names another one. */
export function decodeOtherEpoch(line: string): number | undefined {
  return line.startsWith('d') ? Number(line.slice(1)) : undefined;
}

const RELEASE_CODES = {
  r: 'released',
  e: 'exists',
  f: 'hold_not_found',
  c: 'request_closed',
} as const;

export function decodeRelease(line: string): ReleaseOutcome {
  switch (line) {
    case 'r':
    case 'e':
    case 'f':
    case 'c':
      return { code: RELEASE_CODES[line] };
    default:
      return broken(line);
  }
}

const CREDIT_CODES = { c: 'credited', e: 'exists', o: 'out_of_order' } as const;

export function decodeCredit(line: string): CreditOutcome {
  switch (line[0]) {
    case 'c':
    case 'e':
    case 'o':
      return { code: CREDIT_CODES[line[0]], sequence: Number(line.slice(1)) };
    case 'n':
      return { code: 'not_loaded', sequence: 0 };
    default:
      return broken(line);
  }
}

export function decodeAccountState(line: string, accountId: string): AccountState {
  if (!line.startsWith('a')) throw new Error(`the script answered "${line}"`);
  const [available = 0, held = 0, owed = 0, sequence = 0, inFlight = 0] = numbersAfter(line, 1);
  return {
    accountId,
    availableNanoUsd: available,
    heldNanoUsd: held,
    owedNanoUsd: owed,
    creditSequence: sequence,
    inFlight,
  };
}

/**
 * The outcome of a load. `stale`: a later credit has been applied, so Postgres must be read again.
 * `other_epoch`: the store has no epoch, or another one than Postgres.
 */
export type LoadOutcome = 'loaded' | 'stale' | 'other_epoch' | 'broken';

export function decodeLoad(line: string): LoadOutcome {
  if (line === 'l') return 'loaded';
  if (line === 't') return 'stale';
  return line === 'p' || decodeOtherEpoch(line) !== undefined ? 'other_epoch' : 'broken';
}

export interface SweptPartition {
  /** Holds that were closed. */
  readonly closed: number;
  /** Requests that were examined. */
  readonly looked: number;
  /** There are more to examine. */
  readonly more: boolean;
}

export function decodeExpire(line: string): SweptPartition {
  if (!line.startsWith('x')) throw new Error(`the script answered "${line}"`);
  const [closed = 0, looked = 0, more] = numbersAfter(line, 1);
  return { closed, looked, more: more === 1 };
}

/** `no_epoch`: the partition is lost or was never used. */
export function decodeProbe(line: string): 'held' | 'no_epoch' {
  if (line === 'p') return 'held';
  if (line === 'n') return 'no_epoch';
  throw new Error(`the script answered "${line}"`);
}

export interface WatchedPartition {
  /** Undefined: the partition is lost or was never used. */
  readonly epoch: number | undefined;
  /** Usage stream entries with an earlier time part are in Postgres. */
  readonly drainedMs: number;
  /** Usage records that are not in Postgres yet. */
  readonly records: number;
  /** Id of the newest entry that was inserted and deleted; empty when there is none. */
  readonly entered: string;
}

/** In the order of the request. */
export function decodeWatch(line: string): WatchedPartition[] {
  if (!line.startsWith('w')) throw new Error(`the script answered "${line}"`);
  return line
    .slice(1)
    .split(';')
    .map((partition) => {
      const [epoch = '', drainedMs, records, entered = ''] = partition.split(',');
      return {
        epoch: epoch === '' ? undefined : Number(epoch),
        drainedMs: Number(drainedMs),
        records: Number(records),
        entered,
      };
    });
}
