import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  startForgedProvider,
  type ForgedProvider,
  type Forgery,
} from '../../../support/identity/forged-provider.ts';
import { openCompany } from '../support/company.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { addProvider, refusedReasons, SignOnBrowser } from '../support/sign-on.ts';

let fixture: AdminFixture;
let company: ForgedProvider;
let other: ForgedProvider;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  [company, other] = await Promise.all([startForgedProvider(), startForgedProvider()]);
  admin = await fixture.admin();
  await addProvider(fixture, admin, {
    slug: 'company',
    issuer: company.issuer,
    signUp: 'anyone',
    domains: [{ domain: 'company.example', onlySignOn: false }],
  });
  await addProvider(fixture, admin, { slug: 'other', issuer: other.issuer, signUp: 'anyone' });
});
afterAll(async () => {
  await Promise.all([company.close(), other.close()]);
  await fixture.close();
});

let reasonsBefore = 0;
beforeEach(async () => {
  reasonsBefore = (await refusedReasons(fixture)).length;
});

const providers = () => ({ company, other });
type Slug = 'company' | 'other';

const verified = (email: string, sub: string) => ({ claims: { sub, email, email_verified: true } });

async function tryToSignOn(slug: Slug, forgery: Forgery, browser = new SignOnBrowser(fixture)) {
  const authorization = await browser.begin({ provider: slug });
  return browser.finish(slug, providers()[slug].reply(authorization, forgery));
}

/** Expects the refusal, its entry in the audit log, and that no one is logged in. */
async function expectRefused(
  answered: Awaited<ReturnType<typeof tryToSignOn>>,
  reason: string,
): Promise<void> {
  expect(answered.problem.code).toBe('sign_on_refused');
  expect(answered.headers['set-cookie']).toBeUndefined();
  expect((await refusedReasons(fixture)).slice(reasonsBefore)).toEqual([reason]);
}

describe('taking over a login is refused', () => {
  it('by an address that the provider does not confirm', async () => {
    const { email } = await fixture.user('victim@company.example');
    for (const email_verified of [false, undefined, 'no']) {
      reasonsBefore = (await refusedReasons(fixture)).length;
      const claims = { sub: 'thief', email, email_verified };
      await expectRefused(await tryToSignOn('company', { claims }), 'address_unverified');
    }
  });

  it('by a confirmed address of a domain that the provider is not trusted for', async () => {
    const { email } = await fixture.user('victim@elsewhere.example');
    await expectRefused(await tryToSignOn('company', verified(email, 'thief')), 'address_taken');
    reasonsBefore += 1;
    const atCompany = await fixture.user('second@company.example');
    await expectRefused(
      await tryToSignOn('other', verified(atCompany.email, 'thief')),
      'address_taken',
    );
  });

  it('of an operator by address, even if it is confirmed', async () => {
    await fixture.pool.query(`update users set email = 'root@company.example' where id = $1`, [
      admin.userId,
    ]);
    const tried = await tryToSignOn('company', verified('root@company.example', 'thief'));
    await expectRefused(tried, 'address_taken');
  });

  it('by the same subject of another issuer', async () => {
    await tryToSignOn('company', verified('boss@company.example', 'the-boss'));
    const tried = await tryToSignOn('other', verified('boss@company.example', 'the-boss'));
    await expectRefused(tried, 'address_taken');
  });

  it('by linking an identity that is another person’s', async () => {
    await tryToSignOn('company', verified('first@company.example', 'first'));
    const browser = new SignOnBrowser(fixture);
    const authorization = await browser.beginLink(await fixture.user(), 'company');
    const back = company.reply(authorization, { claims: { sub: 'first' } });
    await expectRefused(await browser.finish('company', back), 'linked_elsewhere');
  });

  it('by a link that was begun by a user who is not logged in any more', async () => {
    const browser = new SignOnBrowser(fixture);
    const authorization = await browser.beginLink(await fixture.user(), 'company');
    const other = await fixture.user();
    browser.cookie = browser.cookie.replace(/^[^;]+/, other.cookie);
    const back = company.reply(authorization, { claims: { sub: 'someone' } });
    await expectRefused(await browser.finish('company', back), 'other_user');
  });
});

describe('a reply is refused', () => {
  it('that comes twice', async () => {
    const browser = new SignOnBrowser(fixture);
    const authorization = await browser.begin({ provider: 'company' });
    const back = company.reply(authorization, verified('twice@company.example', 'twice'));
    expect((await browser.finish('company', back)).reply.outcome).toBe('logged_in');
    await expectRefused(await browser.finish('company', back), 'replayed_state');
  });

  it('that another browser began, so that no one is logged in as someone else', async () => {
    const attacker = new SignOnBrowser(fixture);
    const authorization = await attacker.begin({ provider: 'company' });
    const back = company.reply(authorization, verified('attacker@company.example', 'attacker'));
    const withoutCookie = new SignOnBrowser(fixture);
    const withOwnCookie = new SignOnBrowser(fixture);
    await withOwnCookie.begin({ provider: 'company' });
    for (const victim of [withoutCookie, withOwnCookie]) {
      const answered = await victim.finish('company', back);
      expect(answered.problem.code).toBe('sign_on_refused');
    }
    const reasons = (await refusedReasons(fixture)).slice(reasonsBefore);
    expect(reasons).toEqual(['other_browser', 'replayed_state']);
  });

  it('that another provider sends', async () => {
    const browser = new SignOnBrowser(fixture);
    const authorization = await browser.begin({ provider: 'company' });
    const back = other.reply(authorization, verified('mixed@company.example', 'mixed'));
    await expectRefused(await browser.finish('other', back), 'mixed_up');
  });

  it('whose issuer parameter names another provider', async () => {
    const browser = new SignOnBrowser(fixture);
    const authorization = await browser.begin({ provider: 'company' });
    const back = company.reply(authorization, verified('mixed@company.example', 'mixed'));
    back.searchParams.set('iss', other.issuer);
    await expectRefused(await browser.finish('company', back), 'invalid_response');
  });

  it('with the code of another provider', async () => {
    const browser = new SignOnBrowser(fixture);
    const authorization = await browser.begin({ provider: 'company' });
    const back = company.reply(authorization);
    const foreign = other.reply(authorization).searchParams.get('code') ?? '';
    back.searchParams.set('code', foreign);
    await expectRefused(await browser.finish('company', back), 'code_refused');
  });

  it('that took too long', async () => {
    const browser = new SignOnBrowser(fixture);
    const authorization = await browser.begin({ provider: 'company' });
    await fixture.pool.query(
      `update sign_on_flows set expires_at = now() - interval '1 second' where used_at is null`,
    );
    const back = company.reply(authorization, verified('late@company.example', 'late'));
    await expectRefused(await browser.finish('company', back), 'expired');
  });

  it('in which the provider says no', async () => {
    const browser = new SignOnBrowser(fixture);
    const authorization = await browser.begin({ provider: 'company' });
    const back = company.reply(authorization);
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    await expectRefused(await browser.finish('company', back), 'denied');
  });

  it('in which the provider refuses the settings, which is no choice of the person', async () => {
    const browser = new SignOnBrowser(fixture);
    const back = company.reply(await browser.begin({ provider: 'company' }));
    back.searchParams.delete('code');
    back.searchParams.set('error', 'invalid_scope');
    const { problem } = await browser.finish('company', back);
    expect(problem.code).toBe('sign_on_unavailable');
  });

  it('with a state that no one has begun with, without an entry in the audit log', async () => {
    const browser = new SignOnBrowser(fixture);
    const authorization = await browser.begin({ provider: 'company' });
    authorization.searchParams.set('state', 'x'.repeat(43));
    const back = company.reply(authorization);
    const tried = await browser.finish('company', back);
    expect(tried.problem.code).toBe('sign_on_refused');
    expect((await refusedReasons(fixture)).slice(reasonsBefore)).toEqual([]);
  });
});

describe('an ID token is refused', () => {
  const now = Math.floor(Date.now() / 1000);
  const sub = 'token';
  const forgeries: readonly (readonly [string, Forgery])[] = [
    ['with a foreign nonce', { claims: { sub, nonce: 'of another sign-on' } }],
    ['without a nonce', { claims: { sub, nonce: undefined } }],
    ['for another client', { claims: { sub, aud: 'another' } }],
    ['of another issuer', { claims: { sub, iss: 'https://other.example' } }],
    ['that has expired', { claims: { sub, exp: now - 3_600 } }],
    ['with the signature of a stranger', { claims: { sub }, byStranger: true }],
  ];
  it.each(forgeries)('%s', async (_what, forgery) => {
    await expectRefused(await tryToSignOn('company', forgery), 'invalid_response');
  });
});

describe('a person is refused', () => {
  it('who is disabled', async () => {
    const { email, userId } = await fixture.user('disabled@company.example');
    await tryToSignOn('company', verified(email, 'disabled'));
    await fixture.pool.query('update users set disabled_at = now() where id = $1', [userId]);
    await expectRefused(await tryToSignOn('company', verified(email, 'disabled')), 'user_disabled');
  });

  it('whose groups the provider leaves out, so that no membership ends by mistake', async () => {
    const { accountId } = await openCompany(fixture, await fixture.user());
    await addProvider(fixture, admin, {
      slug: 'entra',
      issuer: company.issuer,
      rules: [{ claim: 'groups', value: 'g', accountId, role: 'member' }],
    });
    const browser = new SignOnBrowser(fixture);
    const authorization = await browser.begin({ provider: 'entra' });
    const claims = { sub: 'many-groups', _claim_names: { groups: 'src1' } };
    const back = company.reply(authorization, { claims });
    await expectRefused(await browser.finish('entra', back), 'groups_left_out');
  });

  it('who has no address', async () => {
    const tried = await tryToSignOn('company', { claims: { sub: 'nameless' } });
    await expectRefused(tried, 'no_address');
  });
});

describe('a provider is refused', () => {
  const create = (body: object) =>
    fixture.ask('createSignOnProvider', {
      as: admin,
      body: {
        slug: 'new',
        preset: 'oidc',
        name: 'New',
        issuer: 'https://id.example',
        clientId: 'weir',
        ...body,
      },
    });

  it.each(['common/v2.0', 'organizations'])('for the people of every tenant: %s', async (path) => {
    const issuer = `https://login.microsoftonline.com/${path}`;
    const refused = await create({ preset: 'entra', issuer });
    expect(refused.problem.errors?.[0]?.field).toBe('issuer');
  });

  it('at a private address that is not allowed, and by plain http', async () => {
    expect((await create({ issuer: 'https://127.0.0.1/' })).problem.code).toBe('address_refused');
    expect((await create({ issuer: 'http://id.example' })).problem.code).toBe('invalid_value');
  });

  it('with a domain that another one has', async () => {
    const domains = [{ domain: 'Company.example', onlySignOn: false }];
    expect((await create({ domains })).problem.code).toBe('already_exists');
  });

  it('that would lock the operator out who sets it', async () => {
    const operator = await fixture.admin();
    const [, domain = ''] = operator.email.split('@');
    const domains = [{ domain, onlySignOn: true }];
    const refused = await fixture.ask('createSignOnProvider', {
      as: operator,
      body: {
        slug: 'locked',
        preset: 'oidc',
        name: 'Locked',
        issuer: 'https://id.example',
        clientId: 'weir',
        domains,
      },
    });
    expect(refused.problem.code).toBe('state_conflict');
  });

  it('that moves to another address with the secret of the former one', async () => {
    const made = await create({ clientSecret: 'the secret' });
    const params = { signOnProviderId: made.reply.id };
    const body = { issuer: 'https://elsewhere.example' };
    const moved = await fixture.ask('updateSignOnProvider', {
      as: admin,
      anyVersion: true,
      params,
      body,
    });
    expect(moved.problem.code).toBe('credentials_bound');
  });
});
