import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { redisUrl } from '../../../support/stores/redis.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { startWeir, type Weir } from '../../../support/weir.ts';
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

/** The parts of replies that the test reads. */
interface Made {
  readonly id: string;
  readonly value: string;
  readonly token: string;
  readonly accountId: string;
}

interface Expected {
  id: string;
  userName: string;
  active: boolean;
  readonly groups: Set<string>;
}

describe(`a directory of ${String(PEOPLE)} people, changed at random (DIRECTORY_SEED=${String(SEED)})`, () => {
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

  it('ends in the state of the last full list', { timeout: 3_600_000 }, async () => {
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
  });
});

describe('a person whom the directory removes', () => {
  let database: TestDatabase;
  let upstream: FakeUpstream;
  let processes: Weir[] = [];
  let cookie = '';

  beforeAll(async () => {
    database = await createDatabase();
    upstream = await startFakeUpstream();
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: await redisUrl(),
      BOOTSTRAP_ADMIN_EMAIL: 'admin@example.org',
      BOOTSTRAP_ADMIN_PASSWORD: 'correct horse battery',
      GATEWAY_THREADS: '1',
      LOG_LEVEL: 'warn',
    };
    processes = [];
    for (const role of ['gateway', 'gateway', 'admin']) {
      processes.push(await startWeir({ ...env, ROLE: role }));
    }
  });
  afterAll(async () => {
    await Promise.all(processes.map((weir) => weir.end('SIGTERM')));
    await upstream.close();
    await database.drop();
  });

  async function send(path: string, body: object) {
    const answered = await fetch(`${processes.at(-1)?.adminUrl ?? ''}${path}`, {
      method: 'POST',
      headers: {
        cookie,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    });
    const text = await answered.text();
    if (answered.status !== 201) throw new Error(text);
    return { reply: JSON.parse(text) as Made, answered };
  }
  const make = async (path: string, body: object) => (await send(`/api/v1${path}`, body)).reply;
  const logIn = async (email: string) => {
    const body = { email, password: 'correct horse battery' };
    const { answered } = await send('/api/v1/sessions', body);
    return answered.headers.get('set-cookie')?.split(';')[0] ?? '';
  };

  it('is refused by every gateway process within a second', { timeout: 600_000 }, async () => {
    const email = 'member@example.org';
    await make('/registrations', { email, password: 'correct horse battery' });
    const admin = await logIn('admin@example.org');
    cookie = admin;
    const groupId = (await make('/groups', { name: 'all' })).id;
    const model = {
      publicId: 'm',
      contextTokensMax: 8192,
      outputTokensMax: 512,
      groupIds: [groupId],
    };
    const modelId = (await make('/models', model)).id;
    await make(`/models/${modelId}/prices`, { inputUsd: '1', outputUsd: '1' });
    await make('/channels', {
      name: 'c',
      baseUrl: upstream.url,
      allowPrivate: true,
      credentials: ['upstream-credential-of-the-test'],
      models: [{ modelId, upstreamName: 'upstream-model' }],
    });
    upstream.behave('upstream-model', {
      kind: 'reply',
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
    const { accountId } = await make('/memberships', { name: 'Company' });
    await make(`/accounts/${accountId}/credits`, { amountUsd: '5', reason: 'a gift' });
    const provider = await make('/admin/sign-on-providers', {
      slug: 'company',
      preset: 'okta',
      name: 'company',
      issuer: 'https://company.okta.example',
      clientId: 'weir',
      domains: [{ domain: 'example.org', onlySignOn: false }],
      rules: [{ claim: 'groups', value: 'crew', accountId, role: 'member' }],
    });
    const { token } = await make(`/admin/sign-on-providers/${provider.id}/directory-tokens`, {});
    const scim = (method: string, path: string, body: object) =>
      fetch(`${processes.at(-1)?.adminUrl ?? ''}/scim/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/scim+json',
        },
        body: JSON.stringify(body),
      });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('update users set email_verified_at = now() where email = $1', [email]);
    await client.end();
    const user = (await (await scim('POST', '/Users', { userName: email })).json()) as ScimBody;
    await scim('POST', '/Groups', { displayName: 'crew', members: [{ value: user.id }] });
    cookie = await logIn(email);
    const { adminUrl = '' } = processes.at(-1) ?? {};
    await fetch(`${adminUrl}/api/v1/sessions/current/account`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ accountId }),
    });
    const key = await make('/keys', { name: 'own', groupId });

    const complete = async ({ url }: Weir) => {
      const answered = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.value}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'm',
          max_tokens: 5,
          messages: [{ role: 'user', content: 'hello' }],
        }),
      });
      const { error } = (await answered.json()) as { error?: { code: string } };
      return error?.code ?? answered.status;
    };
    const gateways = processes.slice(0, 2);
    for (const gateway of gateways) {
      await until('a reply', async () => (await complete(gateway)) === 200);
    }
    const removed = await scim('PATCH', `/Users/${user.id}`, {
      Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
    });
    expect(removed.status).toBe(200);
    const since = performance.now();
    const delays = await Promise.all(
      gateways.map(async (gateway) => {
        await until('a refusal', async () => (await complete(gateway)) === 'membership_ended');
        return performance.now() - since;
      }),
    );
    console.log(`refused after ${delays.map((ms) => ms.toFixed(0)).join(' and ')} ms`);
    const session = await fetch(`${adminUrl}/api/v1/sessions`, { headers: { cookie } });
    expect(session.status).toBe(401);
  });
});
