import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAudited, type AdminRoute, type AuditedRoute } from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import type { Handler } from '../../../../gateway/control-plane/api/call.ts';
import {
  NOTHING_CHANGED,
  type AuditReceipt,
} from '../../../../gateway/control-plane/audit/audit-receipt.ts';
import { makeCatalog } from '../support/catalog.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture({ config: { trustedProxyHops: 1 } });
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

describe('the audit log', () => {
  it('says who did what to what, from where, by what, and under which request id', async () => {
    const body = { name: 'script', scope: 'full' };
    const { token } = (await fixture.ask('createAccessToken', { as: admin, body })).reply;
    const made = await fixture.ask('createGroup', {
      as: { token },
      headers: { 'x-forwarded-for': '203.0.113.9' },
      body: { name: 'audited' },
    });
    const log = await fixture.ask('listAuditEntries', { as: admin });
    expect(log.reply.data[0]).toMatchObject({
      userId: admin.userId,
      userEmail: admin.email,
      by: 'access token: script',
      address: '203.0.113.9',
      requestId: made.headers['x-request-id'],
      action: 'createGroup',
      subjectKind: 'group',
      subjectId: made.reply.id,
      before: null,
      after: { name: 'audited' },
    });
  });

  it('refuses a period that ends before it begins, whatever the clocks’ zones, and takes one of no length', async () => {
    const ask = (from: string, to: string) =>
      fixture.ask('listAuditEntries', { as: admin, query: { from, to } });
    const refused = await ask('2026-03-01T10:00:00Z', '2026-03-01T10:30:00+01:00');
    expect(refused.problem).toMatchObject({
      code: 'invalid_value',
      errors: [{ field: 'from' }],
    });
    expect((await ask('2026-03-01T10:00:00+01:00', '2026-03-01T09:00:00Z')).reply.data).toEqual([]);
  });

  it('tells of each model of an import what it was and what it became', async () => {
    const imported = (displayName: string) => {
      const model = { publicId: 'imported', contextTokensMax: 10, outputTokensMax: 5, displayName };
      return fixture.ask('importModels', { as: admin, body: { models: [model], dryRun: false } });
    };
    await imported('one');
    await imported('two');
    const query = { action: 'importModels' };
    const log = await fixture.ask('listAuditEntries', { as: admin, query });
    expect(log.reply.data).toMatchObject([
      { subjectKind: 'model', before: { displayName: 'one' }, after: { displayName: 'two' } },
      { subjectKind: 'model', before: null, after: { displayName: 'one' } },
    ]);
  });

  it('tells what an invitation code was before, and never the code', async () => {
    const made = await fixture.ask('createInvitationCode', { as: admin, body: { usesMax: 1 } });
    const params = { invitationCodeId: made.reply.id };
    const body = { status: 'disabled' };
    await fixture.ask('updateInvitationCode', { as: admin, params, body });
    const query = { subjectId: made.reply.id };
    const log = await fixture.ask('listAuditEntries', { as: admin, query });
    expect(log.reply.data[0]).toMatchObject({
      before: { status: 'active' },
      after: { status: 'disabled' },
    });
    expect(log.text).not.toContain(made.reply.code);
  });

  it('names what its ids are of, as long as that is there', async () => {
    const made = await fixture.ask('createGroup', { as: admin, body: { name: 'Named by id' } });
    const groupId = made.reply.id;
    const body = {
      name: 'A channel of a group',
      baseUrl: 'http://127.0.0.1:9/v1',
      allowPrivate: true,
      groupIds: [groupId],
    };
    const channel = await fixture.ask('createChannel', { as: admin, body });
    const params = { channelId: channel.reply.id };
    await fixture.ask('createCredential', { as: admin, params, body: { secret: 'something' } });
    const namesOf = async (action: string) => {
      const query = { action, subjectId: channel.reply.id };
      return (await fixture.ask('listAuditEntries', { as: admin, query })).reply.data[0]?.names;
    };
    expect(await namesOf('createChannel')).toEqual({
      [channel.reply.id]: body.name,
      [groupId]: 'Named by id',
    });
    expect(await namesOf('createCredential')).toEqual({ [channel.reply.id]: body.name });
    await fixture.ask('deleteChannel', { as: admin, params });
    expect(await namesOf('createCredential')).toEqual({});
  });

  it('is filtered and paged', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    for (const rpm of [1, 2, 3]) {
      await fixture.ask('updateGroup', {
        as: admin,
        anyVersion: true,
        params: { groupId },
        body: { rpm },
      });
    }
    const query = { subjectId: groupId, action: 'updateGroup', limit: 2 };
    const first = (await fixture.ask('listAuditEntries', { as: admin, query })).reply;
    const cursor = first.nextCursor ?? '';
    const rest = (await fixture.ask('listAuditEntries', { as: admin, query: { ...query, cursor } }))
      .reply;
    const rpms = [...first.data, ...rest.data].map(({ after }) => (after as { rpm: number }).rpm);
    expect(rpms).toEqual([3, 2, 1]);
    const later = { from: new Date(Date.now() + 60_000).toISOString() };
    expect((await fixture.ask('listAuditEntries', { as: admin, query: later })).reply.data).toEqual(
      [],
    );
  });

  it('is filtered by a part of an address and of a name, and by time', async () => {
    const { groupId, publicId, modelId } = await makeCatalog(fixture, admin);
    const other = await fixture.admin();
    const params = { modelId };
    const body = { displayName: 'Filtered' };
    await fixture.ask('updateModel', { as: other, anyVersion: true, params, body });
    const found = async (query: object) =>
      (await fixture.ask('listAuditEntries', { as: admin, query })).reply.data;
    const ofOther = await found({ user: other.email.slice(2).toUpperCase() });
    expect(ofOther.map(({ action }) => action)).toEqual(['updateModel']);
    const ofModel = await found({ subject: publicId.slice(3) });
    expect(ofModel.map(({ subjectId }) => subjectId)).toEqual([modelId, modelId, modelId]);
    expect((await found({ subject: groupId })).map(({ subjectId }) => subjectId)).toEqual([
      groupId,
    ]);
    expect(await found({ subject: publicId, user: other.email })).toHaveLength(1);
    const { at = '' } = ofOther[0] ?? {};
    expect(await found({ subject: publicId, to: at })).toHaveLength(2);
    expect(await found({ subject: 'is nowhere' })).toEqual([]);
  });

  it('comes as a file by the same filters, across pages, and runs no formula', async () => {
    const name = '=1+1 exported';
    const made = await fixture.ask('createGroup', { as: admin, body: { name } });
    await fixture.pool.query(
      `insert into audit_entries (user_email, by, address, request_id, action, subject_kind, subject_id)
       select '=evil', 'session', '192.0.2.1', n::text, 'updateGroup', 'group', $1
       from generate_series(1, 1200) n`,
      [made.reply.id],
    );
    const query = { subjectId: made.reply.id };
    const file = await fixture.ask('exportAuditEntries', { as: admin, query });
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = file.text.trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFFat_utc,user_email,by,address,action,/);
    expect(lines).toHaveLength(1_202);
    expect(lines[1]).toContain("'=evil");
    expect(lines.at(-1)).toContain('createGroup');
    const backwards = { from: '2026-02-02T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' };
    const refused = await fixture.ask('exportAuditEntries', { as: admin, query: backwards });
    expect(refused.status).toBe(400);
  });

  it('is append-only: the database itself refuses anything else', async () => {
    for (const statement of [
      `update audit_entries set user_email = 'someone else'`,
      'delete from audit_entries',
      'truncate audit_entries',
    ]) {
      await expect(fixture.pool.query(statement)).rejects.toThrow('append-only');
    }
  });

  it('has no entry of an act that was refused', async () => {
    const count = async () => (await fixture.pool.query('select 1 from audit_entries')).rows.length;
    const before = await count();
    await fixture.ask('createGroup', { as: admin, body: { name: 'audited' } });
    expect(await count()).toBe(before);
  });
});

/**
 * Uses every route that changes somebody's own credentials, and answers the secrets that it came
 * by.
 */
async function changeCredentials(person: Person): Promise<string[]> {
  const as = person;
  const script = { name: 'script', scope: 'full' };
  const { token, id } = (await fixture.ask('createAccessToken', { as, body: script })).reply;
  await fixture.ask('deleteAccessToken', { as, params: { accessTokenId: id } });
  const newPassword = 'an entirely new password';
  await fixture.ask('changePassword', { as, body: { currentPassword: PASSWORD, newPassword } });
  const begun = await fixture.ask('beginSecondFactor', { as, body: { password: newPassword } });
  const { secret } = begun.reply;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirmed = await fixture.ask('confirmSecondFactor', { as, body: { code } });
  const [first = ''] = confirmed.reply.recoveryCodes;
  const proof = { password: newPassword, code: first };
  const renewed = await fixture.ask('renewRecoveryCodes', { as, body: proof });
  const [second = ''] = renewed.reply.recoveryCodes;
  await fixture.ask('removeSecondFactor', { as, body: { password: newPassword, code: second } });
  await fixture.ask('requestPasswordReset', { body: { email: person.email } });
  const link = fixture.lastLink(person.email).token;
  await fixture.ask('resetPassword', { body: { token: link, password: PASSWORD } });
  return [token, token.slice(0, 15), newPassword, PASSWORD, secret, first, second, link];
}

describe('credentials', () => {
  it('of an administrator leave an entry with each change, and none of it is secret', async () => {
    const other = await fixture.admin();
    const secrets = await changeCredentials(other);
    const query = { userId: other.userId };
    const log = await fixture.ask('listAuditEntries', { as: admin, query });
    const user = { subjectKind: 'user', subjectId: other.userId };
    expect(log.reply.data).toMatchObject([
      { action: 'resetPassword', by: 'link', ...user },
      { action: 'removeSecondFactor', after: { secondFactor: false }, ...user },
      { action: 'renewRecoveryCodes', ...user },
      { action: 'confirmSecondFactor', after: { secondFactor: true }, ...user },
      { action: 'changePassword', by: 'session', ...user },
      { action: 'deleteAccessToken', subjectKind: 'access_token', before: { name: 'script' } },
      { action: 'createAccessToken', subjectKind: 'access_token', after: { scope: 'full' } },
    ]);
    for (const secret of secrets) expect(log.text).not.toContain(secret);
  });

  it('of other users leave none', async () => {
    const person = await fixture.user();
    await changeCredentials(person);
    const query = { userId: person.userId };
    const log = await fixture.ask('listAuditEntries', { as: admin, query });
    expect(log.reply.data).toEqual([]);
  });
});

const rotated = { resealed: 0, unreadable: 0, finishedAt: '2026-01-01T00:00:00.000Z' };
const receipt: AuditReceipt = NOTHING_CHANGED;
const audited: Handler<'rotateSecrets'> = () => Promise.resolve({ view: rotated, audit: receipt });

// @ts-expect-error An act of an administrator needs the receipt of its entry.
const forgotten: Handler<'rotateSecrets'> = () => Promise.resolve(rotated);
// @ts-expect-error What administrators do with their own credentials, too.
const forgottenOwn: Handler<'changePassword'> = () => Promise.resolve(undefined);
// @ts-expect-error Nothing else passes for a receipt.
const forged: Handler<'rotateSecrets'> = () => Promise.resolve({ view: rotated, audit: {} });

describe('an act without an entry in the log', () => {
  it('does not compile', () => {
    expect([audited, forgotten, forgottenOwn, forged]).toHaveLength(4);
  });

  it('is told from the others by the same rule at run time as by the compiler', () => {
    type Listed = {
      [Id in RouteId]: (typeof ADMIN_ROUTES)[Id] extends AuditedRoute ? Id : never;
    }[RouteId];
    const ids: Listed[] = Object.entries<AdminRoute>(ADMIN_ROUTES).flatMap(([id, route]) =>
      isAudited(route) ? [id as Listed] : [],
    );
    expect(ids).toContain('exportRedemptionBatch');
    expect(ids).not.toContain('listRedemptionBatches');
  });
});
