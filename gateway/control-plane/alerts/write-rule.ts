import { randomUUID } from 'node:crypto';
import { ALERT_RULES_MAX, type AlertTerms } from '@weir/shared/watch/alerts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { given, setClause } from '../api/lists/column-list.ts';
import { inTransaction, isDuplicate, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { findRule, ruleView } from './rule-row.ts';
import { completeTerms, NO_TERMS, refuseTerms, sentTerms } from './rule-terms.ts';

const INSERT = `
  insert into alert_rules (id, name, kind, terms, for_minutes, cooldown_minutes, target_ids, status)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
const COUNT = 'select count(*)::integer as count from alert_rules';
const KNOWN_TARGETS = 'select count(*)::integer as count from alert_targets where id = any ($1)';
const FORGET_STATES = 'delete from alert_states where rule_id = $1';
const DELETE = 'delete from alert_rules where id = $1';

const COOLDOWN_MINUTES = 60;

export const NO_RULE = refuse('not_found', 'There is no such rule.');
const NAME_TAKEN = refuse('already_exists', 'There is a rule with this name.', { param: 'name' });

async function countIn(db: Database, text: string, values: unknown[] = []): Promise<number> {
  return (await db.query<{ count: number }>(text, values)).rows[0]?.count ?? 0;
}

/** Refuses targets that do not exist: a rule with no other targets would notify no one. */
async function refuseTargets(
  db: Database,
  targetIds: readonly string[] | undefined,
): Promise<Refusal | undefined> {
  if (targetIds === undefined || targetIds.length === 0) return undefined;
  const distinct = new Set(targetIds);
  if ((await countIn(db, KNOWN_TARGETS, [[...distinct]])) === distinct.size) return undefined;
  return refuse('invalid_value', 'There is no such target.', { param: 'targetIds' });
}

/** A name that is taken is only known once the row is written. */
async function refuseTaken<Result>(write: Promise<Result>): Promise<Result | Refusal> {
  try {
    return await write;
  } catch (error) {
    if (isDuplicate(error)) return NAME_TAKEN;
    throw error;
  }
}

export function createRule(call: Call<'createAlertRule'>): Answer<'createAlertRule'> {
  const { context, body } = call;
  const terms = completeTerms(body.kind, sentTerms(body));
  return refuseTaken(
    inTransaction(context.pool, async (client) => {
      const refused =
        refuseTerms(body.kind, terms) ?? (await refuseTargets(client, body.targetIds));
      if (refused !== undefined) return refused;
      if ((await countIn(client, COUNT)) >= ALERT_RULES_MAX) {
        return refuse('limit_reached', `There may be ${String(ALERT_RULES_MAX)} rules.`);
      }
      const id = randomUUID();
      await client.query(INSERT, [
        id,
        body.name.trim(),
        body.kind,
        JSON.stringify(terms),
        body.forMinutes ?? 0,
        body.cooldownMinutes ?? COOLDOWN_MINUTES,
        body.targetIds ?? [],
        body.status ?? 'active',
      ]);
      const made = await findRule(client, id);
      if (made === undefined) throw new Error('a rule that was made is gone');
      const after = ruleView(made);
      const change = { kind: 'alert_rule', id, before: null, after };
      return { view: after, audit: await audit(client, call, change) };
    }),
  );
}

export function updateRule(call: Call<'updateAlertRule'>): Answer<'updateAlertRule'> {
  const { context, body, params } = call;
  return refuseTaken(
    inTransaction(context.pool, async (client) => {
      const rule = await findRule(client, params.alertRuleId, { lock: true });
      if (rule === undefined) return NO_RULE;
      const before = ruleView(rule);
      const terms: AlertTerms = { ...NO_TERMS, ...rule.terms, ...sentTerms(body) };
      const refused =
        call.refuseStale(before) ??
        refuseTerms(rule.kind, terms) ??
        (await refuseTargets(client, body.targetIds));
      if (refused !== undefined) return refused;
      const { sql, values } = setClause(
        given([
          ['name', body.name?.trim()],
          ['terms', JSON.stringify(terms)],
          ['for_minutes', body.forMinutes],
          ['cooldown_minutes', body.cooldownMinutes],
          ['target_ids', body.targetIds],
          ['status', body.status],
        ]),
        2,
      );
      await client.query(`update alert_rules set ${sql} where id = $1`, [rule.id, ...values]);
      // Enabled again, it begins without what it had seen before.
      if (body.status === 'disabled') await client.query(FORGET_STATES, [rule.id]);
      const changed = await findRule(client, rule.id);
      if (changed === undefined) return NO_RULE;
      const after = ruleView(changed);
      const change = { kind: 'alert_rule', id: rule.id, before, after };
      return { view: after, audit: await audit(client, call, change) };
    }),
  );
}

export function deleteRule(call: Call<'deleteAlertRule'>): Answer<'deleteAlertRule'> {
  const { context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const rule = await findRule(client, params.alertRuleId, { lock: true });
    if (rule === undefined) return NO_RULE;
    await client.query(DELETE, [rule.id]);
    const change = { kind: 'alert_rule', id: rule.id, before: ruleView(rule), after: null };
    return { view: undefined, audit: await audit(client, call, change) };
  });
}
