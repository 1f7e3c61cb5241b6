import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eraseOldContent } from '../../../../gateway/content-log/erase-content.ts';
import { captured, stored, write } from '../../content-log/support/content-fixture.ts';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { openCompany, type Company } from '../support/company.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

const DAY_MS = 86_400_000;

let fixture: AdminFixture;
let support: Person;
let catalog: Catalog;
let company: Company;
let owner: Person;
let keyId: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  support = await fixture.support();
  catalog = await makeCatalog(fixture, await fixture.admin());
});
afterAll(() => fixture.close());

beforeEach(async () => {
  company = await openCompany(fixture, await fixture.user());
  ({ owner } = company);
  keyId = await makeKey();
});

async function makeKey(body: object = {}): Promise<string> {
  const made = await fixture.ask('createKey', {
    as: owner,
    body: { name: 'a key', groupId: catalog.groupId, ...body },
  });
  return made.reply.id;
}

async function switchOn(days = 7): Promise<void> {
  await fixture.ask('setContentLog', {
    as: owner,
    params: { keyId },
    body: { enabled: true, days },
  });
}

/** Keeps the content of a request with the key. Returns its id. */
async function keep(request: string, reply = 'data: {}\n\n', atMs = Date.now()): Promise<string> {
  const content = captured({ keyId, accountId: company.accountId }, { request, reply, atMs });
  await write(fixture.pool, [content]);
  return content.requestId;
}

const read = async (requestId: string) =>
  fixture.ask('getOwnContent', { as: owner, params: { requestId } });

describe('a content log', () => {
  it('is off until the owner of the key switches it on, and the key says so', async () => {
    const contentLog = async () =>
      (await fixture.ask('getKey', { as: owner, params: { keyId } })).reply.contentLog;
    expect(await contentLog()).toBeNull();
    const before = await keep('before');
    await switchOn();
    expect(await contentLog()).toEqual({ days: 7 });
    const requestId = await keep('{"prompt":"Grüße"}');
    const { reply } = await read(requestId);
    expect(reply).toMatchObject({
      requestId,
      outcome: 'kept',
      cutAtBytes: null,
      request: { encoding: 'utf8', text: '{"prompt":"Grüße"}', bytes: 20 },
      reply: { encoding: 'utf8', text: 'data: {}\n\n', bytes: 10 },
    });
    expect(Date.parse(reply.keptUntil) - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
    expect((await read(before)).status).toBe(404);
  });

  it('of a key of the account is for the person who created it', async () => {
    keyId = await makeKey({ owner: 'account' });
    await switchOn();
    expect((await read(await keep('service'))).reply.request?.text).toBe('service');
  });

  it('is switched off and leaves what was kept, or deletes it at once', async () => {
    await switchOn();
    const requestId = await keep('kept');
    const params = { keyId };
    await fixture.ask('setContentLog', { as: owner, params, body: { enabled: false } });
    const later = await keep('later');
    expect((await read(requestId)).reply.request?.text).toBe('kept');
    expect((await read(later)).status).toBe(404);
    const body = { enabled: false, erase: true };
    await fixture.ask('setContentLog', { as: owner, params, body });
    expect((await read(requestId)).status).toBe(404);
    await eraseOldContent(fixture, 30);
    expect(await stored(fixture.pool, requestId)).toBeUndefined();
  });

  it('is on again after a deletion, without what was deleted', async () => {
    await switchOn();
    const requestId = await keep('old', 'reply', Date.now() - 1_000);
    const body = { enabled: true, days: 3, erase: true };
    await fixture.ask('setContentLog', { as: owner, params: { keyId }, body });
    expect((await read(requestId)).status).toBe(404);
    expect((await read(await keep('new', 'reply', Date.now() + 1_000))).status).toBe(200);
  });

  it('is not shown for a day longer than it is kept, also before it is deleted', async () => {
    await switchOn(30);
    const requestId = await keep('old', 'reply', Date.now() - 3 * DAY_MS);
    expect((await read(requestId)).status).toBe(200);
    await switchOn(2);
    expect((await read(requestId)).status).toBe(404);
  });

  it('is gone with its key', async () => {
    await switchOn();
    const requestId = await keep('kept');
    await fixture.ask('deleteKey', { as: owner, params: { keyId } });
    expect((await read(requestId)).status).toBe(404);
    await eraseOldContent(fixture, 30);
    expect(await stored(fixture.pool, requestId)).toBeUndefined();
  });

  it('is gone with its account', async () => {
    await switchOn();
    const requestId = await keep('kept');
    const admin = await fixture.admin();
    await fixture.ask('deleteAccount', { as: admin, params: { accountId: company.accountId } });
    await eraseOldContent(fixture, 30);
    expect(await stored(fixture.pool, requestId)).toBeUndefined();
  });

  it('has entries in the audit log of the account, without any content', async () => {
    await switchOn();
    await keep('a secret prompt');
    const { text, reply } = await fixture.ask('listAccountAuditEntries', { as: owner });
    expect(reply.data[0]).toMatchObject({
      action: 'setContentLog',
      subjectId: keyId,
      before: { contentLog: null },
      after: { contentLog: { days: 7 } },
    });
    expect(text).not.toContain('a secret prompt');
  });

  it('shows bytes that are no text as base 64, and cut text without half a character', async () => {
    await switchOn();
    const content = captured({ keyId, accountId: company.accountId });
    const bodies = { request: Uint8Array.of(0, 255, 254), reply: Uint8Array.of(0x61, 0xc3) };
    await write(fixture.pool, [{ ...content, bodies }]);
    const { reply } = await read(content.requestId);
    expect(reply.request).toMatchObject({ encoding: 'base64', text: 'AP/+' });
    expect(reply.reply).toMatchObject({ encoding: 'utf8', text: 'a' });
  });

  it('keeps what PostgreSQL takes in no text: U+0000, escaped or not', async () => {
    await switchOn();
    for (const prompt of [String.raw`{"text":"a\u0000b"}`, 'a\u0000b']) {
      expect((await read(await keep(prompt))).reply.request?.text).toBe(prompt);
    }
  });

  it('says of a request that its content was not kept', async () => {
    await switchOn();
    const content = captured({ keyId, accountId: company.accountId });
    await write(fixture.pool, [{ ...content, bodies: null }]);
    const { reply } = await read(content.requestId);
    expect(reply).toMatchObject({ outcome: 'queue_full', request: null, reply: null });
  });
});

describe('the owner of an account', () => {
  it('forbids content logs, which switches them off and deletes what is kept', async () => {
    await switchOn();
    const requestId = await keep('kept');
    const { reply } = await fixture.ask('updateContentPolicy', {
      as: owner,
      body: { allowed: false },
    });
    expect(reply).toEqual({ allowed: false, supportUntil: null, daysMax: 30, bytesMax: 262_144 });
    expect((await read(requestId)).status).toBe(404);
    const params = { keyId };
    const key = await fixture.ask('getKey', { as: owner, params });
    expect(key.reply.contentLog).toBeNull();
    const body = { enabled: true, days: 7 };
    const refused = await fixture.ask('setContentLog', { as: owner, params, body });
    expect(refused.problem).toMatchObject({ code: 'state_conflict' });
    await fixture.ask('updateContentPolicy', { as: owner, body: { allowed: true } });
    expect((await fixture.ask('getKey', { as: owner, params })).reply.contentLog).toBeNull();
    await switchOn();
  });

  it('lets operators read for a while, and sees each of their looks', async () => {
    await switchOn();
    const requestId = await keep('{"prompt":"help me"}');
    const look = () => fixture.ask('getContent', { as: support, params: { requestId } });
    expect((await look()).problem).toMatchObject({ code: 'role_required' });
    const supportUntil = new Date(Date.now() + DAY_MS).toISOString();
    const body = { supportUntil };
    const policy = await fixture.ask('updateContentPolicy', { as: owner, body });
    expect(policy.reply.supportUntil).toBe(supportUntil);
    expect((await look()).reply.request?.text).toBe('{"prompt":"help me"}');
    const entries = await fixture.ask('listAccountAuditEntries', { as: owner });
    expect(entries.reply.data[0]).toMatchObject({
      action: 'getContent',
      userEmail: support.email,
      // Where an operator works is no business of a customer.
      address: '',
      subjectId: keyId,
      after: { requestId },
    });
    expect(entries.text).not.toContain('help me');
    await fixture.ask('updateContentPolicy', { as: owner, body: { supportUntil: null } });
    expect((await look()).problem).toMatchObject({ code: 'role_required' });
    await fixture.pool.query(
      `update accounts set content_support_until = now() - interval '1 second' where id = $1`,
      [company.accountId],
    );
    expect((await look()).problem).toMatchObject({ code: 'role_required' });
  });
});
