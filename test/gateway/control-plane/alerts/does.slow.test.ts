import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AlertTargetCreate } from '@weir/shared/watch/alerts';
import { evaluateAlerts } from '../../../../gateway/control-plane/alerts/judges/evaluate-alerts.ts';
import { sendDeliveries } from '../../../../gateway/control-plane/deliveries/send-deliveries.ts';
import { resealAll } from '../../../../gateway/control-plane/secret-rotations/reseal.ts';
import { deriveSecrets } from '../../../../gateway/platform/secrets/secrets.ts';
import { TEST_SECRET_KEY } from '../../../support/seed.ts';
import { jobContext, report } from '../support/context.ts';
import { startFakeSmtp, textOfMail, type FakeSmtp } from '../support/fakes/fake-smtp.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/fakes/webhook-receiver.ts';

let fixture: AdminFixture;
let admin: Person;
let smtp: FakeSmtp;
let receiver: WebhookReceiver;

beforeAll(async () => {
  smtp = await startFakeSmtp();
  receiver = await startWebhookReceiver();
  fixture = await createAdminFixture({ config: { smtpUrl: smtp.url } });
  admin = await fixture.admin();
});
beforeEach(async () => {
  await fixture.pool.query('truncate process_reports');
  for (const table of ['alert_rules', 'alert_targets', 'alert_events']) {
    await fixture.pool.query(`delete from ${table}`);
  }
  smtp.delivered.length = 0;
  smtp.refusals = 0;
  receiver.received.length = 0;
});
afterAll(async () => {
  await fixture.close();
  await receiver.close();
  smtp.close();
});

const context = () => jobContext(fixture, { smtp });

async function makeTarget(target: Partial<AlertTargetCreate> = {}) {
  const body = { name: randomUUID(), kind: 'mail', address: 'ops@example.org', ...target };
  return (await fixture.ask('createAlertTarget', { as: admin, body })).reply;
}

const hook = () => makeTarget({ kind: 'webhook', address: receiver.url, allowPrivate: true });

async function makeRule(rule: object = {}) {
  const body = { name: 'Billing is late', kind: 'drain_lag', lagSeconds: 60, ...rule };
  return (await fixture.ask('createAlertRule', { as: admin, body })).reply;
}

const lag = (seconds: number) => report(fixture, randomUUID(), { drainLagMs: seconds * 1_000 });

async function events() {
  return (await fixture.ask('listAlertEvents', { as: admin })).reply.data;
}

/** Makes what waits due, as its time passes. */
const passTime = () =>
  fixture.pool.query("update deliveries set due_at = now() where status = 'pending'");

describe('an alert', () => {
  it('goes to every target by mail and webhook, and so does its end', async () => {
    await makeTarget();
    await makeTarget({ address: 'zh@example.org', language: 'zh-CN' });
    const { secret } = await hook();
    const rule = await makeRule({ cooldownMinutes: 0 });
    await lag(75);
    await evaluateAlerts(await context());
    await evaluateAlerts(await context());
    await sendDeliveries(await context());

    expect(smtp.delivered).toHaveLength(2);
    expect(smtp.delivered.join()).toContain('To: ops@example.org');
    expect(smtp.delivered.map(textOfMail).join()).toMatch(/Billing is behind[^]*75 s/);
    expect(smtp.delivered.map(textOfMail).join()).toContain('计费延迟');
    const [posted] = receiver.received;
    const signed = `${String(posted?.headers['weir-timestamp'])}.${posted?.body ?? ''}`;
    expect(posted?.headers['weir-signature']).toBe(
      `v1=${createHmac('sha256', secret ?? '')
        .update(signed)
        .digest('hex')}`,
    );
    expect(JSON.parse(posted?.body ?? '')).toMatchObject({
      type: 'alert.fired',
      rule: { id: rule.id, name: 'Billing is late', kind: 'drain_lag' },
      subjects: [{ id: 'drain', value: '75 s' }],
      url: 'http://console.test/admin/alerts',
    });
    const listed = (await fixture.ask('listAlertRules', { as: admin })).reply.data;
    expect(listed[0]?.firing).toMatchObject([{ subject: 'drain', told: true }]);

    await fixture.pool.query('truncate process_reports');
    await lag(1);
    await evaluateAlerts(await context());
    await sendDeliveries(await context());
    expect(smtp.delivered).toHaveLength(4);
    expect(JSON.parse(receiver.received[1]?.body ?? '')).toMatchObject({ type: 'alert.resolved' });
    const log = await events();
    expect(log.map(({ kind }) => kind)).toEqual(['resolved', 'fired']);
    expect(log[0]?.deliveries.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
  });

  it('goes to the targets of its rule alone, and to none that is disabled', async () => {
    const chosen = await makeTarget({ address: 'chosen@example.org' });
    const silent = await makeTarget({ address: 'silent@example.org', status: 'disabled' });
    await makeTarget({ address: 'other@example.org' });
    await makeRule({ targetIds: [chosen.id, silent.id] });
    await lag(75);
    await evaluateAlerts(await context());
    expect((await events())[0]?.deliveries.map(({ address }) => address)).toEqual([
      'chosen@example.org',
    ]);
  });

  it('is sent by one of two gateways that look at the same time', async () => {
    await makeTarget();
    await hook();
    await makeRule();
    await lag(75);
    const gateways = await Promise.all([context(), context(), context()]);
    await Promise.all(gateways.map(evaluateAlerts));
    await Promise.all(gateways.map(sendDeliveries));
    expect(await events()).toHaveLength(1);
    expect(smtp.delivered).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });

  it('waits for a mail server that is away, says so in the log, and keeps no webhook waiting', async () => {
    await makeTarget();
    await hook();
    await makeRule();
    await lag(75);
    const away = await jobContext(fixture, { smtp: { url: 'smtp://127.0.0.1:1?ignoreTLS=true' } });
    await evaluateAlerts(away);
    await sendDeliveries(away);
    expect(receiver.received).toHaveLength(1);
    const waiting = (await events())[0]?.deliveries.find(({ via }) => via === 'mail');
    expect(waiting).toMatchObject({ status: 'pending', attempts: 1 });
    expect(waiting?.error).toMatch(/ECONNREFUSED/);
    // Not again at once.
    await sendDeliveries(away);
    expect((await events())[0]?.deliveries[0]?.attempts).toBe(1);
    await passTime();
    await sendDeliveries(await context());
    expect(smtp.delivered).toHaveLength(1);
    expect((await events())[0]?.deliveries.map(({ status }) => status)).toEqual(['sent', 'sent']);
  });

  it('is given up after so many attempts', async () => {
    await makeTarget();
    await makeRule();
    await lag(75);
    const away = await jobContext(fixture, { smtp: { url: 'smtp://127.0.0.1:1?ignoreTLS=true' } });
    await evaluateAlerts(away);
    await fixture.pool.query('update deliveries set attempts = 11');
    await sendDeliveries(away);
    expect((await events())[0]?.deliveries[0]).toMatchObject({ status: 'failed', attempts: 12 });
    await passTime();
    await sendDeliveries(await context());
    expect(smtp.delivered).toEqual([]);
    expect(fixture.log.join('')).toContain('a message was given up');
  });

  it('without SMTP_URL says in the log why no mail was sent', async () => {
    await makeTarget();
    await makeRule();
    await lag(75);
    const without = await jobContext(fixture);
    await evaluateAlerts(without);
    await sendDeliveries(without);
    expect((await events())[0]?.deliveries[0]).toMatchObject({
      status: 'failed',
      error: 'SMTP_URL is not set.',
    });
  });

  it('of a rule that was disabled is forgotten', async () => {
    const rule = await makeRule();
    await lag(75);
    await evaluateAlerts(await context());
    const params = { alertRuleId: rule.id };
    const body = { status: 'disabled' };
    const changed = await fixture.ask('updateAlertRule', {
      as: admin,
      params,
      anyVersion: true,
      body,
    });
    expect(changed.reply.firing).toEqual([]);
    await evaluateAlerts(await context());
    expect(await events()).toHaveLength(1);
    const gone = await fixture.ask('deleteAlertRule', { as: admin, params });
    expect(gone.status).toBe(204);
    expect((await events())[0]).toMatchObject({ ruleId: null, ruleName: 'Billing is late' });
  });
});

describe('a target', () => {
  it('is tested at once, and the log has it', async () => {
    const { id } = await makeTarget();
    const params = { alertTargetId: id };
    const tested = await fixture.ask('testAlertTarget', { as: admin, params });
    expect(tested.reply).toEqual({ delivered: true, error: null });
    expect(textOfMail(smtp.delivered[0])).toContain('This is a test');
    smtp.refusals = 1;
    const failed = await fixture.ask('testAlertTarget', { as: admin, params });
    expect(failed.reply).toMatchObject({ delivered: false });
    expect(failed.reply.error).toMatch(/451/);
    const [second, first] = await events();
    expect(first).toMatchObject({ kind: 'test', deliveries: [{ status: 'sent' }] });
    expect(second).toMatchObject({ kind: 'test', deliveries: [{ status: 'failed' }] });
    await passTime();
    await sendDeliveries(await context());
    expect(smtp.delivered).toHaveLength(1);
  });

  it('that is a webhook shows neither its secret nor the rest of its address again', async () => {
    const made = await hook();
    const { secret, ...view } = made;
    expect(secret).toMatch(/^weir_whs_[\w-]{43}$/);
    expect(view.address).toBe(`${new URL(receiver.url).origin}/…`);
    const { rows } = await fixture.pool.query<{ row: string }>(
      'select t::text as row from alert_targets t union all select d::text from deliveries d union all select after::text from audit_entries where after is not null',
    );
    const kept = rows.map(({ row }) => row).join();
    expect(kept).not.toContain('a-secret-path');
    expect(kept).not.toContain(secret);
    const listed = await fixture.ask('listAlertTargets', { as: admin });
    expect(listed.reply.data).toEqual([view]);
  });

  it('gets a new secret, and keeps it at another address and under another SECRET_KEY', async () => {
    const { id, secret } = await hook();
    const params = { alertTargetId: id };
    const renewed = await fixture.ask('rotateAlertTargetSecret', { as: admin, params });
    expect(renewed.reply.secret).not.toBe(secret);
    const address = receiver.url.replace('a-secret-path', 'another');
    await fixture.ask('updateAlertTarget', {
      as: admin,
      params,
      anyVersion: true,
      body: { address },
    });
    const rotated = deriveSecrets('an entirely new secret key', TEST_SECRET_KEY);
    expect(await resealAll(fixture.pool, rotated)).toMatchObject({ unreadable: 0 });
    await makeRule();
    await lag(75);
    const job = { ...(await context()), secrets: rotated };
    await evaluateAlerts(job);
    await sendDeliveries(job);
    const [posted] = receiver.received;
    expect(posted?.path).toBe('/hook/another');
    const signed = `${String(posted?.headers['weir-timestamp'])}.${posted?.body ?? ''}`;
    const mac = createHmac('sha256', renewed.reply.secret ?? '')
      .update(signed)
      .digest('hex');
    expect(posted?.headers['weir-signature']).toBe(`v1=${mac}`);
  });

  it('that is deleted gets no message that waits for it', async () => {
    const { id } = await makeTarget();
    await makeRule();
    await lag(75);
    await evaluateAlerts(await context());
    const params = { alertTargetId: id };
    expect((await fixture.ask('deleteAlertTarget', { as: admin, params })).status).toBe(204);
    await sendDeliveries(await context());
    expect(smtp.delivered).toEqual([]);
    expect((await events())[0]?.deliveries[0]).toMatchObject({
      status: 'failed',
      error: 'The target was deleted.',
    });
  });
});
