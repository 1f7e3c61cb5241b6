import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { giveMoney, makeCatalog, makeKey } from '../support/catalog.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

describe('an account', () => {
  it('shows its live balance', async () => {
    const owner = await fixture.user();
    await giveMoney(fixture, { admin, to: owner, amountUsd: '12.000000001' });
    const account = (await fixture.ask('getOwnAccount', { as: owner })).reply;
    expect(account.balance).toEqual({
      availableUsd: '12.000000001',
      heldUsd: '0',
      owedUsd: '0',
      requestsInFlight: 0,
    });
  });

  it('shows no balance rather than an old one while the ledger is away', async () => {
    const away = await createAdminFixture();
    const owner = await away.user();
    away.ledger.accountState = () => Promise.reject(new Error('no ledger'));
    const account = await away.ask('getOwnAccount', { as: owner });
    expect(account.status).toBe(200);
    expect(account.reply.balance).toBeNull();
    await away.close();
  });

  it('lets its owner choose which money is used first, without an audit entry', async () => {
    const owner = await fixture.user();
    const seen = await fixture.ask('getOwnAccount', { as: owner });
    const changed = await fixture.ask('updateOwnAccount', {
      as: owner,
      headers: { 'if-match': String(seen.headers['etag']) },
      body: { subscriptionPreference: 'balance_first', name: 'My company' },
    });
    expect(changed.reply).toMatchObject({
      subscriptionPreference: 'balance_first',
      name: 'My company',
    });
    expect(changed.headers['etag']).not.toBe(seen.headers['etag']);
  });

  it('keeps its version while only its balance moves', async () => {
    const owner = await fixture.user();
    const seen = await fixture.ask('getOwnAccount', { as: owner });
    await giveMoney(fixture, { admin, to: owner, amountUsd: '5' });
    const later = await fixture.ask('getOwnAccount', { as: owner });
    expect(later.headers['etag']).toBe(seen.headers['etag']);
  });
});

describe('an administrator', () => {
  it('opens an account whose user chooses a password by a link', async () => {
    const email = 'Invited@Example.org';
    const made = await fixture.ask('createAccount', {
      as: admin,
      body: { name: 'Invited', email },
    });
    expect(made.status).toBe(201);
    const { token } = fixture.lastLink(email.toLowerCase());
    await fixture.ask('resetPassword', { body: { token, password: PASSWORD } });
    const login = await fixture.ask('logIn', { body: { email, password: PASSWORD } });
    expect(login.reply.user).toMatchObject({ accountId: made.reply.id, emailVerified: true });
  });

  it('finds accounts by name, address and id', async () => {
    const owner = await fixture.user('needle@haystack.example');
    await giveMoney(fixture, { admin, to: owner, amountUsd: '3' });
    for (const search of ['needle@', 'HAYSTACK', owner.accountId]) {
      const { data } = (await fixture.ask('listAccounts', { as: admin, query: { search } })).reply;
      expect(data.map(({ id }) => id)).toEqual([owner.accountId]);
      expect(data[0]).toMatchObject({ bookBalanceUsd: '3', emails: ['needle@haystack.example'] });
    }
    const none = await fixture.ask('listAccounts', { as: admin, query: { search: '%' } });
    expect(none.reply.data).toEqual([]);
  });

  it('suspends and limits an account; gateways are told by the change feed', async () => {
    const owner = await fixture.user();
    const params = { accountId: owner.accountId };
    const before = await fixture.pool.query<{ sequence: number }>(
      'select max(sequence) as sequence from changes',
    );
    const changed = await fixture.ask('updateAccount', {
      as: admin,
      anyVersion: true,
      params,
      body: { status: 'suspended', concurrencyMax: 3 },
    });
    expect(changed.reply).toMatchObject({ status: 'suspended', concurrencyMax: 3 });
    const { rows } = await fixture.pool.query('select kind, ref from changes where sequence > $1', [
      before.rows[0]?.sequence ?? 0,
    ]);
    expect(rows).toContainEqual({ kind: 'account', ref: owner.accountId });
    const list = await fixture.ask('listAccounts', { as: admin, query: { status: 'suspended' } });
    expect(list.reply.data.map(({ id }) => id)).toContain(owner.accountId);
  });

  it('sees everything of a customer on one page', async () => {
    const owner = await fixture.user();
    const { groupId } = await makeCatalog(fixture, admin);
    await makeKey(fixture, owner, groupId);
    const newer = await Promise.all(
      Array.from({ length: 10 }, () => makeKey(fixture, owner, groupId)),
    );
    await giveMoney(fixture, { admin, to: owner, amountUsd: '7' });
    const params = { accountId: owner.accountId };
    const overview = (await fixture.ask('getAccountOverview', { as: admin, params })).reply;
    expect(overview.users.map(({ email }) => email)).toEqual([owner.email]);
    expect(overview.keys.map(({ id }) => id).toSorted()).toEqual(
      newer.map(({ id }) => id).toSorted(),
    );
    expect(overview.recentCredits[0]).toMatchObject({ amountUsd: '7', reason: 'a gift' });
    expect(overview.account.balance?.availableUsd).toBe('7');
    for (const { value } of newer) expect(JSON.stringify(overview)).not.toContain(value);
  });
});
