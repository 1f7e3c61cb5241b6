import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_API_ROOT, ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { PAGE_USER_HEADER } from '@weir/shared/people/sessions';
import { createAdminFixture, PASSWORD, type AdminFixture, type Person } from './support/fixture.ts';
import { sampleBody, sampleParams } from './support/sample-bodies.ts';

let fixture: AdminFixture;
let user: Person;
let admin: Person;
let readToken: { token: string };
let fullToken: { token: string };
let adminToken: { token: string };
let adminReadToken: { token: string };

beforeAll(async () => {
  fixture = await createAdminFixture();
  user = await fixture.user();
  admin = await fixture.admin();
  readToken = await tokenOf(user, 'read');
  fullToken = await tokenOf(user, 'full');
  adminToken = await tokenOf(admin, 'full');
  adminReadToken = await tokenOf(admin, 'read');
});
afterAll(() => fixture.close());

async function tokenOf(owner: Person, scope: 'read' | 'full') {
  const made = await fixture.ask('createAccessToken', { as: owner, body: { name: scope, scope } });
  return { token: made.reply.token };
}

type As = Person | { token: string } | undefined;

const routes: [RouteId, AdminRoute][] = Object.entries<AdminRoute>(ADMIN_ROUTES).map(
  ([id, route]) => [id as RouteId, route],
);
const forUsers = routes.filter(([, { caller }]) => caller === 'user');
const forAdmins = routes.filter(([, { caller }]) => caller === 'admin');
const forAnyone = routes.filter(([, { caller }]) => caller === 'anyone');

async function codeOf(id: RouteId, as: As): Promise<string> {
  const { path } = ADMIN_ROUTES[id];
  const body = sampleBody(id);
  const answered = await fixture.ask(id, {
    as,
    anyVersion: true,
    params: sampleParams(path),
    ...(body === undefined ? {} : { body }),
  });
  return answered.status < 400 ? 'admitted' : answered.problem.code;
}

/** Codes that mean: the door was not opened. */
const SHUT = [
  'not_authenticated',
  'role_required',
  'scope_required',
  'session_required',
  'invalid_access_token',
  'cross_site_refused',
];

describe('the table of routes', () => {
  it('is all that is registered below the root of the API', () => {
    const { paths } = fixture.app.swagger() as { paths: Record<string, Record<string, unknown>> };
    const gathered = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = routes.map(
      ([, { method, path }]) => `${method} ${ADMIN_API_ROOT}${path.replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(gathered.toSorted()).toEqual(declared.toSorted());
  });

  it('holds no route of the router that OpenAPI does not know', () => {
    const printed = fixture.app.printRoutes({ commonPrefix: false, includeMeta: false });
    const methods = [...printed.matchAll(/\((?:[A-Z]+(?:, )?)+\)/g)].flatMap(([text]) =>
      text.replace(/[()]/g, '').split(', '),
    );
    // HEAD is made by the router for each GET; five pages and SCIM's 17 routes are served alongside
    // the API, and OPTIONS nowhere.
    const counted = methods.filter((method) => method !== 'HEAD').length;
    const PAGES_BESIDE = 5;
    const SCIM_ROUTES = 17;
    expect(counted).toBe(routes.length + PAGES_BESIDE + SCIM_ROUTES);
  });

  it('covers every caller', () => {
    expect(forUsers.length + forAdmins.length + forAnyone.length).toBe(routes.length);
    expect(Math.min(forUsers.length, forAdmins.length, forAnyone.length)).toBeGreaterThan(5);
  });
});

describe('nobody', () => {
  it.each(forUsers)('is refused by %s', async (id) => {
    expect(await codeOf(id, undefined)).toBe('not_authenticated');
  });

  it.each(forAdmins)('is refused by %s', async (id) => {
    expect(await codeOf(id, undefined)).toBe('not_authenticated');
  });

  it.each(forAnyone)('may call %s', async (id) => {
    expect(SHUT).not.toContain(await codeOf(id, undefined));
  });
});

describe('a user without the role', () => {
  it.each(forAdmins)('is refused by %s', async (id) => {
    expect(await codeOf(id, user)).toBe('role_required');
    expect(await codeOf(id, fullToken)).toBe('role_required');
  });
});

describe('an access token', () => {
  it.each(forUsers)('meets its bounds at %s', async (id, route) => {
    const reads = route.method === 'GET';
    const expected = route.sessionOnly === true ? 'session_required' : 'scope_required';
    const code = await codeOf(id, readToken);
    if (reads && route.sessionOnly !== true) expect(SHUT).not.toContain(code);
    else expect(code).toBe(expected);
  });

  it.each(forAdmins.filter(([, { sessionOnly }]) => sessionOnly === true))(
    'of an administrator does not open %s',
    async (id) => {
      expect(await codeOf(id, adminToken)).toBe('session_required');
    },
  );

  it.each(forAdmins)(
    'of an administrator that may only read meets its bounds at %s',
    async (id, route) => {
      const reads = route.method === 'GET' && route.fullScope !== true;
      const code = await codeOf(id, adminReadToken);
      if (route.sessionOnly === true) expect(code).toBe('session_required');
      else if (reads) expect(SHUT).not.toContain(code);
      else expect(code).toBe('scope_required');
    },
  );

  it('that is none is refused', async () => {
    expect(await codeOf('getOwnUser', { token: 'weir_pat_nonsense' })).toBe('invalid_access_token');
    expect(await codeOf('getOwnUser', { token: 'sk-nonsense' })).toBe('invalid_access_token');
  });
});

describe('a caller who may', () => {
  // Those that end the session are tried last, each with a session of its own.
  const ENDING: RouteId[] = ['logOut', 'revokeOtherSessions', 'changePassword'];

  it.each(forUsers.filter(([id]) => !ENDING.includes(id)))('passes %s as a user', async (id) => {
    expect(SHUT).not.toContain(await codeOf(id, user));
  });

  it.each(forAdmins)('passes %s as an administrator', async (id) => {
    expect(SHUT).not.toContain(await codeOf(id, admin));
  });

  it.each(ENDING)('passes %s as a user', async (id) => {
    const other = await fixture.user();
    expect(SHUT).not.toContain(await codeOf(id, other));
  });
});

describe('a page of someone else who was logged in before', () => {
  it.each([...forUsers, ...forAdmins])('is refused by %s', async (id) => {
    const { path } = ADMIN_ROUTES[id];
    const headers = { [PAGE_USER_HEADER]: user.userId };
    const answered = await fixture.ask(id, { as: admin, headers, params: sampleParams(path) });
    expect([answered.status, answered.problem.code]).toEqual([409, 'session_changed']);
  });

  it('is let through once it is that of who is logged in', async () => {
    const headers = { [PAGE_USER_HEADER]: user.userId };
    expect((await fixture.ask('getOwnUser', { as: user, headers })).status).toBe(200);
  });
});

describe('a request from another site', () => {
  const changing = routes.filter(([, { method }]) => method !== 'GET');

  it.each(changing)('is refused by %s', async (id) => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://other.example' },
      { origin: 'https://other.example' },
      { origin: 'null' },
    ]) {
      const { path } = ADMIN_ROUTES[id];
      const answered = await fixture.ask(id, { as: admin, headers, params: sampleParams(path) });
      expect(answered.problem.code).toBe('cross_site_refused');
    }
  });

  it('is let through from the console itself', async () => {
    const body = { email: user.email, password: PASSWORD };
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', origin: 'http://console.test' },
      { origin: 'http://console.test' },
    ]) {
      expect((await fixture.ask('logIn', { body, headers })).status).toBe(201);
    }
  });
});
