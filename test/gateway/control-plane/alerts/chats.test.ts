import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHAT_KINDS, type AlertTargetCreate, type ChatKind } from '@weir/shared/watch/alerts';
import { evaluateAlerts } from '../../../../gateway/control-plane/alerts/judges/evaluate-alerts.ts';
import { sendDeliveries } from '../../../../gateway/control-plane/deliveries/send-deliveries.ts';
import { jobContext, report } from '../support/context.ts';
import {
  DINGTALK_SECRET,
  FEISHU_SECRET,
  startFakeChats,
  TELEGRAM_CHAT,
  TELEGRAM_TOKEN,
  type FakeChats,
} from '../support/fakes/fake-chats.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let chats: FakeChats;

beforeAll(async () => {
  chats = await startFakeChats();
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
beforeEach(async () => {
  await fixture.pool.query('truncate process_reports');
  for (const table of ['alert_rules', 'alert_targets', 'alert_events']) {
    await fixture.pool.query(`delete from ${table}`);
  }
  chats.shown.length = 0;
  chats.bodies.length = 0;
});
afterAll(async () => {
  await fixture.close();
  await chats.close();
});

const SECRETS: Partial<Record<ChatKind, Partial<AlertTargetCreate>>> = {
  telegram: { chatId: TELEGRAM_CHAT },
  feishu: { signingSecret: FEISHU_SECRET },
  dingtalk: { signingSecret: DINGTALK_SECRET },
};

function targetOf(kind: ChatKind, change: Partial<AlertTargetCreate> = {}) {
  const address = chats.addresses[kind];
  return { name: randomUUID(), kind, address, allowPrivate: true, ...SECRETS[kind], ...change };
}

async function make(body: object): Promise<string> {
  const made = await fixture.ask('createAlertTarget', { as: admin, body });
  expect(made.reply.secret).toBeNull();
  return made.reply.id;
}

async function test(alertTargetId: string) {
  return (await fixture.ask('testAlertTarget', { as: admin, params: { alertTargetId } })).reply;
}

describe.each(CHAT_KINDS)('a chat of %s', (kind) => {
  it('gets a test message, and shows its text', async () => {
    expect(await test(await make(targetOf(kind)))).toEqual({ delivered: true, error: null });
    expect(chats.shown).toHaveLength(1);
    expect(chats.shown[0]?.text).toMatch(/Test alert\nThis is a test/);
  });

  it('gets an alert of hundreds of subjects with long names within its limit, and the link', async () => {
    await make(targetOf(kind, { language: 'zh-CN' }));
    await fixture.ask('createAlertRule', {
      as: admin,
      body: { name: 'a *bold* <!channel> [rule](https://evil.test)', kind: 'job_not_run' },
    });
    const jobs = Array.from({ length: 300 }, (_value, index) => ({
      name: `任务 ${String(index)} <!channel> <at user_id="all"> @everyone *_~\`|`,
      isLate: true,
      lastFailure: '数据库连接失败'.repeat(80),
    }));
    await report(fixture, randomUUID(), { jobs });
    const context = await jobContext(fixture);
    await evaluateAlerts(context);
    await sendDeliveries(context);
    const { data } = (await fixture.ask('listAlertEvents', { as: admin })).reply;
    expect(data[0]?.deliveries).toMatchObject([{ via: kind, status: 'sent', error: null }]);
    expect(chats.shown[0]?.text).toContain('http://console.test/admin/alerts');
    expect(chats.shown[0]?.text).toMatch(/另有 2\d\d 项/);
    if (kind === 'discord') expect(chats.shown[0]?.text).toContain('\\[rule\\]\\(');
  });

  it('keeps its address and secrets sealed, and shows neither', async () => {
    const id = await make(targetOf(kind));
    const secrets = [`${kind}-secret`, TELEGRAM_TOKEN, FEISHU_SECRET, DINGTALK_SECRET];
    const { rows } = await fixture.pool.query<{ text: string }>(
      'select row_to_json(t)::text as text from alert_targets t',
    );
    const { text: shown } = await fixture.ask('listAlertTargets', { as: admin });
    const audit = await fixture.pool.query<{ text: string }>(
      `select coalesce(after::text, '') as text from audit_entries where subject_id = $1`,
      [id],
    );
    for (const text of [rows[0]?.text, shown, ...audit.rows.map((row) => row.text)]) {
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
  });
});

describe('the words of a chat service that takes no message are shown', () => {
  it.each([
    ['slack', { address: '/services/T/B/gone' }, 'HTTP 404: no_service'],
    ['discord', { address: '/api/webhooks/111/gone' }, 'HTTP 401: 50027 Invalid Webhook Token'],
    ['discord', { address: '/api/webhooks/222/gone' }, 'HTTP 404: 10015 Unknown Webhook'],
    ['telegram', { chatId: '-42' }, 'HTTP 400: Bad Request: chat not found'],
    [
      'telegram',
      { address: '/bot987654321:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw' },
      'HTTP 401: Unauthorized',
    ],
    [
      'feishu',
      { address: '/open-apis/bot/v2/hook/gone' },
      'HTTP 200: 19001 param invalid: incoming webhook access token invalid',
    ],
    [
      'feishu',
      { signingSecret: 'another' },
      'HTTP 200: 19021 sign match fail or timestamp is not within one hour from current time',
    ],
    [
      'dingtalk',
      { address: '/robot/send?access_token=gone' },
      'HTTP 200: 300001 token is not exist',
    ],
    ['dingtalk', { signingSecret: 'another' }, 'HTTP 200: 310000 sign not match'],
  ] as const)('%s %o', async (kind, change, error) => {
    const { origin } = new URL(chats.addresses[kind]);
    const address =
      'address' in change ? { address: `${origin}/${kind}${change.address}` } : undefined;
    const id = await make(targetOf(kind, { ...change, ...address }));
    expect(await test(id)).toEqual({ delivered: false, error });
    expect(chats.shown).toEqual([]);
  });

  it('also where another page answers with status 200', async () => {
    const { origin } = new URL(chats.addresses.slack);
    const id = await make(
      targetOf('feishu', { address: `${origin}/slack/services/T000/B000/slack-secret` }),
    );
    expect(await test(id)).toMatchObject({ delivered: false });
  });
});

describe('a chat', () => {
  it('signs each message again, also where the address was pasted with an old signature', async () => {
    const address = `${chats.addresses.dingtalk}&timestamp=1599360473000&sign=old`;
    const id = await make(targetOf('dingtalk', { address }));
    expect(await test(id)).toMatchObject({ delivered: true });
    expect(await test(id)).toMatchObject({ delivered: true });
  });

  it('keeps its secret when its address changes, and its address when its secret changes', async () => {
    const id = await make(targetOf('feishu', { signingSecret: 'wrong' }));
    const params = { alertTargetId: id };
    const change = (body: object) =>
      fixture.ask('updateAlertTarget', { as: admin, params, anyVersion: true, body });
    await change({ signingSecret: FEISHU_SECRET });
    expect(await test(id)).toMatchObject({ delivered: true });
    await change({ address: chats.addresses.feishu });
    expect(await test(id)).toMatchObject({ delivered: true });
  });

  it('of Telegram takes the token of a bot in place of an address', async () => {
    const body = {
      name: randomUUID(),
      kind: 'telegram',
      address: TELEGRAM_TOKEN,
      chatId: '@alerts',
    };
    const { reply } = await fixture.ask('createAlertTarget', { as: admin, body });
    expect(reply).toMatchObject({ address: 'https://api.telegram.org/…', chatId: '@alerts' });
  });

  it.each([
    [{ kind: 'telegram', address: 'https://api.telegram.org/bot', chatId: '1' }, 'address'],
    [{ kind: 'telegram', address: TELEGRAM_TOKEN }, 'chatId'],
    [{ kind: 'slack', address: 'https://8.8.8.8/x', chatId: '1' }, 'chatId'],
    [{ kind: 'slack', address: 'https://8.8.8.8/x', signingSecret: 'x' }, 'signingSecret'],
    [{ kind: 'webhook', address: 'https://8.8.8.8/x', signingSecret: 'x' }, 'signingSecret'],
    [{ kind: 'discord', address: 'http://127.0.0.1/x' }, 'address'],
    [{ kind: 'feishu', address: 'hooks.example.org' }, 'address'],
  ])('is refused where a field is wrong or missing: %o', async (body, field) => {
    const { problem } = await fixture.ask('createAlertTarget', {
      as: admin,
      body: { name: randomUUID(), ...body },
    });
    expect(problem).toMatchObject({ errors: [{ field }] });
  });

  it('has no secret that could be rotated', async () => {
    const params = { alertTargetId: await make(targetOf('slack')) };
    const { problem } = await fixture.ask('rotateAlertTargetSecret', { as: admin, params });
    expect(problem.code).toBe('state_conflict');
  });
});
