import type { ALERT_ROUTES } from '@weir/shared/api/admin-routes/alerts';
import type { AlertEventPage, AlertEventView, AlertTestView } from '@weir/shared/watch/alerts';
import type { Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { pageLimit, pageOf, readIdCursor } from '../api/lists/cursor.ts';
import { inTransaction } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { attemptDelivery } from '../deliveries/send-deliveries.ts';
import { createReadyRules, ruleList } from './ready-rules.ts';
import { findRule, readRules, ruleView } from './rule-row.ts';
import { findTarget, readTargets, targetView } from './targets/target-row.ts';
import { recordEvent } from './record-event.ts';
import { createRule, deleteRule, NO_RULE, updateRule } from './write-rule.ts';
import {
  createTarget,
  deleteTarget,
  NO_TARGET,
  rotateSecret,
  updateTarget,
} from './targets/write-target.ts';

type Table = Omit<typeof ALERT_ROUTES, 'getNoticeSettings' | 'updateNoticeSettings'>;

export const alertHandlers: HandlersOf<Table> = {
  listAlertRules: async ({ context }) => ruleList(await readRules(context.pool)),
  createAlertRule: createRule,
  createReadyAlertRules: createReadyRules,
  getAlertRule: async ({ context, params }) => {
    const rule = await findRule(context.pool, params.alertRuleId);
    return rule === undefined ? NO_RULE : ruleView(rule);
  },
  updateAlertRule: updateRule,
  deleteAlertRule: deleteRule,
  listAlertTargets: async ({ context }) => ({
    data: (await readTargets(context.pool)).map(targetView),
  }),
  createAlertTarget: createTarget,
  getAlertTarget: async ({ context, params }) => {
    const target = await findTarget(context.pool, params.alertTargetId);
    return target === undefined ? NO_TARGET : targetView(target);
  },
  updateAlertTarget: updateTarget,
  deleteAlertTarget: deleteTarget,
  rotateAlertTargetSecret: rotateSecret,
  testAlertTarget,
  listAlertEvents,
};

const LIST = `
  select e.id, e.created_at as at, e.rule_id as "ruleId", e.rule_name as "ruleName",
    (select kind from alert_rules r where r.id = e.rule_id) as "ruleKind", e.kind, e.subjects,
    coalesce((select jsonb_agg(jsonb_build_object('via', d.via, 'address', d.address, 'status', d.status,
                               'attempts', d.attempts, 'error', d.error, 'sentAt', d.sent_at) order by d.id)
              from deliveries d where d.event_id = e.id), '[]') as deliveries
  from alert_events e
  where ($1::uuid is null or e.rule_id = $1) and ($2::uuid is null or e.id < $2)
  order by e.id desc limit $3`;

interface EventRow extends Omit<AlertEventView, 'at'> {
  readonly at: Date;
}

function eventView({ at, deliveries, ...row }: EventRow): AlertEventView {
  return {
    ...row,
    at: at.toISOString(),
    deliveries: deliveries.map((delivery) => ({
      ...delivery,
      sentAt: delivery.sentAt === null ? null : new Date(delivery.sentAt).toISOString(),
    })),
  };
}

async function listAlertEvents(call: Call<'listAlertEvents'>): Promise<AlertEventPage | Refusal> {
  const { context, query } = call;
  const after = readIdCursor(query.cursor);
  if (typeof after === 'object' && after !== null) return after;
  const limit = pageLimit(query);
  const { rows } = await context.pool.query<EventRow>(LIST, [
    query.ruleId ?? null,
    after,
    limit + 1,
  ]);
  return pageOf(rows, { limit, view: eventView, sortKey: ({ id }) => [id] });
}

/** Not among those that wait: it is this request that sends it. */
const INSERT_TEST = `
  insert into deliveries (id, event_id, target_id, via, address, subject, body, attempts, status, error)
  values ($1, $2, $3, $4, $5, $6, $7, 1, 'failed', 'The test did not end.')`;

/** Sent at once, by this request alone, and once: a person waits for what comes of it. */
async function testAlertTarget(call: Call<'testAlertTarget'>): Answer<'testAlertTarget'> {
  const { context, params } = call;
  const target = await findTarget(context.pool, params.alertTargetId);
  if (target === undefined) return NO_TARGET;
  const id = newRequestId(Date.now());
  const news = { kind: 'test', rule: null, ruleId: null, subjects: [] } as const;
  const kept = await inTransaction(context.pool, async (client) => {
    const [delivery] = await recordEvent(client, context, news, [target]);
    if (delivery === undefined) throw new Error('a test without a message');
    const { eventId, targetId, via, address, subject, body } = delivery;
    const row = [id, eventId, targetId, via, address, subject, body];
    await client.query(INSERT_TEST, row);
    const change = { kind: 'alert_target', id: target.id, before: null, after: null };
    return { delivery, audit: await audit(client, call, change) };
  });
  if ('refused' in kept) return kept;
  const error = await attemptDelivery(context, { ...kept.delivery, id, attempts: 1 }, 1);
  const view: AlertTestView = { delivered: error === undefined, error: error ?? null };
  return { view, audit: kept.audit };
}
