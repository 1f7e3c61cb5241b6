import type { AlertTerms } from '@weir/shared/watch/alerts';
import { decimalFromNanoUsd, nanoUsdFromDecimal } from '@weir/shared/money/money';
import type { Overview } from '@weir/shared/watch/overview';
import { onlyRow, type Database } from '../api/transaction.ts';
import { freshBalances } from '../upstream-balances/read-balances.ts';

type Needs = Overview['needs'];

/** A page that shows more is not read; the alerts have a list of their own. */
const ALERTS_MAX = 50;
/** The payment service confirms most refunds within seconds. */
const REFUND_MINUTES = 5;

/** Balances have entries of their own, and a rule that is disabled watches nothing. */
const ALERTS = `
  select r.id as "ruleId", r.name as "ruleName", r.kind, s.subject, s.name, s.since
  from alert_states s join alert_rules r on r.id = s.rule_id
  where s.since is not null and r.status = 'active' and r.kind <> 'upstream_balance'
    and s.since <= now() - make_interval(mins => r.for_minutes)
  order by s.since desc, r.name limit ${String(ALERTS_MAX)}`;

const BALANCE_RULES = `
  select terms from alert_rules where kind = 'upstream_balance' and status = 'active'`;

const NAMES = 'select id, name from channels where id = any ($1)';

const ORDERS = `
  select (select count(*)::integer from order_refunds
          where status = 'pending' and created_at < now() - make_interval(mins => $1)) as "openRefunds",
    (select count(*)::integer from orders where status = 'disputed') as "disputedOrders"`;

type AlertRow = Omit<Needs['alerts'][number], 'since'> & { readonly since: Date };

/** The highest threshold of the rules that watch a channel, in its own currency; 0 without one. */
function thresholdOf(channelId: string, rules: readonly AlertTerms[]): number {
  const thresholds = rules
    .filter((terms) => terms.channelId === null || terms.channelId === channelId)
    .map(({ belowUsd }) => (belowUsd === null ? 0 : (nanoUsdFromDecimal(belowUsd) ?? 0)));
  return Math.max(0, ...thresholds);
}

async function readLowBalances(db: Database): Promise<Needs['lowBalances']> {
  const { rows: rules } = await db.query<{ terms: AlertTerms }>(BALANCE_RULES);
  const terms = rules.map((rule) => rule.terms);
  const low = (await freshBalances(db)).filter(({ channelId, balanceNano }) => {
    // Used up counts as low without any rule.
    return balanceNano <= 0 || balanceNano < thresholdOf(channelId, terms);
  });
  const ids = low.map(({ channelId }) => channelId);
  const { rows } = await db.query<{ id: string; name: string }>(NAMES, [ids]);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return low.map(({ channelId, balanceNano, currency }) => ({
    channelId,
    channelName: names.get(channelId) ?? channelId,
    balance: decimalFromNanoUsd(balanceNano),
    currency,
  }));
}

/** The things that a person has to see to and that PostgreSQL knows. */
export async function readNeeds(db: Database): Promise<Needs> {
  const alerts = await db.query<AlertRow>(ALERTS);
  const orders = await db.query<Pick<Needs, 'openRefunds' | 'disputedOrders'>>(ORDERS, [
    REFUND_MINUTES,
  ]);
  return {
    alerts: alerts.rows.map((row) => ({ ...row, since: row.since.toISOString() })),
    lowBalances: await readLowBalances(db),
    ...onlyRow(orders.rows),
  };
}
