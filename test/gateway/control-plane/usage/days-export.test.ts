import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { join, openCompany, type Company } from '../support/company.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { insertUsage } from '../support/usage.ts';

const DAY_MS = 86_400_000;
/** More than a chart has lines. */
const TEAMS = 22;
const HEADER = 'day,hour,id,name,requests,input_tokens,cached_input_tokens,output_tokens,cost_usd';

let fixture: AdminFixture;
let catalog: Catalog;
let company: Company;
let worker: Person;
let memberId: string;

const today = (daysAgo = 0) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  fixture = await createAdminFixture();
  catalog = await makeCatalog(fixture, await fixture.admin());
});
afterAll(() => fixture.close());

beforeEach(async () => {
  company = await openCompany(fixture, await fixture.user());
  worker = await fixture.user();
  memberId = await join(fixture, company, { person: worker, role: 'member' });
});

async function teamNamed(name: string): Promise<string> {
  return (await fixture.ask('createTeam', { as: company.owner, body: { name } })).reply.id;
}

interface Used {
  readonly memberId?: string;
  readonly teamId?: string;
  readonly daysAgo?: number;
}

async function use(keyOwner: Person, used: readonly Used[]): Promise<void> {
  const { id: keyId } = await makeKey(fixture, keyOwner, catalog.groupId);
  await insertUsage(
    fixture.pool,
    used.map(({ memberId: member, teamId, daysAgo = 0 }) => ({
      ...{ accountId: company.accountId, keyId, groupId: catalog.groupId },
      ...(member !== undefined && { memberId: Number(member) }),
      ...(teamId !== undefined && { teamId: Number(teamId) }),
      model: catalog.publicId,
      createdAtMs: Date.now() - daysAgo * DAY_MS,
    })),
  );
}

async function linesOf(as: Person, query: object): Promise<string[]> {
  const { status, text } = await fixture.ask('exportOwnUsageDays', { as, query });
  expect(status, text).toBe(200);
  const [header = '', ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  expect(header).toBe(HEADER);
  return lines;
}

it('has a line for each team and day, also beyond those of a chart', async () => {
  const teams: [id: string, name: string][] = [];
  for (let index = 0; index < TEAMS; index += 1) {
    const name = `team ${String(index)}`;
    teams.push([await teamNamed(name), name]);
  }
  await use(company.owner, [...teams.map(([teamId]) => ({ teamId })), { daysAgo: 2 }]);
  const query = { by: 'team', from: today(2), to: today() };
  const wanted = teams.map(([id, name]) => `${today()},,${id},${name},1,1000,0,500,0.007`);
  const [first, ...rest] = await linesOf(company.owner, query);
  expect(first).toBe(`${today(2)},,,,1,1000,0,500,0.007`);
  expect(rest.toSorted()).toEqual(wanted.toSorted());
  const hours = await linesOf(company.owner, { by: 'team', per: 'hour', from: today() });
  expect(hours).toHaveLength(TEAMS);
});

it('names members who have left and teams that were deleted, in charts and records too', async () => {
  const { owner } = company;
  const teamId = await teamNamed('=Short-lived');
  await use(worker, [{ memberId, teamId }]);
  await fixture.ask('removeMember', { as: owner, params: { memberId } });
  const gone = await fixture.ask('deleteTeam', { as: owner, params: { teamId } });
  expect(gone.status).toBe(204);
  for (const [by, id, name] of [
    ['member', memberId, worker.email],
    ['team', teamId, '=Short-lived'],
  ] as const) {
    const chart = await fixture.ask('listOwnUsageDays', { as: owner, query: { by } });
    expect(chart.reply.data).toMatchObject([{ of: id, label: name }]);
    const cell = name.startsWith('=') ? `'${name}` : name;
    expect(await linesOf(owner, { by, from: today() })).toEqual([
      `${today()},,${id},${cell},1,1000,0,500,0.007`,
    ]);
  }
  const records = await fixture.ask('listOwnUsageRecords', { as: owner });
  expect(records.reply.data).toMatchObject([
    { memberName: worker.email, teamName: '=Short-lived' },
  ]);
  const teams = await fixture.ask('listTeams', { as: owner });
  expect(teams.reply.data).toEqual([]);
  const budgets = await fixture.ask('listBudgets', { as: owner });
  expect(budgets.reply.data.map(({ kind }) => kind)).toEqual(['account', 'member']);
  // The name is free again, and belongs to another team.
  expect(await teamNamed('=Short-lived')).not.toBe(teamId);
});

it('has only the requests of the member who asks, unless the role may see all', async () => {
  const teamId = await teamNamed('Research');
  await use(worker, [{ memberId, teamId }]);
  await use(company.owner, [{ teamId }, { teamId }]);
  for (const by of ['member', 'team', 'key', 'model', 'none']) {
    const own = await linesOf(worker, { by, from: today() });
    expect(own.map((line) => line.split(',')[4])).toEqual(['1']);
  }
  const billing = await fixture.user();
  await join(fixture, company, { person: billing, role: 'billing' });
  const [all] = await linesOf(billing, { by: 'team', from: today() });
  expect(all).toBe(`${today()},,${teamId},Research,3,3000,0,1500,0.021`);
});

it('is refused as a chart is, before a file begins', async () => {
  const query = { by: 'member', from: today(), to: today(3) };
  const { problem } = await fixture.ask('exportOwnUsageDays', { as: worker, query });
  expect(problem).toMatchObject({ code: 'invalid_value', errors: [{ field: 'from' }] });
});
