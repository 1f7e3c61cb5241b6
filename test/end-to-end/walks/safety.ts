import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PASSWORD, type Visitor } from '../support/console-fixture.ts';
import { addressOf, type ConsolePage, goTo, guardOf, PAGES, untilSettled } from './pages.ts';
import { CUSTOMER_EMAIL } from '../support/stock.ts';
import { stockedConsole } from '../support/stocked-console.ts';

/** Keeps a list of what the content security policy refused, in the page itself. */
export async function noteBreaches({ context }: Visitor): Promise<void> {
  await context.addInitScript(`
    window.weirBreaches = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      window.weirBreaches.push([violatedDirective, blockedURI, sample].join(' ')));`);
}

/** Through the form, as people do. */
async function logIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(CUSTOMER_EMAIL);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** All that scripts of this origin can find again later. */
function kept(page: Page): Promise<string> {
  return page.evaluate<string>(`(async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases(), await caches.keys(),
  ]))()`);
}

function testPolicy(): void {
  it('runs no script but the files of the console, and says so on every page', async () => {
    const { fixture } = stockedConsole();
    for (const path of ['/', '/login', '/admin/channels', '/no-such-page']) {
      const policy = (
        await fetch(fixture.weir.adminUrl + path, { headers: { accept: 'text/html' } })
      ).headers.get('content-security-policy');
      const directives = new Map(
        (policy ?? '').split(';').map((one): [string, string] => {
          const [name = '', ...sources] = one.trim().split(' ');
          return [name, sources.join(' ')];
        }),
      );
      expect(directives.get('script-src')).toBe("'self'");
      expect(directives.get('object-src') ?? directives.get('default-src')).toBe("'none'");
      expect(directives.get('frame-ancestors')).toBe("'none'");
      expect(directives.get('base-uri')).toMatch(/^'(none|self)'$/);
      expect(policy).not.toContain('unsafe');
    }
  });

  it('tells visitors nothing about its sources: the page has no comment', async () => {
    const page = await fetch(stockedConsole().fixture.weir.adminUrl);
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).toContain('<weir-app');
    expect(text).not.toContain('<!--');
  });
}

/** Guards match the roles of the API. */
export function testGuards(isWanted: (page: ConsolePage) => boolean): void {
  const pages = PAGES.filter(isWanted);

  it('a user finds no page of an admin, and none asks the API for anything', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.user });
    const refused: string[] = [];
    page.on('response', (response) => {
      if ([401, 403].includes(response.status())) refused.push(response.url());
    });
    await page.goto('/forgot-password');
    await untilSettled(page);
    for (const one of pages.filter((page) => guardOf(page) === 'admin')) {
      // A page of another kind in between: two that are refused alike could not be told apart.
      await goTo(page, '/forgot-password');
      await goTo(page, addressOf(one, stock));
      expect(await page.locator('main h1').textContent(), one.route).toBe('Page not found');
    }
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Channels' }).count()).toBe(
      0,
    );
    expect(refused).toEqual([]);
    await context.close();
  });

  it('nobody is sent to log in from every page of a user or an admin', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor();
    await page.goto('/forgot-password');
    await untilSettled(page);
    for (const one of pages.filter(({ reader }) => reader !== 'nobody')) {
      const address = addressOf(one, stock);
      await goTo(page, '/forgot-password');
      await goTo(page, address);
      const { pathname, searchParams } = new URL(page.url());
      expect(pathname, one.route).toBe('/login');
      expect(searchParams.get('to') ?? '/dashboard').toBe(address);
    }
    await context.close();
  });
}

function testReturn(): void {
  it('a user who logs in comes back to the requested page, with what was chosen there', async () => {
    const { fixture } = stockedConsole();
    const { page, context } = await fixture.visitor();
    await page.goto('/keys?search=lap');
    await logIn(page);
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('lap');
    await context.close();
  });
}

function testSecrets(): void {
  it('keeps no secret where scripts could find it', async () => {
    const { fixture } = stockedConsole();
    const { page, context } = await fixture.visitor();
    await page.goto('/keys');
    await logIn(page);
    await page.getByTestId('create-key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Kept by nobody');
    await dialog.getByRole('combobox', { name: 'Model group' }).click();
    await page.getByRole('option').first().click();
    await dialog.getByTestId('save').click();
    const key = (await dialog.getByTestId('secret').textContent()) ?? '';
    expect(key).toMatch(/^sk-/);
    const session = (await context.cookies()).find(({ httpOnly }) => httpOnly);
    expect(session?.sameSite).toMatch(/Lax|Strict/);
    const found = await kept(page);
    expect(found).toContain('weir.theme');
    for (const secret of [key, session?.value ?? key, PASSWORD])
      expect(found).not.toContain(secret);
    await context.close();
  });
}

function testRefusals(): void {
  it('says in words what the API refused, with the id of the request', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.user });
    const answer = page.waitForResponse((response) => response.status() === 404);
    await page.goto(`/billing/orders/${stock.batchId}`);
    const requestId = (await answer).headers()['x-request-id'] ?? 'none';
    const note = page.locator('main').getByRole('alert');
    await note.waitFor();
    expect(await note.textContent()).toContain(requestId);
    expect(await note.locator('.words').textContent()).toMatch(/^[A-Z].* .*\.$/);
    await context.close();
  });
}

function testUpgrade(): void {
  it('finds the way to a page that an upgrade has replaced', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.user });
    await page.goto('/models');
    await untilSettled(page);
    let upgraded = false;
    // The pages of the former version are gone until the console is reloaded.
    await context.route(/chunk-[^/]*\.js$/, (route) =>
      upgraded ? route.continue() : route.fulfill({ status: 404, body: '' }),
    );
    page.on('request', (request) => {
      if (request.isNavigationRequest()) upgraded = true;
    });
    await page.getByRole('navigation').getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    expect(upgraded).toBe(true);
    await context.close();
  });
}

function testRenewal(): void {
  it('says what a plan costs before it is renewed from the balance, and that it is not any more', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.user });
    await page.goto('/billing/plans');
    await page.getByTestId('renewal').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('for $20.00 per 30 days').waitFor();
    expect((await fixture.ask('listSubscriptions')).data[0]?.renews).toBe(false);
    await dialog.getByRole('button', { name: 'Turn renewal on' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Renews', { exact: false }).first().waitFor();
    expect((await fixture.ask('listSubscriptions')).data[0]?.renews).toBe(true);
    await page.getByRole('button', { name: 'Stop renewing' }).click();
    await dialog.getByRole('button', { name: 'Stop renewing' }).click();
    await page.getByTestId('renewal').waitFor();
    expect((await fixture.ask('listSubscriptions')).data[0]?.renews).toBe(false);
    await context.close();
  });
}

/**
 * Tests of the protection from foreign scripts, from other users' pages, and from silent failures.
 */
export function testSafety(): void {
  describe('the content security policy', testPolicy);
  testSecrets();
  testReturn();
  testRefusals();
}

export function testSafetyAround(): void {
  testUpgrade();
  testRenewal();
}
