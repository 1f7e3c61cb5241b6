import { randomUUID } from 'node:crypto';
import {
  ALERT_KINDS,
  ALERT_RULES_MAX,
  type AlertKind,
  type AlertRuleList,
  type AlertTerms,
} from '@weir/shared/watch/alerts';
import { refuse } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { NOTHING_CHANGED } from '../audit/audit-receipt.ts';
import type { MailLanguage } from '../mail/mails.ts';
import { readRules, ruleView, type RuleRow } from './rule-row.ts';
import { completeTerms } from './rule-terms.ts';

interface ReadyRule {
  /** Kept with the rule, so that it is added once, however it is changed afterwards. */
  readonly id: string;
  readonly kind: AlertKind;
  readonly terms: Partial<AlertTerms>;
  readonly forMinutes: number;
  readonly names: Readonly<Record<MailLanguage, string>>;
}

/** Events that an operator should know at once. Operators adapt the limits to their traffic. */
const READY_RULES: readonly ReadyRule[] = [
  {
    ...{ id: 'channel-failing', kind: 'channel_failing', terms: {}, forMinutes: 2 },
    names: { en: 'A channel fails', 'zh-CN': '渠道异常' },
  },
  {
    ...{ id: 'error-rate', kind: 'error_rate', terms: { percent: 5 }, forMinutes: 0 },
    names: { en: 'Many requests fail', 'zh-CN': '大量请求失败' },
  },
  {
    ...{ id: 'first-token-slow', kind: 'first_token_slow', terms: { firstTokenMs: 10_000 } },
    ...{ forMinutes: 5, names: { en: 'First tokens are slow', 'zh-CN': '首个 token 过慢' } },
  },
  {
    ...{ id: 'upstream-balance', kind: 'upstream_balance', terms: { belowUsd: '20' } },
    ...{ forMinutes: 0, names: { en: 'An upstream balance is low', 'zh-CN': '上游余额不足' } },
  },
  {
    ...{ id: 'spend-anomaly', kind: 'spend_anomaly', terms: { timesUsual: 5, overUsd: '10' } },
    ...{ forMinutes: 0, names: { en: 'Spend is unusual', 'zh-CN': '消费异常' } },
  },
  {
    ...{ id: 'store-problem', kind: 'store_problem', terms: {}, forMinutes: 1 },
    names: { en: 'A store or the ledger has a fault', 'zh-CN': '存储或账本出现故障' },
  },
  {
    ...{ id: 'drain-lag', kind: 'drain_lag', terms: { lagSeconds: 120 }, forMinutes: 0 },
    names: { en: 'Billing is late', 'zh-CN': '计费延迟' },
  },
  {
    ...{ id: 'job-not-run', kind: 'job_not_run', terms: {}, forMinutes: 0 },
    names: { en: 'A job is late', 'zh-CN': '定时任务延误' },
  },
  {
    ...{ id: 'refund-waiting', kind: 'refund_waiting', terms: {}, forMinutes: 0 },
    names: { en: 'A refund failed or waits', 'zh-CN': '退款失败或等待中' },
  },
  {
    ...{ id: 'registration-wave', kind: 'registration_wave', terms: { registrationsMin: 20 } },
    ...{ forMinutes: 0, names: { en: 'Many accounts register', 'zh-CN': '注册账户激增' } },
  },
];

const INSERT = `
  insert into alert_rules (id, name, kind, terms, for_minutes, ready) values ($1, $2, $3, $4, $5, $6)
  on conflict (ready) do nothing`;

function missingAmong(rules: readonly Pick<RuleRow, 'ready'>[]): readonly ReadyRule[] {
  const known = new Set(rules.map(({ ready }) => ready));
  return READY_RULES.filter(({ id }) => !known.has(id));
}

export function ruleList(rules: readonly RuleRow[]): AlertRuleList {
  return {
    data: rules.map(ruleView),
    kinds: [...ALERT_KINDS],
    readyMissing: missingAmong(rules).length,
  };
}

/** The name, or with a number where an operator has a rule of this name. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} (${String(number)})`;
  return free;
}

async function insertMissing(db: Database, language: MailLanguage): Promise<void> {
  const rules = await readRules(db);
  const taken = new Set(rules.map(({ name }) => name));
  for (const { id, kind, terms, forMinutes, names } of missingAmong(rules)) {
    const name = freeName(names[language], taken);
    taken.add(name);
    const complete = JSON.stringify(completeTerms(kind, terms));
    await db.query(INSERT, [randomUUID(), name, kind, complete, forMinutes, id]);
  }
}

/** Adds the ready-made rules that are missing. Pressed twice, it adds nothing. */
export function createReadyRules(
  call: Call<'createReadyAlertRules'>,
): Answer<'createReadyAlertRules'> {
  return inTransaction(call.context.pool, async (client) => {
    // Two operators press at once.
    await client.query('lock table alert_rules in share row exclusive mode');
    const before = await readRules(client);
    if (before.length + missingAmong(before).length > ALERT_RULES_MAX) {
      return refuse('limit_reached', `There may be ${String(ALERT_RULES_MAX)} rules.`);
    }
    await insertMissing(client, call.body.language);
    const after = await readRules(client);
    const known = new Set(before.map(({ id }) => id));
    const made = after.filter(({ id }) => !known.has(id));
    const view = ruleList(after);
    if (made.length === 0) return { view, audit: NOTHING_CHANGED };
    const change = { kind: 'alert_rule', id: 'ready', before: null, after: made.map(ruleView) };
    return { view, audit: await audit(client, call, change) };
  });
}
