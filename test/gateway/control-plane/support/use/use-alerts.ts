import type { Walk } from '../walk.ts';

const SECRET_PATH = 'a-path-that-opens-a-chat-room';

async function useTargets({ fixture, admin, secrets }: Walk): Promise<string> {
  const made = await fixture.ask('createAlertTarget', {
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
  const renewed = await fixture.ask('rotateAlertTargetSecret', { as: admin, params });
  secrets.set('alert secret', renewed.reply.secret ?? '');
  await fixture.ask('testAlertTarget', { as: admin, params });
  await fixture.ask('getAlertTarget', { as: admin, params });
  const body = { language: 'zh-CN' as const };
  await fixture.ask('updateAlertTarget', { as: admin, params, anyVersion: true, body });
  const other = await fixture.ask('createAlertTarget', {
    as: admin,
    body: { name: 'a mail', kind: 'mail', address: 'ops@example.org' },
  });
  await fixture.ask('deleteAlertTarget', {
    as: admin,
    params: { alertTargetId: other.reply.id },
  });
  await fixture.ask('listAlertTargets', { as: admin });
  return made.reply.id;
}

async function useRules({ fixture, admin }: Walk, targetId: string): Promise<void> {
  const made = await fixture.ask('createAlertRule', {
    as: admin,
    body: { name: 'a rule', kind: 'error_rate', percent: 5, targetIds: [targetId] },
  });
  const params = { alertRuleId: made.reply.id };
  await fixture.ask('getAlertRule', { as: admin, params });
  const body = { percent: 6 };
  await fixture.ask('updateAlertRule', { as: admin, params, anyVersion: true, body });
  await fixture.ask('createReadyAlertRules', { as: admin, body: { language: 'en' } });
  await fixture.ask('listAlertRules', { as: admin });
  await fixture.ask('deleteAlertRule', { as: admin, params });
  await fixture.ask('listAlertEvents', { as: admin });
}

/** Uses alerts to operators, and notices to customers. */
export async function useAlerts(walk: Walk): Promise<void> {
  await useRules(walk, await useTargets(walk));
  const person = await walk.fixture.user();
  const body = { lowBalanceUsd: '5', budgetPercent: 80, planEndingDays: null };
  await walk.fixture.ask('updateNoticeSettings', { as: person, body });
  await walk.fixture.ask('getNoticeSettings', { as: person });
}
