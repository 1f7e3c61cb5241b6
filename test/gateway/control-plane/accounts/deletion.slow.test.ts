import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, makeKey, makeRichUser, type Catalog } from '../support/catalog.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';
import { buyPlan, makePlan } from '../support/plans.ts';
import { insertUsage } from '../support/usage.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(() => fixture.close());

const remove = ({ accountId }: Person, as: Person = admin) =>
  fixture.ask('deleteAccount', { as, params: { accountId } });

/** An alert about a customer, with its state and the message about it. */
async function beAlerted(accountId: string, name: string): Promise<void> {
  await fixture.pool.query(
    `with rule as (
       insert into alert_rules (id, name, kind, terms)
       values (gen_random_uuid(), gen_random_uuid()::text, 'customer_balance', '{}') returning id),
     state as (
       insert into alert_states (rule_id, subject, name) select id, $1::text, $2 from rule),
     event as (
       insert into alert_events (id, rule_id, rule_name, kind, subjects)
       select gen_random_uuid(), id, 'low', 'fired',
         jsonb_build_array(jsonb_build_object('id', $1::text, 'name', $2::text, 'value', '$1')) from rule
       returning id)
     insert into deliveries (id, event_id, via, address, subject, body)
     select gen_random_uuid(), id, 'mail', 'ops@example.org', 'low', $2 from event`,
    [accountId, name],
  );
}

/** A customer with something of everything. */
async function makeCustomer() {
  const owner = await makeRichUser(fixture, { admin, amountUsd: '50' });
  const as = owner;
  await fixture.ask('updateOwnAccount', { as, anyVersion: true, body: { name: 'Grace’s lab' } });
  const key = await makeKey(fixture, owner, catalog.groupId);
  const params = { keyId: key.id };
  const personal = { name: 'Grace at home', ipAllowlist: ['198.51.100.7'] };
  await fixture.ask('updateKey', { as, params, anyVersion: true, body: personal });
  await fixture.ask('rotateKey', { as, params, body: { overlapSeconds: 3_600 } });
  await fixture.ask('createAccessToken', { as, body: { name: 'CI', scope: 'full' } });
  await fixture.ask('beginSecondFactor', { as, body: { password: PASSWORD } });
  await fixture.ask('updateNoticeSettings', { as, body: { lowBalanceUsd: '5' } });
  await fixture.ask('requestPasswordReset', { body: { email: owner.email } });
  const plan = await makePlan(fixture, admin, { groupId: catalog.groupId });
  await buyPlan(fixture, owner, plan.id, { renews: true });
  const { accountId } = owner;
  const usage = { accountId, keyId: key.id, groupId: catalog.groupId, model: catalog.publicId };
  const [requestId = ''] = await insertUsage(fixture.pool, [usage]);
  // What an administrator did to the user, which the audit log quotes.
  const disable = { status: 'disabled' as const };
  await fixture.ask('updateKeyOfAnyone', { as: admin, params, anyVersion: true, body: disable });
  await fixture.ask('updateUser', {
    as: admin,
    params: { userId: owner.userId },
    anyVersion: true,
    body: { disabled: false },
  });
  const grant = { accountId, planId: plan.id, reason: 'a gift' };
  await fixture.ask('grantSubscription', { as: admin, body: grant });
  await beAlerted(accountId, 'Grace’s lab');
  return { owner, keyId: key.id, requestId };
}

/** Rows of tables that are books, as text. */
async function booksOf(accountId: string): Promise<string[]> {
  const texts: string[] = [];
  for (const table of ['credits', 'journal_entries', 'usage_records', 'usage_daily']) {
    const { rows } = await fixture.pool.query<{ row: string }>(
      `select t::text as row from ${table} t where account_id = $1 order by 1`,
      [accountId],
    );
    texts.push(...rows.map(({ row }) => row));
  }
  return texts;
}

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await fixture.pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await fixture.pool.query<{ row: string }>(
      `select t::text as row from ${name} t`,
    );
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

describe('an account that is deleted', () => {
  it('leaves nothing personal anywhere, and all of its books', async () => {
    const { owner, keyId, requestId } = await makeCustomer();
    const books = await booksOf(owner.accountId);
    expect(books.length).toBeGreaterThan(4);
    const personal = [owner.email, 'Grace’s lab', 'Grace at home', '198.51.100.7'];
    const before = await dump();
    for (const text of personal) expect(before).toContain(text);

    expect((await remove(owner)).status).toBe(204);

    const after = await dump();
    for (const text of personal) expect(after).not.toContain(text);
    expect(await booksOf(owner.accountId)).toEqual(books);
    const tables = ['sessions', 'access_tokens', 'link_tokens', 'second_factors', 'recovery_codes'];
    for (const table of tables) {
      const text = `select from ${table} where user_id = $1`;
      expect((await fixture.pool.query(text, [owner.userId])).rowCount, table).toBe(0);
    }
    const key = await fixture.pool.query('select status from keys where id = $1', [keyId]);
    expect(key.rows).toEqual([{ status: 'deleted' }]);
    const aliases = 'select from key_aliases where key_id = $1';
    expect((await fixture.pool.query(aliases, [keyId])).rowCount).toBe(0);
    const records = await fixture.ask('listUsageRecords', {
      as: admin,
      query: { accountId: owner.accountId },
    });
    expect(records.reply.data.map((record) => record.requestId)).toEqual([requestId]);
  });

  it('lets nobody in, and its address may register again', async () => {
    const { owner } = await makeCustomer();
    await remove(owner);
    expect((await fixture.ask('getOwnUser', { as: owner })).problem.code).toBe('not_authenticated');
    const { email } = owner;
    const login = await fixture.ask('logIn', { body: { email, password: PASSWORD } });
    expect(login.problem.code).toBe('invalid_credentials');
    await fixture.ask('register', { body: { email, password: PASSWORD } });
    const again = await fixture.ask('logIn', { body: { email, password: PASSWORD } });
    expect(again.reply.user.accountId).not.toBe(owner.accountId);
  });

  it('is shown as deleted, with what it paid and used', async () => {
    const { owner } = await makeCustomer();
    await remove(owner);
    const params = { accountId: owner.accountId };
    const { account, keys, subscriptions, recentCredits } = (
      await fixture.ask('getAccountOverview', { as: admin, params })
    ).reply;
    expect(account).toMatchObject({ name: 'Deleted account', status: 'suspended' });
    expect(account.deletedAt).not.toBeNull();
    expect(keys).toEqual([]);
    expect(subscriptions).toMatchObject([{ status: 'cancelled', renews: false }]);
    expect(recentCredits.length).toBeGreaterThan(1);
    const list = await fixture.ask('listAccounts', {
      as: admin,
      query: { search: owner.accountId },
    });
    expect(list.reply.data).toMatchObject([{ emails: [], deletedAt: account.deletedAt }]);
    const users = await fixture.ask('listUsers', { as: admin, query: params });
    expect(users.reply.data).toEqual([]);
  });

  it('can neither be deleted again nor brought back, as account or as user', async () => {
    const { owner } = await makeCustomer();
    await remove(owner);
    expect((await remove(owner)).problem.code).toBe('state_conflict');
    const account = { accountId: owner.accountId };
    const active = await fixture.ask('updateAccount', {
      as: admin,
      params: account,
      anyVersion: true,
      body: { status: 'active' },
    });
    expect(active.problem.code).toBe('state_conflict');
    const params = { userId: owner.userId };
    const enabled = await fixture.ask('updateUser', {
      as: admin,
      params,
      anyVersion: true,
      body: { disabled: false },
    });
    const reset = await fixture.ask('resetPasswordOfUser', { as: admin, params });
    const moved = await fixture.ask('changeEmailOfUser', {
      as: admin,
      params,
      body: { email: 'back@example.org' },
    });
    const codes = [enabled, reset, moved].map(({ problem }) => problem.code);
    expect(codes).toEqual(['not_found', 'not_found', 'not_found']);
  });

  it('is in the audit log, whose other entries stay as they are', async () => {
    const { owner } = await makeCustomer();
    const other = await makeCustomer();
    const entries = async () =>
      (
        await fixture.pool.query<{ row: string }>(
          `select (to_jsonb(a) - 'before' - 'after')::text || case when subject_id = any ($1) then '' else
             coalesce(before::text, '') || coalesce(after::text, '') end as row
           from audit_entries a order by id`,
          [[owner.accountId, owner.userId]],
        )
      ).rows.map(({ row }) => row);
    const keyNames = await fixture.pool.query(
      `update keys set name = 'Grace at home' where id = $1`,
      [other.keyId],
    );
    expect(keyNames.rowCount).toBe(1);
    const before = await entries();
    await remove(owner);
    const after = await entries();
    // Only what quotes the user has changed, and the deletion has come.
    const changed = before.filter((row, index) => row !== after[index]);
    expect(changed.every((row) => /Grace at home|Grace’s lab/.test(row))).toBe(true);
    expect(after).toHaveLength(before.length + 1);
    const log = await fixture.ask('listAuditEntries', { as: admin });
    expect(log.reply.data[0]).toMatchObject({
      action: 'deleteAccount',
      subjectId: owner.accountId,
      userEmail: admin.email,
    });
    const quoted = await fixture.pool.query(
      `select from audit_entries where subject_id = $1 and after::text like '%Grace at home%'`,
      [other.keyId],
    );
    expect(quoted.rowCount).toBeGreaterThan(0);
  });
});

describe('the deletion of an account is refused', () => {
  it('to a logged-in user, and while an administrator or supporter belongs to it', async () => {
    const [other, support] = [await fixture.admin(), await fixture.support()];
    for (const staff of [admin, other, support]) {
      expect((await remove(staff)).problem.code).toBe('state_conflict');
    }
    expect((await remove(await fixture.user(), support)).problem.code).toBe('role_required');
  });

  it('of one that is not there', async () => {
    const params = { accountId: '00000000-0000-7000-8000-000000000000' };
    const gone = await fixture.ask('deleteAccount', { as: admin, params });
    expect(gone.problem.code).toBe('not_found');
  });
});

describe('entries of the audit log', () => {
  it.each([
    `update audit_entries set action = 'other'`,
    `update audit_entries set before = null`,
    'delete from audit_entries',
    'truncate audit_entries',
  ])('cannot be changed: %s', async (statement) => {
    await expect(fixture.pool.query(statement)).rejects.toThrow('append-only');
  });

  it('keep who, what and when even while something is erased', async () => {
    const client = await fixture.pool.connect();
    await client.query('begin');
    await client.query(`select set_config('weir.erasing', 'on', true)`);
    const changed = client.query(`update audit_entries set user_email = 'other'`);
    await expect(changed).rejects.toThrow('append-only');
    await client.query('rollback');
    client.release();
  });
});
