import type { ALERT_EVENT_KINDS, AlertKind } from '@weir/shared/watch/alerts';
import type { MailLanguage } from '../mail/mails.ts';
import type { AlertSubject } from './judges/next-states.ts';

type EventKind = (typeof ALERT_EVENT_KINDS)[number];

/** The event that a message reports. */
export interface AlertNews {
  readonly kind: EventKind;
  readonly siteName: string;
  /** Null for a test. */
  readonly rule: { readonly name: string; readonly kind: AlertKind } | null;
  readonly subjects: readonly AlertSubject[];
  readonly at: Date;
  /** The address of the console's page. */
  readonly link: string;
}

/** The way in which a service shows texts. */
export interface TextForm {
  readonly charactersMax: number;
  /** A name or value as the service shows it unchanged. */
  plain(text: string): string;
}

/** For mail and for our own webhooks. */
export const PLAIN_FORM: TextForm = { charactersMax: Infinity, plain: (text) => text };

/** Named in one message; the log has all. */
const SUBJECTS_MAX = 50;
/** Values of jobs are error messages. */
const LINE_CHARACTERS_MAX = 300;

interface Words {
  readonly subject: Readonly<Record<EventKind, (site: string, rule: string) => string>>;
  readonly happened: Readonly<Record<AlertKind, string>>;
  readonly over: Readonly<Record<AlertKind, string>>;
  readonly test: (site: string) => string;
  readonly more: (count: number) => string;
  readonly colon: string;
}

const WORDS: Readonly<Record<MailLanguage, Words>> = {
  en: {
    subject: {
      fired: (site, rule) => `[${site}] Alert: ${rule}`,
      resolved: (site, rule) => `[${site}] Resolved: ${rule}`,
      test: (site) => `[${site}] Test alert`,
    },
    happened: {
      channel_failing: 'A channel fails. Failed attempts of the last five minutes:',
      error_rate: 'Too many requests fail:',
      customer_balance: 'The balance of a customer is low:',
      upstream_balance: 'The balance at an upstream is low:',
      drain_lag: 'Billing is behind. Age of the oldest bill that waits:',
      job_not_run: 'A periodic job does not run:',
      registration_wave: 'Many accounts register. Registrations, and those of one network:',
      first_token_slow: 'First tokens are slow. 95 % of the requests have theirs within:',
      spend_anomaly: 'Spend is unusual. The last full hour, and the hourly mean of seven days:',
      store_problem: 'A store or clock has a fault:',
      refund_waiting: 'Refunds failed or wait for the payment provider:',
    },
    over: {
      channel_failing: 'The channel serves again. Failed attempts of the last five minutes:',
      error_rate: 'Fewer requests fail:',
      customer_balance: 'The balance of the customer is no longer low:',
      upstream_balance: 'The balance at the upstream is no longer low:',
      drain_lag: 'Billing has caught up. Age of the oldest bill that waits:',
      job_not_run: 'The periodic job runs again:',
      registration_wave: 'Fewer accounts register. Registrations, and those of one network:',
      first_token_slow: 'First tokens come in time again. 95 % of the requests have theirs within:',
      spend_anomaly: 'Spend is usual again. The last full hour, and the hourly mean of seven days:',
      store_problem: 'The fault of a store or clock is over:',
      refund_waiting: 'No refund failed or waits any longer:',
    },
    test: (site) => `This is a test. Alerts of ${site} arrive here.`,
    more: (count) => `and ${String(count)} more`,
    colon: ': ',
  },
  'zh-CN': {
    subject: {
      fired: (site, rule) => `[${site}] 告警：${rule}`,
      resolved: (site, rule) => `[${site}] 已恢复：${rule}`,
      test: (site) => `[${site}] 测试告警`,
    },
    happened: {
      channel_failing: '渠道异常。最近五分钟内失败的尝试：',
      error_rate: '失败的请求过多：',
      customer_balance: '客户余额不足：',
      upstream_balance: '上游余额不足：',
      drain_lag: '计费延迟。等待中的最早账单已等待：',
      job_not_run: '定时任务未运行：',
      registration_wave: '注册账户激增。注册数量及来自同一网络的数量：',
      first_token_slow: '首个 token 过慢。95% 的请求的首个 token 用时不超过：',
      spend_anomaly: '消费异常。最近一个整点小时的消费及七天内的每小时均值：',
      store_problem: '存储或时钟出现故障：',
      refund_waiting: '有退款失败或仍在等待支付服务商：',
    },
    over: {
      channel_failing: '渠道已恢复服务。最近五分钟内失败的尝试：',
      error_rate: '失败的请求已减少：',
      customer_balance: '客户余额已恢复：',
      upstream_balance: '上游余额已恢复：',
      drain_lag: '计费已赶上。等待中的最早账单已等待：',
      job_not_run: '定时任务已恢复运行：',
      registration_wave: '注册量已回落。注册数量及来自同一网络的数量：',
      first_token_slow: '首个 token 已恢复正常。95% 的请求的首个 token 用时不超过：',
      spend_anomaly: '消费已恢复正常。最近一个整点小时的消费及七天内的每小时均值：',
      store_problem: '存储或时钟的故障已解除：',
      refund_waiting: '已没有失败或等待中的退款：',
    },
    test: (site) => `这是一条测试消息。${site} 的告警会发送到这里。`,
    more: (count) => `另有 ${String(count)} 项`,
    colon: '：',
  },
};

/** The subject of a mail. A line break in a name must not become a header of its own. */
export function alertSubject({ kind, siteName, rule }: AlertNews, language: MailLanguage): string {
  const subject = WORDS[language].subject[kind](siteName, rule?.name ?? '');
  return subject.replace(/[\r\n]+/g, ' ');
}

export function alertText(
  news: AlertNews,
  language: MailLanguage,
  form: TextForm = PLAIN_FORM,
): string {
  const words = WORDS[language];
  const { kind, siteName, rule, subjects, at, link } = news;
  if (rule === null) return `${words.test(form.plain(siteName))}\n\n${link}\n`;
  const headline = (kind === 'resolved' ? words.over : words.happened)[rule.kind];
  const textOf = (count: number): string => {
    const lines = subjects.slice(0, count).map((subject) => lineOf(subject, words, form));
    if (subjects.length > count) lines.push(`- ${words.more(subjects.length - count)}`);
    return `${headline}\n${lines.join('\n')}\n\n${at.toISOString()}\n${link}\n`;
  };
  let count = Math.min(subjects.length, SUBJECTS_MAX);
  while (count > 0 && textOf(count).length > form.charactersMax) count -= 1;
  return textOf(count);
}

function lineOf({ name, value }: AlertSubject, words: Words, form: TextForm): string {
  const line = [name, value].filter((part) => part !== '').join(words.colon);
  const isLong = line.length > LINE_CHARACTERS_MAX;
  const shown = isLong ? `${line.slice(0, LINE_CHARACTERS_MAX).toWellFormed()}…` : line;
  return `- ${form.plain(shown)}`;
}

/** A message for a chat: the subject is its first line. */
export function chatText(news: AlertNews, language: MailLanguage, form: TextForm): string {
  const subject = form.plain(alertSubject(news, language));
  const charactersMax = form.charactersMax - subject.length - 1;
  return `${subject}\n${alertText(news, language, { ...form, charactersMax })}`;
}

/** The body of a webhook. `text` is for people; some chat services show it as it is. */
export function alertJson(
  eventId: string,
  news: AlertNews & { readonly ruleId: string | null },
  language: MailLanguage,
): string {
  const { kind, siteName, rule, subjects, at, link, ruleId } = news;
  return JSON.stringify({
    id: eventId,
    type: `alert.${kind}`,
    at: at.toISOString(),
    site: siteName,
    rule: rule === null ? null : { id: ruleId, name: rule.name, kind: rule.kind },
    subjects,
    text: `${alertSubject(news, language)}\n${alertText(news, language)}`,
    url: link,
  });
}
