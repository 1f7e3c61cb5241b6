import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIdentityProvider,
  type IdentityProvider,
} from '../../support/identity/identity-provider.ts';
import { bringAxe, tooWide, violationsOfPage } from '../support/barriers.ts';
import { countClicks } from '../support/clicks.ts';
import type { Caller, ConsoleFixture } from '../support/console-fixture.ts';
import { untilSettled, type ConsolePage, type Opener } from './pages.ts';

/** Clicks of the operator until the provider is tested and a rule leads to an account. */
const CLICKS_MAX = 12;
const SLUG = 'oidc';
const SUBJECT = 'ada';
const EMAIL = 'ada@lake.example';

/** Opens an account with a team. Returns its owner, whose session acts in it. */
async function openCompany(fixture: ConsoleFixture): Promise<Caller> {
  const owner = await fixture.register('owner@lake.example');
  const body = { name: 'Lake' };
  await fixture.ask('createOwnAccount', { as: owner, body });
  await fixture.ask('createTeam', { as: owner, body: { name: 'Research' } });
  return owner;
}

/** Starts a provider that knows one person, in the group `researchers`. */
async function startProviderFor(fixture: ConsoleFixture): Promise<IdentityProvider> {
  const provider = await startIdentityProvider({
    redirectUris: [`${fixture.weir.adminUrl}/sign-on/${SLUG}/callback`],
    logoutUri: `${fixture.weir.adminUrl}/api/v1/sign-on-providers/${SLUG}/logout-tokens`,
  });
  setGroups(provider, ['researchers']);
  return provider;
}

function setGroups(provider: IdentityProvider, groups: readonly string[]): void {
  provider.setPerson(SUBJECT, { email: EMAIL, email_verified: true, groups });
}

async function addProvider(page: Page, issuer: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign-on' }).click();
  await page.getByRole('button', { name: 'Add provider' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add an identity provider' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Lake');
  await dialog.getByRole('textbox', { name: 'Issuer' }).fill(issuer);
  await dialog.getByRole('textbox', { name: 'Client ID' }).fill(CLIENT_ID);
  await dialog.getByLabel('Client secret').first().fill(CLIENT_SECRET);
  await dialog.getByText('More settings').click();
  await dialog.getByRole('textbox', { name: 'Scopes' }).fill('openid email groups');
  await dialog.getByTestId('save').click();
  await page.getByRole('button', { name: 'Test Lake' }).click();
  const checks = page.getByTestId('checks');
  await expect.poll(() => checks.getByText('works').count()).toBe(4);
}

async function addRule(page: Page): Promise<void> {
  await page.locator('main .row-button').first().click();
  await page.getByRole('menuitem', { name: 'Rules and domains' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rules and domains of Lake' });
  await dialog.getByTestId('add-rule').click();
  await dialog.getByRole('textbox', { name: 'Value' }).fill('researchers');
  await dialog.getByTestId('account').fill('Lake');
  await page.getByRole('option', { name: /^Lake/ }).click();
  const team = dialog.getByRole('combobox', { name: 'Team' });
  await team.press('Enter');
  await page.getByRole('option', { name: 'Research' }).click();
  await dialog.getByTestId('save').click();
  await dialog.waitFor({ state: 'detached' });
}

/** From the log-in page to the provider, where people have no passwords, and back. */
async function signOn(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Lake' }).click();
  await page.locator('input[name=login]').fill(SUBJECT);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/\/(dashboard|start)$/);
  await untilSettled(page);
}

const DIALOGS: readonly Opener[] = [
  { press: 'main [pageaction]:is(button), main [pageaction] button' },
  { menuEntry: 0 },
  { menuEntry: 1 },
];

/** Pages of sign-on, and who reads them. */
const PAGES_OF_SIGN_ON: readonly ConsolePage[] = [
  { route: '/admin/sign-on', reader: 'admin', opens: DIALOGS },
  { route: '/account/security', reader: 'admin' },
  { route: '/login', reader: 'nobody' },
  { route: '/register', reader: 'nobody' },
  { route: `/sign-on/${SLUG}/callback`, reader: 'nobody' },
];

/** Sign-on by a real OpenID provider, in a browser. */
export function testSignOn(open: () => ConsoleFixture): void {
  it(`is set up with at most ${String(CLICKS_MAX)} clicks, and leads to account, role and team`, async () => {
    const fixture = open();
    const provider = await startProviderFor(fixture);
    const owner = await openCompany(fixture);
    const admin = await fixture.visitor({ as: await fixture.logIn(fixture.admin) });
    await admin.page.goto('/admin/overview');
    await untilSettled(admin.page);
    const clicks = await countClicks(admin.page);
    await addProvider(admin.page, provider.issuer);
    await addRule(admin.page);
    expect(await clicks()).toBeLessThanOrEqual(CLICKS_MAX);
    const person = await fixture.visitor();
    await signOn(person.page);
    expect(await person.page.getByTestId('account-switch').textContent()).toContain('Lake');
    const { data: members } = await fixture.ask('listMembers', { as: owner });
    expect(members.find(({ email }) => email === EMAIL)).toMatchObject({
      role: 'member',
      teamName: 'Research',
    });
    // Removed from the group, the person is in their own account alone at the next sign-on.
    setGroups(provider, []);
    const again = await fixture.visitor();
    await signOn(again.page);
    expect(await again.page.getByText('Lake', { exact: true }).count()).toBe(0);
    // The page of the provider loads fonts of its own, and has no icon.
    const complaints = [...admin.complaints, ...person.complaints, ...again.complaints];
    const { adminUrl } = fixture.weir;
    expect(complaints.filter((complaint) => complaint.includes(adminUrl))).toEqual([]);
    await Promise.all([admin, person, again].map(({ context }) => context.close()));
    await provider.close();
  });

  it('has no barriers, and fits a phone', async () => {
    const fixture = open();
    const admin = await fixture.logIn(fixture.admin);
    for (const one of PAGES_OF_SIGN_ON) {
      const visitor = await fixture.visitor(one.reader === 'admin' ? { as: admin } : {});
      await bringAxe(visitor);
      await visitor.page.goto(one.route);
      await untilSettled(visitor.page);
      expect(await violationsOfPage(visitor.page, one)).toEqual([]);
      expect(await tooWide(visitor.page), one.route).toEqual([]);
      expect(visitor.complaints).toEqual([]);
      await visitor.context.close();
    }
  });

  it('is found by the domain of an address, where passwords are refused', async () => {
    const fixture = open();
    const { data } = await fixture.ask('listSignOnProviders');
    const [provider] = data;
    if (provider === undefined) throw new Error('no provider was added');
    const params = { signOnProviderId: provider.id };
    const body = {
      shownOnLogIn: false,
      domains: [{ domain: 'lake.example', onlySignOn: true }],
    };
    await fixture.ask('updateSignOnProvider', { params, body });
    const { page, context, complaints } = await fixture.visitor();
    await page.goto('/login');
    await untilSettled(page);
    expect(await page.getByTestId('sign-on').count()).toBe(0);
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(EMAIL);
    await page.getByRole('textbox', { name: 'Password' }).fill('a long password');
    await page.getByRole('button', { name: 'Continue with Lake' }).waitFor();
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('People of lake.example sign on by Lake').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
}
