import type { AlertFiring, AlertKind, AlertRuleView, AlertTerms } from '@weir/shared/watch/alerts';
import type { Database } from '../api/transaction.ts';
import { NO_TERMS } from './rule-terms.ts';

export interface RuleRow {
  readonly id: string;
  readonly name: string;
  readonly kind: AlertKind;
  readonly terms: AlertTerms;
  readonly forMinutes: number;
  readonly cooldownMinutes: number;
  readonly targetIds: readonly string[];
  readonly status: AlertRuleView['status'];
  /** The ready-made rule that it is. */
  readonly ready: string | null;
  readonly firing: readonly AlertFiring[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const SELECT = `
  select r.id, r.name, r.kind, r.terms, r.for_minutes as "forMinutes", r.cooldown_minutes as "cooldownMinutes",
    to_jsonb(r.target_ids) as "targetIds", r.status, r.ready, r.created_at as "createdAt", r.updated_at as "updatedAt",
    coalesce((select jsonb_agg(jsonb_build_object('subject', s.subject, 'name', s.name, 'since', s.since, 'told', s.told)
                               order by s.since, s.subject)
              from alert_states s where s.rule_id = r.id and s.since is not null), '[]') as firing
  from alert_rules r`;

export async function readRules(db: Database): Promise<RuleRow[]> {
  return (await db.query<RuleRow>(`${SELECT} order by r.name, r.id`)).rows;
}

export async function findRule(
  db: Database,
  ruleId: string,
  options: { readonly lock: boolean } = { lock: false },
): Promise<RuleRow | undefined> {
  const { rows } = await db.query<RuleRow>(
    `${SELECT} where r.id = $1 ${options.lock ? 'for update of r' : ''}`,
    [ruleId],
  );
  return rows[0];
}

export function ruleView(rule: RuleRow): AlertRuleView {
  const { terms, ready: _ready, createdAt, updatedAt, ...row } = rule;
  return {
    ...row,
    ...NO_TERMS,
    ...terms,
    targetIds: [...row.targetIds],
    firing: row.firing.map((firing) => ({
      ...firing,
      since: new Date(firing.since).toISOString(),
    })),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
