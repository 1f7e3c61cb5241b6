import type { BudgetView } from '@weir/shared/money/budgets';
import type { Mail } from '../mail/mailer.ts';
import type { MailLanguage } from '../mail/mails.ts';

/** The content of a notice for a customer; amounts are decimal USD. */
export type NoticeNews =
  | { readonly kind: 'low_balance'; readonly balanceUsd: string; readonly thresholdUsd: string }
  | {
      readonly kind: 'key_budget';
      readonly keyName: string;
      readonly period: 'total' | 'day' | 'month';
      readonly spentUsd: string;
      readonly budgetUsd: string;
    }
  | {
      readonly kind: 'shared_budget';
      readonly scope: BudgetView['kind'];
      /** Of the account or team; the e-mail address of a member. */
      readonly name: string;
      readonly period: 'total' | 'day' | 'month';
      readonly spentUsd: string;
      readonly budgetUsd: string;
    }
  | {
      readonly kind: 'plan_ending';
      readonly planName: string;
      readonly endsAt: Date;
      /** It would renew, and the balance does not cover the price. */
      readonly unpaidUsd: string | null;
    };

type NewsOf<Kind extends NoticeNews['kind']> = Extract<NoticeNews, { readonly kind: Kind }>;

interface Words<News> {
  readonly subject: (site: string, news: News) => string;
  readonly text: (site: string, news: News) => string;
}

/** `2026-11-28 12:00 UTC`: no zone of the reader is known. */
function momentOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const PERIODS = {
  en: { total: 'budget', day: 'budget of the day', month: 'budget of the month' },
  'zh-CN': { total: '总预算', day: '每日预算', month: '每月预算' },
} as const;

const SCOPES = {
  en: { account: 'account', team: 'team', member: 'member' },
  'zh-CN': { account: '账户', team: '团队', member: '成员' },
} as const;

type AllWords = { readonly [Kind in NoticeNews['kind']]: Words<NewsOf<Kind>> };

const ENGLISH: AllWords = {
  low_balance: {
    subject: (site) => `Your balance at ${site} is low`,
    text: (site, { balanceUsd, thresholdUsd }) =>
      `Your balance at ${site} is $${balanceUsd}, below the $${thresholdUsd} that you set. When it is used up, requests are refused.\n\nTop up here:`,
  },
  key_budget: {
    subject: (site, { keyName }) => `The budget of your key "${keyName}" at ${site}`,
    text: (site, { keyName, period, spentUsd, budgetUsd }) =>
      `Your key "${keyName}" at ${site} has used $${spentUsd} of its ${PERIODS.en[period]} of $${budgetUsd}. Requests that it does not cover are refused.\n\nChange the budget here:`,
  },
  shared_budget: {
    subject: (site, { scope, name }) =>
      `The budget of the ${SCOPES.en[scope]} "${name}" at ${site}`,
    text: (site, { scope, name, period, spentUsd, budgetUsd }) =>
      `The ${SCOPES.en[scope]} "${name}" at ${site} has used $${spentUsd} of its ${PERIODS.en[period]} of $${budgetUsd}. Requests that it does not cover are refused.\n\nChange the budget here:`,
  },
  plan_ending: {
    subject: (site, { planName }) => `Your plan "${planName}" at ${site} is about to end`,
    text: (site, { planName, endsAt, unpaidUsd }) =>
      unpaidUsd === null
        ? `Your plan "${planName}" at ${site} ends on ${momentOf(endsAt)}, and renewal is off.\n\nRenew it here:`
        : `Your plan "${planName}" at ${site} ends on ${momentOf(endsAt)}. It would renew for $${unpaidUsd}, which your balance does not cover.\n\nTop up here:`,
  },
};

const CHINESE: AllWords = {
  low_balance: {
    subject: (site) => `你在 ${site} 的余额不足`,
    text: (site, { balanceUsd, thresholdUsd }) =>
      `你在 ${site} 的余额为 $${balanceUsd}，低于你设置的 $${thresholdUsd}。余额用完后，请求会被拒绝。\n\n请在此充值：`,
  },
  key_budget: {
    subject: (site, { keyName }) => `你在 ${site} 的密钥“${keyName}”的预算`,
    text: (site, { keyName, period, spentUsd, budgetUsd }) =>
      `你在 ${site} 的密钥“${keyName}”已使用 $${spentUsd}，${PERIODS['zh-CN'][period]}为 $${budgetUsd}。超出预算的请求会被拒绝。\n\n请在此修改预算：`,
  },
  shared_budget: {
    subject: (site, { scope, name }) => `${site} 的${SCOPES['zh-CN'][scope]}“${name}”的预算`,
    text: (site, { scope, name, period, spentUsd, budgetUsd }) =>
      `${site} 的${SCOPES['zh-CN'][scope]}“${name}”已使用 $${spentUsd}，${PERIODS['zh-CN'][period]}为 $${budgetUsd}。超出预算的请求会被拒绝。\n\n请在此修改预算：`,
  },
  plan_ending: {
    subject: (site, { planName }) => `你在 ${site} 的套餐“${planName}”即将到期`,
    text: (site, { planName, endsAt, unpaidUsd }) =>
      unpaidUsd === null
        ? `你在 ${site} 的套餐“${planName}”将于 ${momentOf(endsAt)} 到期，且未开启续订。\n\n请在此续订：`
        : `你在 ${site} 的套餐“${planName}”将于 ${momentOf(endsAt)} 到期。续订需要 $${unpaidUsd}，你的余额不足。\n\n请在此充值：`,
  },
};

const PATHS: Readonly<Record<NoticeNews['kind'], string>> = {
  low_balance: '/billing',
  key_budget: '/keys',
  shared_budget: '/members/budgets',
  plan_ending: '/billing/plans',
};

const FOOT = {
  en: 'Choose your notices here:',
  'zh-CN': '在此设置接收哪些通知：',
} as const;

/** Kind and words belong together; one function per kind keeps the types of both. */
function wordsOf<Kind extends NoticeNews['kind']>(
  all: AllWords,
  site: string,
  news: NewsOf<Kind> & { readonly kind: Kind },
): { readonly subject: string; readonly text: string } {
  const words: Words<NewsOf<Kind>> = all[news.kind];
  return { subject: words.subject(site, news), text: words.text(site, news) };
}

export function writeNotice(
  news: NoticeNews,
  options: {
    readonly to: string;
    readonly siteName: string;
    readonly language: MailLanguage | null;
    readonly consoleUrl: string;
  },
): Mail {
  const { to, siteName, consoleUrl } = options;
  const language = options.language ?? 'en';
  const { subject, text } = wordsOf(language === 'en' ? ENGLISH : CHINESE, siteName, news);
  const link = `${consoleUrl}${PATHS[news.kind]}`;
  return {
    to,
    // A line break in a name must not become a header of its own.
    subject: subject.replace(/[\r\n]+/g, ' '),
    text: `${text}\n${link}\n\n${FOOT[language]}\n${consoleUrl}/account/notices\n`,
    link,
  };
}
