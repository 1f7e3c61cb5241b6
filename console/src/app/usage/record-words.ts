import type { UsageStatus } from '@weir/shared/usage-record';
import type { PlainKey } from '../core/i18n/i18n';
import type { Tone } from '../design/text/chip';

/** Texts for the ends of requests. */
export const RECORD_STATUS: Readonly<
  Record<UsageStatus, { readonly key: PlainKey; readonly tone: Tone }>
> = {
  completed: { key: 'record.completed', tone: 'good' },
  client_disconnected: { key: 'record.clientDisconnected', tone: 'plain' },
  upstream_disconnected: { key: 'record.upstreamDisconnected', tone: 'warn' },
  ledger_unavailable: { key: 'record.ledgerUnavailable', tone: 'warn' },
  funds_exhausted: { key: 'record.fundsExhausted', tone: 'warn' },
  failed: { key: 'record.failed', tone: 'bad' },
};
