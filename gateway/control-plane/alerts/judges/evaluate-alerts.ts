import { databaseNowMs } from '../../../platform/clock/store-clock.ts';
import type { AdminContext } from '../../api/context.ts';
import { inTransaction, type Database } from '../../api/transaction.ts';
import { insertDeliveries } from '../../deliveries/delivery-row.ts';
import { judgeRule } from './judge-rule.ts';
import { nextStates, type AlertState, type NextStates } from './next-states.ts';
import { findRule, readRules, type RuleRow } from '../rule-row.ts';
import type { Signals } from './signals.ts';
import { StoredSignals } from './stored-signals.ts';
import { readTargets, type TargetRow } from '../targets/target-row.ts';
import { recordEvent } from '../record-event.ts';

const STATES = `
  select subject, name, (extract(epoch from since) * 1000)::float8 as "sinceMs", told,
    (extract(epoch from told_at) * 1000)::float8 as "toldAtMs"
  from alert_states where rule_id = $1`;

const FORGET = 'delete from alert_states where rule_id = $1';
const REMEMBER = `
  insert into alert_states (rule_id, subject, name, since, told, told_at)
  select $1, s.subject, s.name, to_timestamp(s."sinceMs" / 1000), s.told, to_timestamp(s."toldAtMs" / 1000)
  from jsonb_to_recordset($2::jsonb) as s(subject text, name text, "sinceMs" float8, told boolean, "toldAtMs" float8)`;

async function readStates(db: Database, ruleId: string): Promise<AlertState[]> {
  return (await db.query<AlertState>(STATES, [ruleId])).rows;
}

/** The targets of a rule that are not disabled; all of them where it names none. */
async function targetsOf(db: Database, { targetIds }: RuleRow): Promise<TargetRow[]> {
  return (await readTargets(db)).filter(
    ({ id, status }) => status === 'active' && (targetIds.length === 0 || targetIds.includes(id)),
  );
}

async function notify(
  db: Database,
  context: AdminContext,
  rule: RuleRow,
  { fired, resolved }: NextStates,
): Promise<void> {
  if (fired.length === 0 && resolved.length === 0) return;
  const targets = await targetsOf(db, rule);
  const news = { rule, ruleId: rule.id };
  for (const [kind, subjects] of [
    ['fired', fired],
    ['resolved', resolved],
  ] as const) {
    if (subjects.length === 0) continue;
    const deliveries = await recordEvent(db, context, { ...news, kind, subjects }, targets);
    await insertDeliveries(db, deliveries);
    context.logger.warn(
      { rule: rule.name, kind, subjects: subjects.length, targets: targets.length },
      'an alert',
    );
  }
}

/**
 * Judges one rule. Its messages and its states are written in one transaction, so nothing is
 * reported twice.
 */
async function evaluateRule(
  context: AdminContext,
  signals: Signals,
  { id, terms, kind }: RuleRow,
): Promise<void> {
  const { pool } = context;
  const known = await readStates(pool, id);
  const subjects = known.filter(({ sinceMs }) => sinceMs !== null).map(({ subject }) => subject);
  const findings = await judgeRule({ kind, terms }, { db: pool, signals, subjects });
  await inTransaction(pool, async (client) => {
    const rule = await findRule(client, id, { lock: true });
    // Disabled or deleted meanwhile.
    if (rule?.status !== 'active') return undefined;
    const { forMinutes, cooldownMinutes } = rule;
    const pace = { forMinutes, cooldownMinutes, nowMs: databaseNowMs() };
    const states = await readStates(client, id);
    const next = nextStates(states, findings, pace);
    if (states.length > 0) await client.query(FORGET, [id]);
    if (next.states.length > 0) await client.query(REMEMBER, [id, JSON.stringify(next.states)]);
    await notify(client, context, rule, next);
    return undefined;
  });
}

/** Judges every rule. One that breaks off keeps no other waiting. */
export async function evaluateAlerts(context: AdminContext): Promise<void> {
  const { pool, logger } = context;
  const signals = new StoredSignals(pool);
  let broken = 0;
  for (const rule of await readRules(pool)) {
    if (rule.status !== 'active') continue;
    try {
      await evaluateRule(context, signals, rule);
    } catch (error) {
      broken += 1;
      logger.error({ err: error, rule: rule.name }, 'an alert rule could not be judged');
    }
  }
  // The job has not succeeded, and its lateness shows it.
  if (broken > 0) throw new Error(`${String(broken)} alert rules could not be judged`);
}
