import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

const rule = (body: object) =>
  fixture.ask('createAlertRule', { as: admin, body: { name: randomUUID(), ...body } });
const target = (body: object) =>
  fixture.ask('createAlertTarget', { as: admin, body: { name: randomUUID(), ...body } });

describe('a rule is refused', () => {
  it.each([
    ['error_rate', 'percent'],
    ['customer_balance', 'belowUsd'],
    ['drain_lag', 'lagSeconds'],
  ])('that says %s without %s', async (kind, field) => {
    const { problem } = await rule({ kind });
    expect(problem).toMatchObject({ code: 'missing_required_parameter', errors: [{ field }] });
  });

  it.each([
    [{ kind: 'drain_lag', lagSeconds: 5, percent: 5 }, 'percent'],
    [{ kind: 'channel_failing', job: 'clean up' }, 'job'],
    [{ kind: 'job_not_run', channelId: randomUUID() }, 'channelId'],
    [{ kind: 'error_rate', percent: 5, accountId: randomUUID() }, 'accountId'],
  ])('that has what its kind has not: %o', async (body, field) => {
    const { problem } = await rule(body);
    expect(problem).toMatchObject({ code: 'invalid_value', errors: [{ field }] });
  });

  it('whose target is not there, and whose name is taken', async () => {
    const away = await rule({ kind: 'channel_failing', targetIds: [randomUUID()] });
    expect(away.problem).toMatchObject({ code: 'invalid_value', errors: [{ field: 'targetIds' }] });
    await rule({ name: 'twice', kind: 'channel_failing' });
    const twice = await rule({ name: ' twice ', kind: 'job_not_run' });
    expect(twice.problem).toMatchObject({ code: 'already_exists', errors: [{ field: 'name' }] });
  });

  it('a change too: of an older version, and to what its kind has not', async () => {
    const made = await rule({ kind: 'drain_lag', lagSeconds: 60 });
    const params = { alertRuleId: made.reply.id };
    const change = (body: object, headers?: Record<string, string>) =>
      fixture.ask('updateAlertRule', { as: admin, params, body, ...(headers && { headers }) });
    expect((await change({ lagSeconds: 5 })).problem.code).toBe('precondition_required');
    const stale = await change({ lagSeconds: 5 }, { 'if-match': '"other"' });
    expect(stale.problem.code).toBe('precondition_failed');
    const unfit = await change({ lagSeconds: null }, { 'if-match': '*' });
    expect(unfit.problem.code).toBe('missing_required_parameter');
    const taken = await rule({ kind: 'job_not_run', name: 'taken' });
    expect(taken.status).toBe(201);
    const renamed = await change({ name: 'taken' }, { 'if-match': '*' });
    expect(renamed.problem.code).toBe('already_exists');
  });
});

describe('a target is refused', () => {
  it.each([
    ['mail', 'nobody'],
    ['mail', 'https://example.org/hook'],
    ['webhook', 'ops@example.org'],
    ['webhook', 'ftp://example.org/hook'],
    ['webhook', 'https://user:password@example.org/hook'],
  ])('of kind %s at %s', async (kind, address) => {
    const { problem } = await target({ kind, address });
    expect(problem).toMatchObject({ code: 'invalid_value', errors: [{ field: 'address' }] });
  });

  it.each(['http://127.0.0.1/', 'http://localhost:9000/', 'https://169.254.169.254/latest'])(
    'at the private address %s, unless the operator allows it',
    async (address) => {
      const { problem } = await target({ kind: 'webhook', address });
      expect(problem).toMatchObject({ code: 'address_refused', errors: [{ field: 'address' }] });
      expect((await target({ kind: 'webhook', address, allowPrivate: true })).status).toBe(201);
    },
  );

  it('moved to a private address, and a secret for mail', async () => {
    const made = await target({ kind: 'webhook', address: 'https://8.8.8.8/hook' });
    const params = { alertTargetId: made.reply.id };
    const moved = await fixture.ask('updateAlertTarget', {
      as: admin,
      params,
      anyVersion: true,
      body: { address: 'http://10.0.0.1/' },
    });
    expect(moved.problem.code).toBe('address_refused');
    const mail = await target({ kind: 'mail', address: 'ops@example.org' });
    const secret = await fixture.ask('rotateAlertTargetSecret', {
      as: admin,
      params: { alertTargetId: mail.reply.id },
    });
    expect(secret.problem.code).toBe('state_conflict');
  });

  it('to be deleted while it is the only one of a rule', async () => {
    const only = await target({ kind: 'mail', address: 'ops@example.org' });
    const other = await target({ kind: 'mail', address: 'ops@example.org' });
    const made = await rule({
      kind: 'channel_failing',
      targetIds: [only.reply.id, other.reply.id],
    });
    const remove = (id: string) =>
      fixture.ask('deleteAlertTarget', { as: admin, params: { alertTargetId: id } });
    expect((await remove(other.reply.id)).status).toBe(204);
    expect((await remove(only.reply.id)).problem.code).toBe('in_use');
    const rules = (await fixture.ask('listAlertRules', { as: admin })).reply.data;
    expect(rules.find(({ id }) => id === made.reply.id)?.targetIds).toEqual([only.reply.id]);
  });
});
