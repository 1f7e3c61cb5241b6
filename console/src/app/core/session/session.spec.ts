import { describe, expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import { publicSettings, user } from '../../../testing/views';
import { ApiFailure } from '../api/api-failure';
import { landingPath, loginPath } from './return-path';
import { Session } from './session';
import { Site } from './site';

const absent = () => Promise.reject(new ApiFailure({ code: 'not_authenticated', status: 401 }));

describe('A session', () => {
  test('is unknown until the server has said who is there, and asks once', async () => {
    const api = new FakeApi({ getOwnUser: () => user });
    const session = new Session(() => api);
    expect(session.state().kind).toBe('unknown');
    await Promise.all([session.restore(), session.restore()]);
    expect(session.user()?.email).toBe('ada@example.org');
    expect(api.callsOf('getOwnUser')).toHaveLength(1);
  });

  test('of nobody is absent, and has not "ended"', async () => {
    const session = new Session(() => new FakeApi({ getOwnUser: absent }));
    await session.restore();
    expect(session.state()).toEqual({ kind: 'absent', ended: false });
  });

  test('begins with a log-in and ends with a log-out', async () => {
    const api = new FakeApi({
      getOwnUser: absent,
      logIn: () => ({ user: { ...user, role: 'admin' }, session: undefined as never }),
      logOut: () => undefined,
    });
    const session = new Session(() => api);
    await session.restore();
    await session.logIn({ email: user.email, password: 'correct horse battery' });
    expect(session.isAdmin()).toBe(true);
    await session.logOut();
    expect(session.state()).toEqual({ kind: 'absent', ended: false });
  });

  test('stays when logging out failed: the cookie still works', async () => {
    const api = new FakeApi({
      getOwnUser: () => user,
      logOut: () => Promise.reject(new ApiFailure({ code: 'unreachable' })),
    });
    const session = new Session(() => api);
    await session.restore();
    await expect(session.logOut()).rejects.toMatchObject({ code: 'unreachable' });
    expect(session.user()).toBeDefined();
  });

  test('that the server ended is known to have ended; nobody’s is not', async () => {
    const session = new Session(() => new FakeApi({ getOwnUser: () => user }));
    session.noteEnd();
    expect(session.state()).toEqual({ kind: 'absent', ended: false });
    await session.restore();
    session.noteEnd();
    expect(session.state()).toEqual({ kind: 'absent', ended: true });
  });
});

describe('After logging in', () => {
  test.each(['/keys', '/admin/models?search=gpt', '/billing/orders/1'])(
    '%s is come back to',
    (path) => {
      expect(landingPath(path)).toBe(path);
      expect(loginPath(path)).toBe(`/login?to=${encodeURIComponent(path)}`);
    },
  );

  test.each([
    '//elsewhere.example',
    '/\\elsewhere.example',
    'https://elsewhere.example',
    'javascript:alert(1)',
    '/login?to=/login',
    undefined,
    ['/keys'],
  ])('%s leads home: nobody is sent away with a fresh session', (wanted) => {
    expect(landingPath(wanted)).toBe('/dashboard');
  });
});

test('What anyone may know is asked for once, and again only when told', async () => {
  let failing = true;
  const api = new FakeApi({
    getPublicSettings: () =>
      failing ? Promise.reject(new ApiFailure({ code: 'unreachable' })) : publicSettings,
  });
  const site = new Site(api);
  await Promise.all([site.load(), site.load()]);
  expect(site.failure()?.code).toBe('unreachable');
  failing = false;
  await site.reload();
  expect([site.settings()?.siteName, site.failure()]).toEqual(['Weir', undefined]);
  expect(api.callsOf('getPublicSettings')).toHaveLength(2);
});
