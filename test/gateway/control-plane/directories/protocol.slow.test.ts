import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { connectDirectory, ENTERPRISE, GROUP, ScimClient, USER } from '../support/scim.ts';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const UNKNOWN_ID = '019a0000-0000-7000-8000-000000000000';

let fixture: AdminFixture;
let admin: Person;
let scim: ScimClient;
let other: ScimClient;
let tokenOf: { readonly signOnProviderId: string; readonly directoryTokenId: string };

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  const first = await connectDirectory(fixture, admin, {
    slug: 'company',
    issuer: 'https://192.0.2.1',
    preset: 'okta',
  });
  ({ scim } = first);
  tokenOf = { ...first.params, directoryTokenId: first.tokenId };
  const second = await connectDirectory(fixture, admin, {
    slug: 'others',
    issuer: 'https://192.0.2.2',
  });
  other = second.scim;
});
afterAll(() => fixture.close());

describe('the sequence of Entra’s validator for people', () => {
  it('enters, finds, changes, disables and removes a person', async () => {
    const probe = await scim.find('Users', 'userName eq "6ab2-no-one"');
    expect(probe.status).toBe(200);
    expect(probe.body).toMatchObject({ schemas: [LIST], totalResults: 0, Resources: [] });
    expect(probe.headers['content-type']).toContain('application/scim+json');

    const sent = {
      schemas: [USER, ENTERPRISE],
      externalId: 'entra-1',
      userName: 'Ada@Entra.example',
      active: true,
      displayName: 'Ada',
      emails: [{ primary: true, type: 'work', value: 'ada@entra.example' }],
      name: { formatted: 'Ada L', familyName: 'L', givenName: 'Ada' },
      roles: [],
      addresses: [{ type: 'work', formatted: 'somewhere' }],
      [ENTERPRISE]: { department: 'Engines', manager: { value: 'x' } },
    };
    const made = await scim.send('POST', '/Users', sent);
    expect(made.status).toBe(201);
    const { id } = made.body;
    expect(made.headers['location']).toBe(`http://console.test/scim/v2/Users/${id}`);
    expect(made.body).toMatchObject({
      userName: sent.userName,
      externalId: 'entra-1',
      active: true,
      displayName: 'Ada',
      emails: sent.emails,
      name: sent.name,
      [ENTERPRISE]: { department: 'Engines' },
      meta: { resourceType: 'User', location: made.headers['location'] },
    });
    const again = await scim.send('POST', '/Users', { ...sent, externalId: 'entra-2' });
    expect(again).toMatchObject({ status: 409, body: { scimType: 'uniqueness', status: '409' } });

    for (const filter of [
      'userName eq "ADA@entra.example"',
      'userName Eq "ada@entra.example" and active eq true',
      'externalId eq "entra-1"',
      'emails[type eq "work"].value eq "ADA@entra.example"',
      'emails[type eq "work" and value co "@entra"]',
      `(id eq "${id}") and not (displayName pr and title pr)`,
      'name.familyName sw "l" and meta.created gt "2020-01-01T00:00:00Z"',
      `${USER}:userName ew "entra.example"`,
      `${ENTERPRISE}:department eq "engines"`,
    ]) {
      expect((await scim.find('Users', filter)).body, filter).toMatchObject({
        totalResults: 1,
        Resources: [{ id }],
      });
    }
    expect((await scim.find('Users', 'externalId eq "ENTRA-1"')).body.totalResults).toBe(0);

    const renamed = await scim.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'name.givenName', value: 'Augusta' },
      { op: 'Add', path: 'title', value: 'Countess' },
      { op: 'Replace', path: 'userName', value: 'augusta@entra.example' },
    );
    expect(renamed).toMatchObject({ status: 200, body: { userName: 'augusta@entra.example' } });
    const off = await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
    expect(off).toMatchObject({ status: 200, body: { active: false, title: 'Countess' } });
    // Removed for now: the person is still found.
    expect((await scim.get(`/Users/${id}`)).body.active).toBe(false);
    expect((await scim.send('DELETE', `/Users/${id}`)).status).toBe(204);
    for (const gone of [
      await scim.get(`/Users/${id}`),
      await scim.send('DELETE', `/Users/${id}`),
    ]) {
      expect(gone).toMatchObject({ status: 404, body: { schemas: [ERROR], status: '404' } });
    }
    expect(await scim.enter('augusta@entra.example', { externalId: 'entra-1' })).not.toBe(id);
  });
});

describe('the sequence of Entra’s validator for groups', () => {
  it('makes, finds, changes and removes a group', async () => {
    const [one, two] = [
      await scim.enter('one@entra.example'),
      await scim.enter('two@entra.example'),
    ];
    const made = await scim.send('POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: 'entra-group',
      displayName: 'Engineers',
      meta: { resourceType: 'Group' },
    });
    expect(made).toMatchObject({ status: 201, body: { displayName: 'Engineers', members: [] } });
    const path = `/Groups/${made.body.id}`;
    const again = await scim.send('POST', '/Groups', { displayName: 'ENGINEERS' });
    expect(again).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    const filter = encodeURIComponent('displayName eq "engineers"');
    const found = await scim.get(`/Groups?excludedAttributes=members&filter=${filter}`);
    expect(found.body.Resources[0]).toMatchObject({ externalId: 'entra-group' });
    expect(found.body.Resources[0]).not.toHaveProperty('members');

    const value = [{ $ref: null, value: one }, { value: two }];
    const added = await scim.patch(path, { op: 'Add', path: 'members', value });
    expect(added).toMatchObject({ status: 204, text: '' });
    const has = await scim.find('Groups', `id eq "${made.body.id}" and members eq "${one}"`);
    expect(has.body.totalResults).toBe(1);
    expect((await scim.get(`/Users/${one}`)).body.groups).toEqual([
      { value: made.body.id, display: 'Engineers' },
    ]);
    await scim.patch(path, { op: 'Remove', path: 'members', value: [{ value: one }] });
    expect((await scim.get(path)).body.members).toMatchObject([{ value: two }]);
    await scim.patch(path, { op: 'Remove', path: `members[value eq "${two}"]` });
    await scim.patch(path, { op: 'Replace', path: 'displayName', value: 'Builders' });
    expect((await scim.get(path)).body).toMatchObject({ displayName: 'Builders', members: [] });
    const strange = await scim.patch(path, {
      op: 'Add',
      path: 'members',
      value: [{ value: UNKNOWN_ID }],
    });
    expect(strange).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    await scim.patch(path, { op: 'Add', path: 'members', value: [{ value: one }] });
    // A member who is gone keeps no other from being removed.
    const mixed = [{ value: two }, { value: UNKNOWN_ID }];
    expect((await scim.patch(path, { op: 'Replace', path: 'members', value: mixed })).status).toBe(
      204,
    );
    expect((await scim.get(path)).body.members).toMatchObject([{ value: two }]);
    expect((await scim.send('DELETE', path)).status).toBe(204);
    expect((await scim.get(path)).status).toBe(404);
  });
});

describe('the sequence of Okta’s tests', () => {
  it('enters a person, reads after each write, replaces and disables', async () => {
    const userName = 'runscope.okta@atko.example';
    const missing = await scim.find('Users', `userName eq "${userName}"`);
    expect(missing.body).toMatchObject({ totalResults: 0, startIndex: 1, Resources: [] });
    const sent = {
      schemas: [USER],
      userName,
      externalId: '00u1',
      name: { givenName: 'Run', familyName: 'Scope' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Run Scope',
      locale: 'en-US',
      groups: [],
      password: 'never stored',
      phoneNumbers: [{ type: 'work', primary: true }],
      active: true,
    };
    const made = await scim.send('POST', '/Users', sent);
    expect(made).toMatchObject({ status: 201, body: { active: true, userName } });
    expect(made.text).not.toContain('never stored');
    const path = `/Users/${made.body.id}`;
    expect((await scim.get(path)).body).toEqual(made.body);
    const one = await scim.get('/Users?startIndex=1&count=1');
    expect(one.body).toMatchObject({ itemsPerPage: 1, startIndex: 1 });
    expect(one.body.totalResults).toBeGreaterThan(1);
    const put = await scim.send('PUT', path, {
      ...sent,
      id: made.body.id,
      name: { givenName: 'Another', familyName: 'Scope' },
      meta: { resourceType: 'User' },
      active: true,
    });
    expect(put).toMatchObject({
      status: 200,
      body: { id: made.body.id, name: { givenName: 'Another' } },
    });
    expect((await scim.patch(path, { op: 'replace', value: { active: false } })).body.active).toBe(
      false,
    );
    // A PUT that does not know `active` brings no one back.
    const { active: _left, ...unaware } = sent;
    expect((await scim.send('PUT', path, unaware)).body.active).toBe(false);
    expect((await scim.send('PUT', path, { ...sent, active: true })).body.active).toBe(true);
    expect(await scim.get(`/Users/${UNKNOWN_ID}`)).toMatchObject({
      status: 404,
      body: { schemas: [ERROR], status: '404' },
    });
    expect((await scim.get('/Users/not-an-id')).status).toBe(404);
  });

  it('pushes a group whole, with its new name and its members', async () => {
    const [one, two] = [await scim.enter('g1@okta.example'), await scim.enter('g2@okta.example')];
    const id = await scim.group('Okta group', [one]);
    const renamed = { op: 'replace', value: { id, displayName: 'Okta crew' } };
    expect((await scim.patch(`/Groups/${id}`, renamed)).status).toBe(204);
    const put = await scim.send('PUT', `/Groups/${id}`, {
      schemas: [GROUP],
      id,
      displayName: 'Okta crew',
      members: [{ value: two, display: 'g2@okta.example' }],
    });
    expect(put).toMatchObject({ status: 200, body: { members: [{ value: two }] } });
    const both = [
      { op: 'remove', path: `members[value eq "${two}"]` },
      { op: 'add', path: 'members', value: [{ value: one }] },
    ];
    await scim.patch(`/Groups/${id}`, ...both);
    const { body } = await scim.get(`/Groups/${id}?attributes=members.value`);
    expect(body).toEqual({ schemas: [GROUP], id, members: [{ value: one }] });
    const unaware = await scim.send('PUT', `/Groups/${id}`, { displayName: 'Okta team' });
    expect(unaware.body).toMatchObject({ displayName: 'Okta team', members: [{ value: one }] });
    const emptied = { displayName: 'Okta team', Members: [] };
    expect((await scim.send('PUT', `/Groups/${id}`, emptied)).body).toMatchObject({ members: [] });
  });
});

describe('the service', () => {
  it('is found with a slash too many', async () => {
    const id = await scim.enter('slashes@example.com');
    for (const path of [`//Users/${id}`, `///Users//${id}//`, `/Users/${id}/?attributes=id`]) {
      expect(await scim.get(path), path).toMatchObject({ status: 200, body: { id } });
    }
  });

  it('describes itself as it is', async () => {
    const config = await scim.get('/ServiceProviderConfig');
    expect(config.body).toMatchObject({ patch: { supported: true }, bulk: { supported: false } });
    const schemas = (await scim.get('/Schemas')).body.Resources.map(({ id }) => id);
    expect(schemas).toEqual([USER, ENTERPRISE, GROUP]);
    expect((await scim.get(`/Schemas/${USER}`)).body.id).toBe(USER);
    expect((await scim.get('/ResourceTypes')).body.totalResults).toBe(2);
    expect((await scim.get('/ResourceTypes/Group')).body.id).toBe('Group');
    expect((await scim.get('/Schemas/x')).status).toBe(404);
  });

  it('finds by texts without quotation marks, also those that look like numbers', async () => {
    const id = await scim.enter('unquoted@company.example', { externalId: '0012' });
    for (const filter of [
      'externalId eq 0012',
      'userName eq unquoted@company.example',
      '(externalId eq 0012)',
      'emails[type eq work].value eq unquoted@company.example',
      'externalId eq "0012" and active eq true',
    ]) {
      const { body } = await scim.find('Users', filter);
      expect(
        body.Resources.map((found) => found.id),
        filter,
      ).toEqual([id]);
    }
    expect((await scim.find('Users', 'externalId eq 12')).body.totalResults).toBe(0);
  });

  it('pages without a person twice or left out', async () => {
    const { totalResults } = (await scim.get('/Users?count=0')).body;
    const seen: string[] = [];
    for (let startIndex = 1; startIndex <= totalResults; startIndex += 2) {
      const { body } = await scim.get(`/Users?startIndex=${String(startIndex)}&count=2`);
      seen.push(...body.Resources.map(({ id }) => id));
    }
    expect(new Set(seen).size).toBe(totalResults);
    expect(seen).toHaveLength(totalResults);
    expect((await scim.get('/Users?startIndex=-5&count=-1')).body).toMatchObject({
      startIndex: 1,
      itemsPerPage: 0,
    });
    expect((await scim.get('/Users?startIndex=9999')).body.Resources).toEqual([]);
  });

  it.each([
    ['userName eq', 'invalidFilter'],
    ['userName is "x"', 'invalidFilter'],
    ['userName eq x y', 'invalidFilter'],
    ['userName eq "x', 'invalidFilter'],
    ['shoeSize eq "x"', 'invalidFilter'],
    ['userName eq "x" or', 'invalidFilter'],
    ['(userName eq "x"', 'invalidFilter'],
    [`${'('.repeat(100)}userName pr${')'.repeat(100)}`, 'invalidFilter'],
    ['meta.created gt "yesterday"', 'invalidFilter'],
    ['userName eq "x\\u0000"', 'invalidValue'],
  ])('refuses the filter %s', async (filter, scimType) => {
    expect(await scim.find('Users', filter)).toMatchObject({
      status: 400,
      body: { schemas: [ERROR], status: '400', scimType },
    });
  });

  it('refuses other mistakes in its own form', async () => {
    expect((await scim.get('/Users?count=many')).body.scimType).toBe('invalidValue');
    expect((await scim.send('POST', '/Users', { schemas: [USER] })).body.scimType).toBe(
      'invalidValue',
    );
    const nameless = await scim.send('POST', '/Users', { userName: 'no address' });
    expect(nameless).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    expect(await scim.get('/Bulk')).toMatchObject({ status: 404, body: { schemas: [ERROR] } });
    const raw = (payload: string, type: string) =>
      fixture.app.inject({
        method: 'POST',
        url: '/scim/v2/Users',
        payload,
        headers: { 'content-type': type },
      });
    expect((await raw('{', 'application/scim+json')).statusCode).toBe(401);
    const { reply } = await fixture.ask('getDirectory', { as: admin, params: tokenOf });
    expect(reply).toMatchObject({ enabled: true, address: 'http://console.test/scim/v2' });
    expect(reply.lastRefusal).toContain('e-mail address');
    expect(reply.usersCount).toBeGreaterThan(reply.activeUsersCount - 1);
  });
});

describe('a token', () => {
  it('opens one directory alone, by no id and no filter another', async () => {
    const id = await scim.enter('mine@company.example', { externalId: 'mine' });
    const groupId = await scim.group('mine', [id]);
    for (const path of [`/Users/${id}`, `/Groups/${groupId}`]) {
      expect((await other.get(path)).status).toBe(404);
      expect(
        (await other.send('PUT', path, { userName: 'x@x.example', displayName: 'x' })).status,
      ).toBe(404);
      expect((await other.patch(path, { op: 'remove', path: 'externalId' })).status).toBe(404);
      expect((await other.send('DELETE', path)).status).toBe(404);
    }
    for (const filter of [
      `id eq "${id}"`,
      'externalId eq "mine" or userName pr',
      'active eq true',
    ]) {
      expect((await other.find('Users', filter)).body.totalResults).toBe(0);
    }
    expect((await other.find('Groups', 'not (displayName eq "x")')).body.totalResults).toBe(0);
    const joined = await other.send('POST', '/Groups', {
      displayName: 'x',
      members: [{ value: id }],
    });
    expect(joined).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    // Names are each directory's own.
    expect(await other.group('mine')).not.toBe(groupId);
  });

  it('is refused when it is none, and is replaced without a gap', async () => {
    for (const token of ['x', 'weir_scim_unknown', admin.cookie]) {
      const refused = await new ScimClient(fixture, token).get('/Users');
      expect(refused).toMatchObject({ status: 401, body: { schemas: [ERROR], status: '401' } });
      expect(refused.headers['www-authenticate']).toContain('Bearer');
    }
    const { signOnProviderId } = tokenOf;
    const asking = { as: admin, params: { signOnProviderId } };
    const second = await fixture.ask('createDirectoryToken', asking);
    const newer = new ScimClient(fixture, second.reply.token);
    expect([(await scim.get('/Users')).status, (await newer.get('/Users')).status]).toEqual([
      200, 200,
    ]);
    expect((await fixture.ask('createDirectoryToken', asking)).problem.code).toBe('limit_reached');
    await fixture.ask('deleteDirectoryToken', { as: admin, params: tokenOf });
    expect([(await scim.get('/Users')).status, (await newer.get('/Users')).status]).toEqual([
      401, 200,
    ]);
    scim = newer;
    const stored = await fixture.pool.query('select * from directory_tokens');
    expect(JSON.stringify(stored.rows)).not.toContain(second.reply.token);
    expect(fixture.log.join('')).not.toContain(second.reply.token);
  });
});

describe('guesses of tokens', () => {
  it('are counted for their network; a right token is not refused for them', async () => {
    const counted = await createAdminFixture({ limits: { attemptsPerSubject: 3 } });
    const operator = await counted.admin();
    const provider = { slug: 'company', issuer: 'https://192.0.2.1' };
    const { scim: right } = await connectDirectory(counted, operator, provider);
    const guess = new ScimClient(counted, 'weir_scim_guess');
    for (let time = 0; time < 3; time += 1) expect((await guess.get('/Users')).status).toBe(401);
    const refused = await guess.get('/Users');
    expect(refused).toMatchObject({ status: 429, body: { schemas: [ERROR] } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await right.get('/Users')).status).toBe(200);
    await counted.close();
  });
});
