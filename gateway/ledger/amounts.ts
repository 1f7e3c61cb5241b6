import { NANO_USD_MAX } from '@weir/shared/money/money';
import type { ExtendRequest, HoldRequest, SettleRequest } from './ledger.ts';

function assertCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > NANO_USD_MAX) {
    throw new RangeError(`${name} must be a whole number from 0 to 2^53 - 1, not ${value}`);
  }
}

function assertRange(amountNanoUsd: number, minimumNanoUsd: number): void {
  assertCount('amountNanoUsd', amountNanoUsd);
  assertCount('minimumNanoUsd', minimumNanoUsd);
  if (minimumNanoUsd > amountNanoUsd) {
    throw new RangeError(
      `minimumNanoUsd ${minimumNanoUsd} is above amountNanoUsd ${amountNanoUsd}`,
    );
  }
}

// The stores would silently round a fraction or an amount beyond 2^53.

export function assertHold(request: HoldRequest): void {
  assertRange(request.amountNanoUsd, request.minimumNanoUsd);
  assertCount('tokens', request.tokens);
  assertCount('ttlMs', request.ttlMs);
}

export function assertExtend(request: ExtendRequest): void {
  assertRange(request.amountNanoUsd, request.minimumNanoUsd);
  assertCount('extension', request.extension);
  assertCount('ttlMs', request.ttlMs);
}

export function assertSettle(request: SettleRequest): void {
  assertCount('actualNanoUsd', request.actualNanoUsd);
  assertCount('tokens', request.tokens);
}
