import type {
  CreditEntry,
  ExtendRequest,
  HoldRequest,
  ReleaseRequest,
  SettleRequest,
} from '../../ledger.ts';
import { PARTITION_NAMES } from '../../partition.ts';
import type { HeadOf } from './command-table.ts';

// Heads of commands. Template strings, because they are built for every request: the formats of the
// table are checked by the compiler and by a test.

export function encodeHold(request: HoldRequest): HeadOf<'hold'> {
  const { requestId, amountNanoUsd, minimumNanoUsd, tokens, ttlMs } = request;
  return `h${requestId}${amountNanoUsd},${minimumNanoUsd},${tokens},${ttlMs}`;
}

export function encodeExtend(request: ExtendRequest): HeadOf<'extend'> {
  const { requestId, extension, amountNanoUsd, minimumNanoUsd, ttlMs } = request;
  return `e${requestId}${extension},${amountNanoUsd},${minimumNanoUsd},${ttlMs}`;
}

/** @param epoch the one in which the settle may be applied */
export function encodeSettle(request: SettleRequest, epoch: number): HeadOf<'settle'> {
  return `s${request.requestId}${request.actualNanoUsd},${request.tokens},${epoch}`;
}

export function encodeRelease({ requestId }: ReleaseRequest): HeadOf<'release'> {
  return `r${requestId}`;
}

export function encodeExpire(partition: number, limit: number): HeadOf<'expire'> {
  return `x${nameOf(partition)}${limit}`;
}

export function encodeCredit({ sequence, amountNanoUsd, holdId }: CreditEntry): HeadOf<'credit'> {
  return `c${sequence},${amountNanoUsd},${holdId ?? ''}`;
}

/** The state of an account in PostgreSQL, for a load. */
export interface LoadHead {
  readonly epoch: number;
  readonly creditSequence: number;
  readonly balanceNanoUsd: number;
}

export function encodeLoad({ epoch, creditSequence, balanceNanoUsd }: LoadHead): HeadOf<'load'> {
  return `l${epoch},${creditSequence},${balanceNanoUsd}`;
}

export function encodeAccountState(): HeadOf<'accountState'> {
  return 'a';
}

export function encodeWatch(partitions: readonly number[]): HeadOf<'watch'> {
  return `w${partitions.map(nameOf).join('')}`;
}

export function encodeProbe(partition: number, requestId: string): HeadOf<'probe'> {
  return `p${nameOf(partition)}${requestId}`;
}

function nameOf(partition: number): string {
  return PARTITION_NAMES[partition] ?? '';
}
