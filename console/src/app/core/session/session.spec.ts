import { describe, expect, test, vi } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import { loggedInAccounts, noAccounts, publicSettings, user } from '../../../testing/views';
import { ApiFailure } from '../api/api-failure';
import { landingPath, loginPath } from './return-path';
import { Session } from './session';
import { Site } from './site';

const absent = () => ({ user: null, ...noAccounts });

describe('A session', () => {
  test('is unknown until the server has said who is there, and asks once', async () => {
    const api = new FakeApi({ getPresence: () => ({ user, ...noAccounts }) });
    const session = new Session(() => api);
    expect(session.state().kind).toBe('unknown');
    await Promise.all([session.restore(), session.restore()]);
    expect(session.user()?.email).toBe('ada@example.org');
    expect(api.callsOf('getPresence')).toHaveLength(1);
  });

  test('of nobody is absent, and has not "ended"', async () => {
    const session = new Session(() => new FakeApi({ getPresence: absent }));
    await session.restore();
    expect(session.state()).toEqual({ kind: 'absent', ended: false });
  });

  test.each([
    { code: 'unreachable' },
    { code: 'overloaded', status: 503 },
    { code: 'rate_limit_exceeded', status: 429 },
  ] as const)('is not taken for nobody’s when asking fails: $code', async (failure) => {
    const api = new FakeApi({ getPresence: () => Promise.reject(new ApiFailure(failure)) });
    let goOn = (): void => undefined;
    const session = new Session(
      () => api,
      () => new Promise((resolve) => (goOn = resolve)),
    );
    const restored = session.restore();
    await vi.waitFor(() => {
      expect(session.failure()?.code).toBe(failure.code);
    });
    expect(session.state().kind).toBe('unknown');
    api.answer({ getPresence: () => ({ user, ...noAccounts }) });
    goOn();
    await restored;
    expect([session.user(), session.failure()]).toEqual([user, undefined]);
  });

  test('is restored for all who wait when someone tries again', async () => {
    const api = new FakeApi({
      getPresence: () => Promise.reject(new ApiFailure({ code: 'unreachable' })),
    });
    // After the last pause nothing is asked for by itself.
    const session = new Session(
      () => api,
      () => Promise.resolve(),
    );
    const restored = session.restore();
    await vi.waitFor(() => {
      expect(api.callsOf('getPresence').length).toBeGreaterThan(5);
    });
    api.answer({ getPresence: absent });
    await session.retry();
    await restored;
    expect(session.state()).toEqual({ kind: 'absent', ended: false });
  });

  test('begins with a log-in and ends with a log-out', async () => {
    const api = new FakeApi({
      getPresence: absent,
      logIn: () => ({
        user: { ...user, role: 'admin' },
        session: undefined as never,
        ...loggedInAccounts,
      }),
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
      getPresence: () => ({ user, ...noAccounts }),
      logOut: () => Promise.reject(new ApiFailure({ code: 'unreachable' })),
    });
    const session = new Session(() => api);
    await session.restore();
    await expect(session.logOut()).rejects.toMatchObject({ code: 'unreachable' });
    expect(session.user()).toBeDefined();
  });

  test('that the server ended is known to have ended; nobody’s is not', async () => {
    const session = new Session(
      () => new FakeApi({ getPresence: () => ({ user, ...noAccounts }) }),
    );
    session.noteEnd();
    expect(session.state()).toEqual({ kind: 'absent', ended: false });
    await session.restore();
    session.noteEnd();
    expect(session.state()).toEqual({ kind: 'absent', ended: true });
  });

  test('is replaced when another tab has logged someone else in, also where nobody was', async () => {
    const api = new FakeApi({ getPresence: () => ({ user, ...noAccounts }) });
    const [theirs, nobodys] = [new Session(() => api), new Session(() => api)];
    nobodys.noteEnd();
    await theirs.restore();
    await theirs.recheck();
    expect(theirs.user()).toEqual(user);
    api.answer({ getPresence: () => ({ user: { ...user, id: 'another' }, ...noAccounts }) });
    await Promise.all([theirs.recheck(), nobodys.recheck()]);
    expect([theirs.state(), nobodys.state()]).toEqual([{ kind: 'replaced' }, { kind: 'replaced' }]);
  });

  test('that ended is taken up again by its user, here or in another tab, and by no other', async () => {
    const api = new FakeApi({ getPresence: () => ({ user, ...noAccounts }) });
    const ended = async () => {
      const session = new Session(() => api);
      await session.restore();
      session.noteEnd();
      expect(session.former).toEqual(user);
      return session;
    };
    const [here, elsewhere, another] = [await ended(), await ended(), await ended()];
    await elsewhere.recheck();
    expect(elsewhere.user()).toEqual(user);
    api.answer({ logIn: () => ({ user, session: undefined as never, ...loggedInAccounts }) });
    await here.logInAgain({ email: user.email, password: 'a password' });
    expect(here.state()).toEqual({ kind: 'present', user });
    api.answer({
      logIn: () => ({
        user: { ...user, id: 'another' },
        session: undefined as never,
        ...loggedInAccounts,
      }),
    });
    await another.logInAgain({ email: 'other@example.org', password: 'a password' });
    expect(another.state()).toEqual({ kind: 'replaced' });
  });

  test('that ended elsewhere is noticed when it is asked for again', async () => {
    const api = new FakeApi({ getPresence: () => ({ user, ...noAccounts }) });
    const session = new Session(() => api);
    await session.restore();
    api.answer({ getPresence: absent });
    await session.recheck();
    expect(session.state()).toEqual({ kind: 'absent', ended: true });
    await session.recheck();
    expect(session.state()).toEqual({ kind: 'absent', ended: true });
  });

  test('stays when asking for it again fails', async () => {
    const api = new FakeApi({ getPresence: () => ({ user, ...noAccounts }) });
    const session = new Session(() => api);
    await session.restore();
    api.answer({ getPresence: () => Promise.reject(new ApiFailure({ code: 'unreachable' })) });
    await session.recheck();
    expect(session.user()).toEqual(user);
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

describe('What anyone may know', () => {
  const unreachable = () => Promise.reject(new ApiFailure({ code: 'unreachable' }));

  /** Asked of a server that fails at first; a pause ends when the test says so. */
  function siteOver(answer: () => Promise<typeof publicSettings>) {
    const api = new FakeApi({ getPublicSettings: answer });
    const pauses: number[] = [];
    let goOn = (): void => undefined;
    const site = new Site(api, (ms) => {
      pauses.push(ms);
      return new Promise((resolve) => (goOn = resolve));
    });
    return { api, site, pauses, goOn: () => goOn() };
  }

  test('is asked for once, and again only when told', async () => {
    const { api, site, pauses } = siteOver(() => Promise.resolve(publicSettings));
    await Promise.all([site.load(), site.load()]);
    expect([site.settings()?.siteName, site.failure()]).toEqual(['Weir', undefined]);
    await site.reload();
    expect(api.callsOf('getPublicSettings')).toHaveLength(2);
    expect(pauses).toEqual([]);
  });

  test('is asked for again when it failed, until it is there', async () => {
    const { api, site, pauses, goOn } = siteOver(unreachable);
    const loaded = site.load();
    await vi.waitFor(() => {
      expect(pauses).toHaveLength(1);
    });
    expect(site.failure()?.code).toBe('unreachable');
    api.answer({ getPublicSettings: () => publicSettings });
    goOn();
    await loaded;
    expect([site.settings()?.siteName, site.failure()]).toEqual(['Weir', undefined]);
  });

  test('is not asked for again when someone tried again meanwhile', async () => {
    const { api, site, pauses, goOn } = siteOver(unreachable);
    const loaded = site.load();
    await vi.waitFor(() => {
      expect(pauses).toHaveLength(1);
    });
    api.answer({ getPublicSettings: () => publicSettings });
    await site.reload();
    goOn();
    await loaded;
    expect(api.callsOf('getPublicSettings')).toHaveLength(2);
  });

  test('is asked for more and more seldom, and not for ever', async () => {
    const pauses: number[] = [];
    const api = new FakeApi({ getPublicSettings: unreachable });
    const site = new Site(api, (ms) => Promise.resolve(void pauses.push(ms)));
    await site.load();
    expect(pauses).toEqual([...new Set(pauses)].sort((one, other) => one - other));
    expect(api.callsOf('getPublicSettings')).toHaveLength(pauses.length + 1);
    expect(site.failure()?.code).toBe('unreachable');
  });

  test('stays known when asking again failed: pages go on with it', async () => {
    const { api, site } = siteOver(() => Promise.resolve(publicSettings));
    await site.load();
    api.answer({ getPublicSettings: unreachable });
    await site.reload();
    expect([site.settings()?.siteName, site.failure()]).toEqual(['Weir', undefined]);
  });
});
