import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeGitHub, type FakeGitHub } from '../../../support/identity/fake-github.ts';
import { openCompany, type Company } from '../support/company.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';
import { addProvider, SignOnBrowser } from '../support/sign-on.ts';

let fixture: AdminFixture;
let gitHub: FakeGitHub;
let admin: Person;
let company: Company;

beforeAll(async () => {
  fixture = await createAdminFixture();
  gitHub = await startFakeGitHub();
  admin = await fixture.admin();
  company = await openCompany(fixture, await fixture.user());
  const { accountId } = company;
  await addProvider(fixture, admin, {
    slug: 'github',
    preset: 'github',
    issuer: gitHub.issuer,
    scopes: '',
    domains: [{ domain: 'company.example', onlySignOn: false }],
    rules: [{ claim: 'orgs', value: 'our-org', accountId, role: 'viewer' }],
  });
});
afterAll(async () => {
  await gitHub.close();
  await fixture.close();
});

const userOf = (id: number, email: string, verified = true) => ({
  id,
  login: `user-${String(id)}`,
  emails: [
    { email: `old-${email}`, primary: false, verified: true },
    { email, primary: true, verified },
  ],
  orgs: ['our-org'],
});

async function signOn(user: ReturnType<typeof userOf>) {
  const browser = new SignOnBrowser(fixture);
  const authorization = await browser.begin({ provider: 'github' });
  const back = gitHub.authorize(authorization, user);
  return { browser, back, finished: await browser.finish('github', back) };
}

describe('GitHub', () => {
  it('is known by the number of the user, also under another name and address', async () => {
    const first = await signOn(userOf(1, 'one@company.example'));
    const { person, membership } = await first.browser.personOf(first.finished);
    expect(membership).toMatchObject({ accountId: company.accountId, role: 'viewer' });
    const again = await signOn({ ...userOf(1, 'renamed@company.example'), login: 'renamed' });
    expect((await again.browser.personOf(again.finished)).person.userId).toBe(person.userId);
  });

  it('links by the primary address alone, and only when it is verified there', async () => {
    const user = await fixture.user('two@company.example');
    const unverified = await signOn(userOf(2, user.email, false));
    expect(unverified.finished.problem.code).toBe('sign_on_refused');
    const verified = await signOn(userOf(2, user.email));
    expect((await verified.browser.personOf(verified.finished)).person.userId).toBe(user.userId);
  });

  it('is refused with a code that was used before', async () => {
    const { back } = await signOn(userOf(3, 'three@company.example'));
    const browser = new SignOnBrowser(fixture);
    const authorization = await browser.begin({ provider: 'github' });
    back.searchParams.set('state', authorization.searchParams.get('state') ?? '');
    const refused = await browser.finish('github', back);
    expect(refused.problem.detail).toContain('refused the code');
  });

  it('is tested with a code that cannot exist', async () => {
    const [provider] = (await fixture.ask('listSignOnProviders', { as: admin })).reply.data;
    const params = { signOnProviderId: provider?.id ?? '' };
    const { reply } = await fixture.ask('testSignOnProvider', { as: admin, params });
    expect(reply.checks).toContainEqual({ check: 'client', passed: true, detail: '' });
  });
});

describe('a second factor', () => {
  const enrol = async (person: Person): Promise<() => string> => {
    const begun = await fixture.ask('beginSecondFactor', {
      as: person,
      body: { password: PASSWORD },
    });
    const secret = Secret.fromBase32(begun.reply.secret);
    // Whatever is there before an address is proven would go when it is.
    await fixture.pool.query('update users set email_verified_at = now() where id = $1', [
      person.userId,
    ]);
    // Each code is of a step of its own: one works once.
    let step = -1;
    const code = () =>
      new TOTP({ secret }).generate({ timestamp: Date.now() + (step += 1) * 30_000 });
    await fixture.ask('confirmSecondFactor', { as: person, body: { code: code() } });
    return code;
  };

  it('is asked for after the sign-on, in the browser that signed on, once', async () => {
    const user = await fixture.user('factor@company.example');
    const code = await enrol(user);
    const { browser, back, finished } = await signOn(userOf(4, user.email));
    expect(finished.reply.outcome).toBe('second_factor_required');
    const state = back.searchParams.get('state') ?? '';
    const prove = (cookie: string, sent: string) =>
      fixture.ask('proveSignOn', { body: { state, code: sent }, headers: { cookie } });
    const good = code();
    expect((await prove('', good)).problem.code).toBe('sign_on_refused');
    expect((await prove(browser.cookie, '000000')).problem.code).toBe('second_factor_invalid');
    const proven = await prove(browser.cookie, good);
    expect(proven.reply.outcome).toBe('logged_in');
    expect((await browser.personOf(proven)).person.userId).toBe(user.userId);
    expect((await prove(browser.cookie, code())).problem.code).toBe('sign_on_refused');
  });

  it('is left to a provider that the operator trusts with it', async () => {
    const [provider] = (await fixture.ask('listSignOnProviders', { as: admin })).reply.data;
    await fixture.ask('updateSignOnProvider', {
      as: admin,
      anyVersion: true,
      params: { signOnProviderId: provider?.id ?? '' },
      body: { trustsSecondFactor: true },
    });
    const user = await fixture.user('trusted@company.example');
    await enrol(user);
    const { finished } = await signOn(userOf(5, user.email));
    expect(finished.reply.outcome).toBe('logged_in');
  });
});
