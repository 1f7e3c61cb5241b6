import type { AlertKind } from '@weir/shared/watch/alerts';
import { Id } from '@weir/shared/api/wire-values';
import { matchesSchema } from '../../core/api/matches-schema';

export interface SubjectLink {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Before an alert: what it is about began earlier. */
const BEFORE_MS = 3_600_000;
const AFTER_MS = 300_000;

/** The requests of a time: around a moment, or those of the last hour. */
function timeOf(at: string | null): Record<string, string> {
  if (at === null) return { range: 'hour' };
  const atMs = Date.parse(at);
  return {
    from: new Date(atMs - BEFORE_MS).toISOString(),
    to: new Date(atMs + AFTER_MS).toISOString(),
  };
}

/**
 * The page that shows what an alert is about. For channels and errors these are the requests behind
 * it, of which each leads to the upstream's words. Null where nothing is to be shown.
 * @param at When the alert was sent; null for what fires now.
 */
export function subjectLink(
  kind: AlertKind | null,
  subject: string,
  at: string | null,
): SubjectLink | null {
  const channel = matchesSchema(Id, subject) ? { channel: subject } : {};
  switch (kind) {
    case 'channel_failing':
    case 'error_rate':
      return { path: '/admin/requests', query: { outcome: 'failed', ...channel, ...timeOf(at) } };
    case 'first_token_slow':
      return { path: '/admin/requests', query: { ...channel, ...timeOf(at) } };
    case 'customer_balance':
      return { path: `/admin/accounts/${subject}`, query: {} };
    case 'upstream_balance':
      return { path: `/admin/channels/${subject}`, query: {} };
    case 'registration_wave':
      return { path: '/admin/accounts', query: {} };
    case 'refund_waiting':
      return { path: '/admin/orders', query: {} };
    case 'store_problem':
      return { path: '/admin/overview', query: {} };
    case 'drain_lag':
    case 'job_not_run':
    case 'spend_anomaly':
      return { path: '/admin/operations', query: {} };
    case null:
      return null;
  }
}
