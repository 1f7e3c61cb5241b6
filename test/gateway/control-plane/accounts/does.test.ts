import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { giveMoney, makeCatalog, makeKey } from '../support/catalog.ts';
import { layAdminGround, PASSWORD, type AdminGround, type Person } from '../support/ground.ts';

let ground: AdminGround;
let admin: Person;

beforeAll(async () => {
  ground = await layAdminGround();
  admin = await ground.admin();
});
afterAll(() => ground.close());

describe('an account', () => {
  it('shows its live balance', async () => {
    const owner = await ground.user();
    await giveMoney(ground, { admin, to: owner, amountUsd: '12.000000001' });
    const account = (await ground.ask('getOwnAccount', { as: owner })).reply;
    expect(account.balance).toEqual({
      availableUsd: '12.000000001',
      heldUsd: '0',
      owedUsd: '0',
      requestsInFlight: 0,
    });
  });

  it('shows no balance rather than an old one while the ledger is away', async () => {
    const away = await layAdminGround();
    const owner = await away.user();
    away.ledger.accountState = () => Promise.reject(new Error('no ledger'));
    const account = await away.ask('getOwnAccount', { as: owner });
    expect(account.status).toBe(200);
    expect(account.reply.balance).toBeNull();
    await away.close();
  });

  it('lets its owner choose which money is used first, without an audit entry', async () => {
    const owner = await ground.user();
    const seen = await ground.ask('getOwnAccount', { as: owner });
    const changed = await ground.ask('updateOwnAccount', {
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
    const owner = await ground.user();
    const seen = await ground.ask('getOwnAccount', { as: owner });
    await giveMoney(ground, { admin, to: owner, amountUsd: '5' });
    const later = await ground.ask('getOwnAccount', { as: owner });
    expect(later.headers['etag']).toBe(seen.headers['etag']);
  });
});

describe('an administrator', () => {
  it('opens an account whose user chooses a password by a link', async () => {
    const email = 'Invited@Example.org';
    const made = await ground.ask('createAccount', { as: admin, body: { name: 'Invited', email } });
    expect(made.status).toBe(201);
    const { token } = ground.lastLink(email.toLowerCase());
    await ground.ask('resetPassword', { body: { token, password: PASSWORD } });
    const login = await ground.ask('logIn', { body: { email, password: PASSWORD } });
    expect(login.reply.user).toMatchObject({ accountId: made.reply.id, emailVerified: true });
  });

  it('finds accounts by name, address and id', async () => {
    const owner = await ground.user('needle@haystack.example');
    await giveMoney(ground, { admin, to: owner, amountUsd: '3' });
    for (const search of ['needle@', 'HAYSTACK', owner.accountId]) {
      const { data } = (await ground.ask('listAccounts', { as: admin, query: { search } })).reply;
      expect(data.map(({ id }) => id)).toEqual([owner.accountId]);
      expect(data[0]).toMatchObject({ bookBalanceUsd: '3', emails: ['needle@haystack.example'] });
    }
    const none = await ground.ask('listAccounts', { as: admin, query: { search: '%' } });
    expect(none.reply.data).toEqual([]);
  });

  it('suspends and limits an account; gateways are told by the change feed', async () => {
    const owner = await ground.user();
    const params = { accountId: owner.accountId };
    const before = await ground.pool.query<{ sequence: number }>(
      'select max(sequence) as sequence from changes',
    );
    const changed = await ground.ask('updateAccount', {
      as: admin,
      anyVersion: true,
      params,
      body: { status: 'suspended', concurrencyMax: 3 },
    });
    expect(changed.reply).toMatchObject({ status: 'suspended', concurrencyMax: 3 });
    const { rows } = await ground.pool.query('select kind, ref from changes where sequence > $1', [
      before.rows[0]?.sequence ?? 0,
    ]);
    expect(rows).toContainEqual({ kind: 'account', ref: owner.accountId });
    const list = await ground.ask('listAccounts', { as: admin, query: { status: 'suspended' } });
    expect(list.reply.data.map(({ id }) => id)).toContain(owner.accountId);
  });

  it('sees everything of a customer on one page', async () => {
    const owner = await ground.user();
    const { groupId } = await makeCatalog(ground, admin);
    const key = await makeKey(ground, owner, groupId);
    await giveMoney(ground, { admin, to: owner, amountUsd: '7' });
    const params = { accountId: owner.accountId };
    const overview = (await ground.ask('getAccountOverview', { as: admin, params })).reply;
    expect(overview.users.map(({ email }) => email)).toEqual([owner.email]);
    expect(overview.keys.map(({ id }) => id)).toEqual([key.id]);
    expect(overview.recentCredits[0]).toMatchObject({ amountUsd: '7', reason: 'a gift' });
    expect(overview.account.balance?.availableUsd).toBe('7');
    expect(JSON.stringify(overview)).not.toContain(key.value);
  });
});
