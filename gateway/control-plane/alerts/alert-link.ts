import type { AlertKind } from '@weir/shared/watch/alerts';
import type { AlertSubject } from './judges/next-states.ts';

/** Kinds of rules whose cause is in requests; their subjects are channels, or all requests. */
const OF_REQUESTS: ReadonlySet<AlertKind> = new Set([
  'channel_failing',
  'error_rate',
  'first_token_slow',
]);

/**
 * The page of the console that shows what an alert is about: the requests behind it, one click from
 * the upstream's words; else the alerts.
 */
export function alertLink(
  consoleUrl: string,
  news: {
    readonly rule: { readonly kind: AlertKind } | null;
    readonly subjects: readonly AlertSubject[];
  },
): string {
  const { rule, subjects } = news;
  if (rule === null || !OF_REQUESTS.has(rule.kind)) return `${consoleUrl}/admin/alerts`;
  const query = new URLSearchParams({ range: 'hour' });
  if (rule.kind !== 'first_token_slow') query.set('outcome', 'failed');
  const [subject] = subjects;
  const isChannel = subjects.length === 1 && subject !== undefined && subject.name !== '';
  if (isChannel) query.set('channel', subject.id);
  return `${consoleUrl}/admin/requests?${query.toString()}`;
}
