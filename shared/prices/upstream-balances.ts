import * as Type from 'typebox';
import type { Static } from 'typebox';
import { listOf } from '../api/pages.ts';
import { choice, closed, Id, Instant, nullable } from '../api/wire-values.ts';

/** The vendors whose API reports what is left on an account. */
export const BALANCE_APIS = [
  'openrouter',
  'deepseek',
  'siliconflow',
  'siliconflow-cn',
  'moonshot',
  'moonshot-cn',
  'novita',
] as const;
export type BalanceApi = (typeof BALANCE_APIS)[number];
/** The settings of a channel: `none` does not ask. */
export const BALANCE_API_CHOICES = [...BALANCE_APIS, 'none'] as const;
export type BalanceApiChoice = (typeof BALANCE_API_CHOICES)[number];

export const BALANCE_CURRENCIES = ['USD', 'CNY'] as const;
export type BalanceCurrency = (typeof BALANCE_CURRENCIES)[number];

/** The balance left at a channel's upstream, as far as it reports one. */
export const UpstreamBalanceView = closed({
  channelId: Id,
  api: choice(BALANCE_APIS),
  /** The balance of the credential with the least; null before it was first read. */
  balance: nullable(
    Type.String({
      pattern: '^-?\\d{1,8}(\\.\\d{1,9})?$',
      description: 'An amount in the upstream’s own currency.',
    }),
  ),
  currency: nullable(choice(BALANCE_CURRENCIES)),
  /** The time at which the balance was read. */
  readAt: nullable(Instant),
  /** The error of the last attempt; null if it succeeded. */
  error: nullable(Type.String()),
  /** The time of the last attempt; null if there was none. */
  askedAt: nullable(Instant),
});
export type UpstreamBalanceView = Static<typeof UpstreamBalanceView>;
export const UpstreamBalanceList = listOf(UpstreamBalanceView);
export type UpstreamBalanceList = Static<typeof UpstreamBalanceList>;
