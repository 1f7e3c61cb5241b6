import type { Walk } from './walk.ts';

const SECRET_PATH = 'a-path-that-opens-a-chat-room';

async function useTargets({ ground, admin, secrets }: Walk): Promise<string> {
  const made = await ground.ask('createAlertTarget', {
    as: admin,
    body: {
      name: 'a webhook',
      kind: 'webhook',
      address: `http://127.0.0.1:1/${SECRET_PATH}`,
      allowPrivate: true,
    },
  });
  secrets.set('address of an alert', SECRET_PATH);
  secrets.set('former alert secret', made.reply.secret ?? '');
  const params = { alertTargetId: made.reply.id };
  const renewed = await ground.ask('rotateAlertTargetSecret', { as: admin, params });
  secrets.set('alert secret', renewed.reply.secret ?? '');
  await ground.ask('testAlertTarget', { as: admin, params });
  await ground.ask('getAlertTarget', { as: admin, params });
  const body = { language: 'zh-CN' as const };
  await ground.ask('updateAlertTarget', { as: admin, params, anyVersion: true, body });
  const other = await ground.ask('createAlertTarget', {
    as: admin,
    body: { name: 'a mail', kind: 'mail', address: 'ops@example.org' },
  });
  await ground.ask('deleteAlertTarget', {
    as: admin,
    params: { alertTargetId: other.reply.id },
  });
  await ground.ask('listAlertTargets', { as: admin });
  return made.reply.id;
}

async function useRules({ ground, admin }: Walk, targetId: string): Promise<void> {
  const made = await ground.ask('createAlertRule', {
    as: admin,
    body: { name: 'a rule', kind: 'error_rate', percent: 5, targetIds: [targetId] },
  });
  const params = { alertRuleId: made.reply.id };
  await ground.ask('getAlertRule', { as: admin, params });
  const body = { percent: 6 };
  await ground.ask('updateAlertRule', { as: admin, params, anyVersion: true, body });
  await ground.ask('listAlertRules', { as: admin });
  await ground.ask('deleteAlertRule', { as: admin, params });
  await ground.ask('listAlertEvents', { as: admin });
}

/** What operators are alerted to, and what customers are told of. */
export async function useAlerts(walk: Walk): Promise<void> {
  await useRules(walk, await useTargets(walk));
  const person = await walk.ground.user();
  const body = { lowBalanceUsd: '5', budgetPercent: 80, planEndingDays: null };
  await walk.ground.ask('updateNoticeSettings', { as: person, body });
  await walk.ground.ask('getNoticeSettings', { as: person });
}
