import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startForgedProvider,
  type ForgedProvider,
  type Forgery,
} from '../../../support/identity/forged-provider.ts';
import { startIdentityProvider } from '../../../support/identity/identity-provider.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { addProvider, callbackOf, refusedReasons, SignOnBrowser } from '../support/sign-on.ts';

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

let fixture: AdminFixture;
let provider: ForgedProvider;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  provider = await startForgedProvider();
  admin = await fixture.admin();
  const open = { signUp: 'anyone', issuer: provider.issuer } as const;
  await addProvider(fixture, admin, { slug: 'company', ...open });
});
afterAll(async () => {
  await provider.close();
  await fixture.close();
});

/** A person who has signed on, with the provider's own name of the session. */
async function signOn(sub: string, sid?: string) {
  const browser = new SignOnBrowser(fixture);
  const authorization = await browser.begin({ provider: 'company' });
  const claims = { sub, sid, email: `${sub}@company.example`, email_verified: true };
  const finished = await browser.finish('company', provider.reply(authorization, { claims }));
  return (await browser.personOf(finished)).person;
}

/** Sends a logout token as providers do. */
async function send(forgery: Forgery): Promise<number> {
  const logout_token = await provider.sign({ header: { typ: 'logout+jwt' }, ...forgery });
  const reply = await fixture.app.inject({
    method: 'POST',
    url: '/api/v1/sign-on-providers/company/logout-tokens',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token }).toString(),
  });
  return reply.statusCode;
}

let tokens = 0;
const logoutOf = (claims: object) => ({
  jti: `token-${String((tokens += 1))}`,
  events: EVENTS,
  ...claims,
});

const isLoggedIn = async (person: Person) =>
  (await fixture.ask('getPresence', { as: person })).reply.user !== null;

describe('a logout token', () => {
  it('ends all sessions of the subject at once, and no other ones', async () => {
    const [laptop, phone, other] = [
      await signOn('leaver'),
      await signOn('leaver'),
      await signOn('stayer'),
    ];
    expect(await send({ claims: logoutOf({ sub: 'leaver' }) })).toBe(200);
    expect(await Promise.all([laptop, phone, other].map(isLoggedIn))).toEqual([false, false, true]);
  });

  it('ends the one session that it names', async () => {
    const [one, two] = [await signOn('twice', 'session-1'), await signOn('twice', 'session-2')];
    expect(await send({ claims: logoutOf({ sub: 'twice', sid: 'session-1' }) })).toBe(200);
    expect(await Promise.all([one, two].map(isLoggedIn))).toEqual([false, true]);
    expect(await send({ claims: logoutOf({ sid: 'session-2' }) })).toBe(200);
    expect(await isLoggedIn(two)).toBe(false);
  });

  it('ends a session by its subject where the ID token did not name the session', async () => {
    const person = await signOn('unnamed');
    expect(await send({ claims: logoutOf({ sub: 'unnamed', sid: 'unknown' }) })).toBe(200);
    expect(await isLoggedIn(person)).toBe(false);
  });

  it('works once, and a second use is in the audit log', async () => {
    const claims = logoutOf({ sub: 'again' });
    await signOn('again');
    expect(await send({ claims })).toBe(200);
    const person = await signOn('again');
    expect(await send({ claims })).toBe(400);
    expect(await isLoggedIn(person)).toBe(true);
    expect(await refusedReasons(fixture)).toEqual(['replayed_logout_token']);
  });

  const now = Math.floor(Date.now() / 1000);
  const forgeries: readonly (readonly [string, (sub: string) => Forgery])[] = [
    ['is an ID token', (sub) => ({ claims: { sub, nonce: 'n' }, header: {} })],
    ['has a nonce', (sub) => ({ claims: logoutOf({ sub, nonce: 'n' }) })],
    ['has no event', (sub) => ({ claims: logoutOf({ sub, events: {} }) })],
    ['has another type', (sub) => ({ claims: logoutOf({ sub }), header: { typ: 'at+jwt' } })],
    ['has no jti', (sub) => ({ claims: { sub, events: EVENTS } })],
    ['names no one', () => ({ claims: logoutOf({}) })],
    ['is for another client', (sub) => ({ claims: logoutOf({ sub, aud: 'another' }) })],
    [
      'is of another issuer',
      (sub) => ({ claims: logoutOf({ sub, iss: 'https://other.example' }) }),
    ],
    ['is an hour old', (sub) => ({ claims: logoutOf({ sub, iat: now - 3_600 }) })],
    ['is signed by a stranger', (sub) => ({ claims: logoutOf({ sub }), byStranger: true })],
  ];
  it.each(forgeries)('ends nothing that %s', async (what, forge) => {
    const sub = what.replaceAll(' ', '-');
    const person = await signOn(sub);
    expect(await send(forge(sub))).toBe(400);
    expect(await isLoggedIn(person)).toBe(true);
  });
});

describe('oidc-provider', () => {
  it('ends the session here when the person logs out there', async () => {
    const base = await fixture.app.listen({ host: '127.0.0.1', port: 0 });
    const real = await startIdentityProvider({
      redirectUris: [callbackOf('real')],
      logoutUri: `${base}/api/v1/sign-on-providers/real/logout-tokens`,
    });
    await addProvider(fixture, admin, { slug: 'real', issuer: real.issuer, signUp: 'anyone' });
    real.setPerson('someone', { email: 'someone@real.example', email_verified: true });
    const there = real.browser();
    const browser = new SignOnBrowser(fixture);
    const authorization = await browser.begin({ provider: 'real' });
    const back = await there.authorize(authorization.href, 'someone');
    const { person } = await browser.personOf(await browser.finish('real', back));
    await there.logOut();
    expect(await isLoggedIn(person)).toBe(false);
    await real.close();
  });
});
