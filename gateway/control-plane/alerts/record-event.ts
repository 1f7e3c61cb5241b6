import type { AlertTargetKind, AlertKind } from '@weir/shared/watch/alerts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { AdminContext } from '../api/context.ts';
import type { Database } from '../api/transaction.ts';
import type { MailLanguage } from '../mail/mails.ts';
import { CHAT_SERVICES } from '../deliveries/chat-services.ts';
import type { NewDelivery } from '../deliveries/delivery-row.ts';
import { readSettings } from '../settings/read-settings.ts';
import { alertJson, alertSubject, alertText, chatText, type AlertNews } from './alert-words.ts';
import type { TargetRow } from './targets/target-row.ts';
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
function alertLink(
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

const INSERT_EVENT = `
  insert into alert_events (id, rule_id, rule_name, kind, subjects) values ($1, $2, $3, $4, $5)`;

type News = Pick<AlertNews, 'kind' | 'rule' | 'subjects'> & { readonly ruleId: string | null };

/**
 * Writes what happened into the log.
 * @returns the messages about it, which the caller sends or keeps to be sent
 */
export async function recordEvent(
  db: Database,
  context: Pick<AdminContext, 'consoleUrl'>,
  news: News,
  targets: readonly TargetRow[],
): Promise<readonly NewDelivery[]> {
  const eventId = newRequestId(Date.now());
  const { siteName } = await readSettings(db);
  const dated = { ...news, siteName, at: new Date(), link: alertLink(context.consoleUrl, news) };
  await db.query(INSERT_EVENT, [
    eventId,
    news.ruleId,
    news.rule?.name ?? '',
    news.kind,
    JSON.stringify(news.subjects),
  ]);
  return targets.map(({ id, kind, address, language }) => ({
    eventId,
    targetId: id,
    accountId: null,
    via: kind,
    address,
    subject: alertSubject(dated, language),
    body: bodyOf(kind, { eventId, dated, language }),
  }));
}

interface Message {
  readonly eventId: string;
  readonly dated: AlertNews & Pick<News, 'ruleId'>;
  readonly language: MailLanguage;
}

function bodyOf(kind: AlertTargetKind, { eventId, dated, language }: Message): string {
  if (kind === 'mail') return alertText(dated, language);
  if (kind === 'webhook') return alertJson(eventId, dated, language);
  return chatText(dated, language, CHAT_SERVICES[kind]);
}
