import type { ErrorCode } from '@weir/shared/error-catalogue';

/**
 * Why a reply that is under way may not go on: nothing covers more of it. The client is told so by
 * this code.
 */
export type StopCode = Extract<
  ErrorCode,
  'insufficient_balance' | `${string}_budget_exceeded` | 'ledger_unavailable'
>;

/**
 * Why a reply ends before its upstream does. Who has had all that was asked for is told no error.
 */
export type StopReason = StopCode | 'output_limit';
