import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCompany, type Company } from '../support/company.ts';
import { createAdminFixture, type AdminFixture } from '../support/fixture.ts';
import { connectDirectory, type ScimBody, type ScimClient } from '../support/scim.ts';

const PEOPLE = 1_000;
const CHANGES = 1_500;
const GROUPS = ['admins', 'engineers', 'analysts', 'others'] as const;
const SEED = Number(process.env['DIRECTORY_SEED'] ?? 7);

/** Numbers that follow from the seed (a linear congruential generator). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Expected {
  id: string;
  userName: string;
  active: boolean;
  readonly groups: Set<string>;
}

let fixture: AdminFixture;
let company: Company;
let scim: ScimClient;
const groupIds = new Map<string, string>();
const people: Expected[] = [];
const random = randomFrom(SEED);
let names = 0;
const newName = () => {
  names += 1;
  return `p${String(names)}@company.example`;
};

beforeAll(async () => {
  fixture = await createAdminFixture();
  const admin = await fixture.admin();
  company = await openCompany(fixture, await fixture.user());
  const { accountId } = company;
  ({ scim } = await connectDirectory(fixture, admin, {
    slug: 'company',
    issuer: 'https://192.0.2.1',
    domains: [{ domain: 'company.example', onlySignOn: false }],
    rules: [
      { claim: 'groups', value: 'admins', accountId, role: 'administrator' },
      { claim: 'groups', value: 'engineers', accountId, role: 'member' },
      { claim: 'groups', value: 'analysts', accountId, role: 'viewer' },
    ],
  }));
  for (const name of GROUPS) groupIds.set(name, await scim.group(name));
});
afterAll(() => fixture.close());

const roleOf = ({ active, groups }: Expected): string | undefined => {
  if (!active) return undefined;
  if (groups.has('admins')) return 'administrator';
  if (groups.has('engineers')) return 'member';
  return groups.has('analysts') ? 'viewer' : undefined;
};

async function setActive(person: Expected, active: boolean): Promise<void> {
  const ways = [
    () =>
      scim.patch(`/Users/${person.id}`, { op: 'Replace', path: 'active', value: String(active) }),
    () => scim.patch(`/Users/${person.id}`, { op: 'replace', value: { active } }),
    () => scim.send('PUT', `/Users/${person.id}`, { userName: person.userName, active }),
  ];
  expect((await ways[random(ways.length)]?.())?.status).toBe(200);
  person.active = active;
}

async function rename(person: Expected): Promise<void> {
  const userName = newName();
  const emails = [{ value: userName, type: 'work', primary: true }];
  const { active } = person;
  const body = { userName, active, emails };
  expect((await scim.send('PUT', `/Users/${person.id}`, body)).status).toBe(200);
  person.userName = userName;
}

async function enterAgain(person: Expected): Promise<void> {
  expect((await scim.send('DELETE', `/Users/${person.id}`)).status).toBe(204);
  person.id = await scim.enter(person.userName);
  person.active = true;
  person.groups.clear();
}

async function changeGroup(person: Expected): Promise<void> {
  const name = GROUPS[random(GROUPS.length)] ?? 'others';
  const path = `/Groups/${groupIds.get(name) ?? ''}`;
  const { id } = person;
  if (!person.groups.delete(name)) {
    await scim.patch(path, { op: 'Add', path: 'members', value: [{ value: id }] });
    person.groups.add(name);
    return;
  }
  const removal =
    random(2) === 0
      ? { op: 'remove', path: `members[value eq "${id}"]` }
      : { op: 'Remove', path: 'members', value: [{ value: id }] };
  await scim.patch(path, removal);
}

async function replaceGroup(): Promise<void> {
  const name = GROUPS[random(GROUPS.length)] ?? 'others';
  const chosen = people.filter(() => random(4) === 0);
  const members = chosen.map(({ id }) => ({ value: id }));
  const path = `/Groups/${groupIds.get(name) ?? ''}`;
  expect((await scim.send('PUT', path, { displayName: name, members })).status).toBe(200);
  for (const person of people) person.groups.delete(name);
  for (const person of chosen) person.groups.add(name);
}

async function allOf(resource: 'Users' | 'Groups'): Promise<ScimBody[]> {
  const found: ScimBody[] = [];
  for (;;) {
    const at = `startIndex=${String(found.length + 1)}&count=200`;
    const { body } = await scim.get(`/${resource}?${at}`);
    found.push(...body.Resources);
    if (found.length >= body.totalResults) return found;
  }
}

it(
  `a directory of ${String(PEOPLE)} people, changed at random (DIRECTORY_SEED=${String(SEED)}), ends in the state of the last full list`,
  { timeout: 3_600_000 },
  async () => {
    for (let index = 0; index < PEOPLE; index += 1) {
      const userName = newName();
      people.push({ id: await scim.enter(userName), userName, active: true, groups: new Set() });
    }
    for (let change = 0; change < CHANGES; change += 1) {
      const person = people[random(people.length)];
      if (person === undefined) continue;
      const act = random(100);
      if (act < 1) await replaceGroup();
      else if (act < 30) await setActive(person, !person.active);
      else if (act < 50) await rename(person);
      else if (act < 60) await enterAgain(person);
      else await changeGroup(person);
    }

    const users = new Map((await allOf('Users')).map((user) => [user.id, user]));
    expect(users.size).toBe(people.length);
    for (const { id, userName, active, groups } of people) {
      const listed = users.get(id);
      expect(listed).toMatchObject({ userName, active });
      const ids = [...groups].map((name) => groupIds.get(name) ?? '');
      expect((listed?.groups ?? []).map(({ value }) => value).toSorted()).toEqual(ids.toSorted());
    }
    const { rows } = await fixture.pool.query<{ email: string; role: string }>(
      `select u.email, m.role from members m join users u on u.id = m.user_id
     where m.account_id = $1 and m.ended_at is null and m.role <> 'owner'`,
      [company.accountId],
    );
    const wanted = people.flatMap((person) => {
      const role = roleOf(person);
      return role === undefined ? [] : [`${person.userName} ${role}`];
    });
    expect(rows.map(({ email, role }) => `${email} ${role}`).toSorted()).toEqual(wanted.toSorted());
    const stale = await fixture.pool.query('select 1 from directory_users where stale');
    expect(stale.rowCount).toBe(0);
  },
);
