import * as Type from 'typebox';
import type { Static } from 'typebox';
import { listOf } from './pages.ts';
import { choice, closed, Id, Instant, nullable } from './wire-values.ts';

/** The vendors whose API tells what is left on an account. */
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
/** What a channel may be set to: `none` does not ask. */
export const BALANCE_API_CHOICES = [...BALANCE_APIS, 'none'] as const;
export type BalanceApiChoice = (typeof BALANCE_API_CHOICES)[number];

export const BALANCE_CURRENCIES = ['USD', 'CNY'] as const;
export type BalanceCurrency = (typeof BALANCE_CURRENCIES)[number];

/** What is left at a channel's upstream, as far as it tells. */
export const UpstreamBalanceView = closed({
  channelId: Id,
  api: choice(BALANCE_APIS),
  /** Of the credential with the least; null before it was first read. */
  balance: nullable(
    Type.String({
      pattern: '^-?\\d{1,8}(\\.\\d{1,9})?$',
      description: 'An amount in the upstream’s own currency.',
    }),
  ),
  currency: nullable(choice(BALANCE_CURRENCIES)),
  /** When the balance was read. */
  readAt: nullable(Instant),
  /** Why the last attempt failed; null when it did not. */
  error: nullable(Type.String()),
  /** When it was last tried; null when not yet. */
  askedAt: nullable(Instant),
});
export type UpstreamBalanceView = Static<typeof UpstreamBalanceView>;
export const UpstreamBalanceList = listOf(UpstreamBalanceView);
export type UpstreamBalanceList = Static<typeof UpstreamBalanceList>;
