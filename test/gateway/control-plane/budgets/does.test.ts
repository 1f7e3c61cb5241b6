import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { insertUsage } from '../support/usage.ts';

const DAY_MS = 86_400_000;

let fixture: AdminFixture;
let owner: Person;
let keyId: string;
let teamId: number;
let memberId: number;
let catalog: { readonly groupId: string; readonly publicId: string };

beforeAll(async () => {
  fixture = await createAdminFixture();
  catalog = await makeCatalog(fixture, await fixture.admin());
});
afterAll(() => fixture.close());

/** An account with a team and one member, who is in it. */
beforeEach(async () => {
  owner = await fixture.user();
  keyId = (await makeKey(fixture, owner, catalog.groupId)).id;
  const { rows } = await fixture.pool.query<{ teamId: number; memberId: number }>(
    `with team as (insert into teams (account_id, name) values ($1, 'Research') returning id)
     update members set team_id = team.id from team where account_id = $1 returning team_id as "teamId", members.id as "memberId"`,
    [owner.accountId],
  );
  ({ teamId = 0, memberId = 0 } = rows[0] ?? {});
});

const list = async () => (await fixture.ask('listBudgets', { as: owner })).reply;

const put = (budgetScope: string, body: object) =>
  fixture.ask('updateBudget', { as: owner, params: { budgetScope }, body });

const enter = (createdAtMs = Date.now()) =>
  insertUsage(fixture.pool, [
    {
      accountId: owner.accountId,
      keyId,
      groupId: catalog.groupId,
      model: catalog.publicId,
      memberId,
      teamId,
      createdAtMs,
    },
  ]);

async function changes(): Promise<string[]> {
  const { rows } = await fixture.pool.query<{ kind: string }>(
    `select kind from changes where ref = $1 order by sequence desc limit 1`,
    [owner.accountId],
  );
  return rows.map(({ kind }) => kind);
}

describe('budgets', () => {
  it('are listed for the account, its teams and its members, with their spend', async () => {
    await enter();
    const { data, timeZone, dayResetsAt, monthResetsAt } = await list();
    const none = { totalUsd: null, dayUsd: null, monthUsd: null };
    const spend = { totalUsd: '0.007', dayUsd: '0.007', monthUsd: '0.007' };
    expect(data).toMatchObject([
      { scope: 'account', kind: 'account', ...none, spend: null },
      { scope: `team:${teamId}`, kind: 'team', name: 'Research', ...none, spend },
      { scope: `member:${memberId}`, kind: 'member', name: owner.email, ...none, spend },
    ]);
    expect(timeZone).toBe('UTC');
    const nowMs = Date.now();
    expect(Date.parse(dayResetsAt) % DAY_MS).toBe(0);
    expect(Date.parse(dayResetsAt) - nowMs).toBeLessThanOrEqual(DAY_MS);
    expect(monthResetsAt).toMatch(/-01T00:00:00/);
  });

  it.each(['account', 'team', 'member'])(
    'of a %s reach the gateways and are kept',
    async (kind) => {
      const scope = { account: 'account', team: `team:${teamId}`, member: `member:${memberId}` }[
        kind
      ];
      if (scope === undefined) throw new Error('a scope');
      const view = (await put(scope, { dayUsd: '5', totalUsd: '100' })).reply;
      expect(view).toMatchObject({ scope, totalUsd: '100', dayUsd: '5', monthUsd: null });
      expect(await changes()).toEqual(['account']);
      expect((await put(scope, { dayUsd: null })).reply).toMatchObject({
        totalUsd: '100',
        dayUsd: null,
      });
      await put(scope, { totalUsd: null });
      const { rowCount } = await fixture.pool.query(
        'select from spend_budgets where account_id = $1',
        [owner.accountId],
      );
      expect(rowCount).toBe(0);
    },
  );

  it('of the account count what was spent before them, and nothing twice', async () => {
    await enter();
    expect((await put('account', { totalUsd: '1' })).reply.spend?.totalUsd).toBe('0.007');
    await enter();
    await put('account', { totalUsd: null });
    await enter();
    expect((await put('account', { monthUsd: '1' })).reply.spend?.totalUsd).toBe('0.021');
  });

  it('travel with the keys of the account', async () => {
    await put('account', { totalUsd: '3' });
    await put(`team:${teamId}`, { monthUsd: '2' });
    await put(`member:${memberId}`, { dayUsd: '1' });
    const { rows } = await fixture.pool.query<{ shares: object }>(
      'select key_shares($1, $2, null) as shares',
      [owner.accountId, memberId],
    );
    const budget = (period: string, usd: number) => [{ period, limitNanoUsd: usd * 1e9 }];
    expect(rows[0]?.shares).toEqual({
      calendar: null,
      accountBudgets: budget('total', 3),
      team: { id: teamId, budgets: budget('month', 2) },
      member: { id: memberId, budgets: budget('day', 1) },
    });
  });

  it('cost an account of one person nothing', async () => {
    const alone = await fixture.user();
    const { rows } = await fixture.pool.query<{ shares: object | null }>(
      'select key_shares($1, (select id from members where account_id = $1), null) as shares',
      [alone.accountId],
    );
    expect(rows[0]?.shares).toBeNull();
  });

  it('are refused for what is not there, is of another account or cannot be', async () => {
    const other = await fixture.user();
    const { rows } = await fixture.pool.query<{ id: number }>(
      'select id from members where account_id = $1',
      [other.accountId],
    );
    for (const scope of [`member:${String(rows[0]?.id)}`, 'team:999999']) {
      expect((await put(scope, { dayUsd: '1' })).status).toBe(404);
    }
    expect((await put('team:0', { dayUsd: '1' })).status).toBe(400);
    expect((await put('account', { dayUsd: '99999999' })).problem).toMatchObject({
      errors: [{ field: 'dayUsd' }],
    });
  });
});

describe('the time zone of an account', () => {
  const move = (timeZone: string) =>
    fixture.ask('updateTimeZone', { as: owner, body: { timeZone } });

  it('is announced before it is in force, and can be taken back until then', async () => {
    const moved = (await move('Asia/Tokyo')).reply;
    expect(moved).toMatchObject({ timeZone: 'UTC', nextTimeZone: { timeZone: 'Asia/Tokyo' } });
    expect(Date.parse(moved.nextTimeZone?.from ?? '')).toBeGreaterThan(Date.now());
    expect((await move('UTC')).reply.nextTimeZone).toBeNull();
  });

  it('never lets a day begin again', async () => {
    await fixture.pool.query(
      `insert into account_time_zones (account_id, zone, since) values ($1, 'Pacific/Kiritimati', '-infinity')`,
      [owner.accountId],
    );
    const from = (await move('Pacific/Honolulu')).reply.nextTimeZone?.from;
    const { rows } = await fixture.pool.query<{ before: string; after: string }>(
      `select account_local($1, $2::timestamptz - interval '1 ms')::date::text as before,
         account_local($1, $2::timestamptz)::date::text as after`,
      [owner.accountId, from],
    );
    const [dates] = rows;
    if (dates === undefined) throw new Error('one row');
    // 24 hours apart, the two have no date in common: one day is skipped back at the most.
    expect(Date.parse(dates.before) - Date.parse(dates.after)).toBeLessThanOrEqual(DAY_MS);
  });

  it('is refused when there is none of that name', async () => {
    expect((await move('Europe/Berlin2')).problem).toMatchObject({
      errors: [{ field: 'timeZone' }],
    });
  });
});

describe('usage of members and teams', () => {
  it('is in charts, lists, exports and statements', async () => {
    await enter();
    await insertUsage(fixture.pool, [
      { accountId: owner.accountId, keyId, groupId: catalog.groupId, model: catalog.publicId },
    ]);
    for (const [by, of, label] of [
      ['member', String(memberId), owner.email],
      ['team', String(teamId), 'Research'],
    ] as const) {
      const { data } = (await fixture.ask('listOwnUsageDays', { as: owner, query: { by } })).reply;
      expect(data).toMatchObject([
        { of, label, requests: 1, costUsd: '0.007' },
        { of: null, requests: 1, costUsd: '0.007' },
      ]);
      const hours = await fixture.ask('listOwnUsageDays', {
        as: owner,
        query: { by, per: 'hour', from: new Date().toISOString().slice(0, 10) },
      });
      expect(hours.reply.data.map((row) => row.of)).toContain(of);
    }
    const records = await fixture.ask('listOwnUsageRecords', {
      as: owner,
      query: { memberId },
    });
    expect(records.reply.data).toMatchObject([
      { memberId, memberName: owner.email, teamId, teamName: 'Research' },
    ]);
    const chart = await fixture.ask('listOwnUsageDays', { as: owner, query: { teamId } });
    expect(chart.reply.data).toMatchObject([{ requests: 1 }]);
    const csv = (await fixture.ask('exportOwnUsage', { as: owner, query: { teamId } })).text;
    expect(csv.split('\r\n')[1]).toContain(`${memberId},${owner.email},${teamId},Research`);
    const month = new Date().toISOString().slice(0, 7);
    const statement = await fixture.ask('getOwnStatement', { as: owner, params: { month } });
    expect(statement.reply).toMatchObject({
      usageUsd: '0.014',
      members: [{ id: memberId, name: owner.email, requests: 1, costUsd: '0.007' }],
      teams: [{ id: teamId, name: 'Research', requests: 1, costUsd: '0.007' }],
    });
  });
});
