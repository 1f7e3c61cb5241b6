import type { AlertTargetKind } from '@weir/shared/watch/alerts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { AdminContext } from '../api/context.ts';
import type { Database } from '../api/transaction.ts';
import type { MailLanguage } from '../mail/mails.ts';
import { CHAT_SERVICES } from '../deliveries/chat-services.ts';
import type { NewDelivery } from '../deliveries/delivery-row.ts';
import { readSettings } from '../settings/read-settings.ts';
import { alertLink } from './alert-link.ts';
import { alertJson, alertSubject, alertText, chatText, type AlertNews } from './alert-words.ts';
import type { TargetRow } from './targets/target-row.ts';

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
