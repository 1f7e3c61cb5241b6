import type { ErrorCode } from '@weir/shared/api/error-catalogue';

/**
 * The reasons why a reply that is under way may not go on: nothing covers more of it. The client
 * gets it as this code.
 */
export type StopCode = Extract<
  ErrorCode,
  'insufficient_balance' | `${string}_budget_exceeded` | 'ledger_unavailable'
>;

/**
 * The reasons why a reply ends before its upstream does. A client that received everything it asked
 * for gets no error.
 */
export type StopReason = StopCode | 'output_limit';
