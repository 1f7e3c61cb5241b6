import type { UsageStatus } from '@weir/shared/usage-record';
import type { PlainKey } from '../core/i18n/i18n';
import type { Tone } from '../design/text/chip';

/** How a request ended, in a word. */
export const RECORD_STATUS: Readonly<
  Record<UsageStatus, { readonly key: PlainKey; readonly tone: Tone }>
> = {
  completed: { key: 'record.completed', tone: 'good' },
  client_gone: { key: 'record.clientGone', tone: 'plain' },
  upstream_broke: { key: 'record.upstreamBroke', tone: 'warn' },
  ledger_away: { key: 'record.ledgerAway', tone: 'warn' },
  money_ran_out: { key: 'record.moneyRanOut', tone: 'warn' },
  failed: { key: 'record.failed', tone: 'bad' },
};
