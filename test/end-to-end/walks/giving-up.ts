import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_API_ROOT, ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { begin, close, giveUp, goTo, untilSettled } from './pages.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const DIALOG = 'mat-dialog-container';
/** A place without any part of a dialog on any screen. */
const OUTSIDE = { x: 5, y: 5 };
/** Angular Material marks a dialog with it as soon as it begins to close. */
const CLOSING = '.mdc-dialog--closing';
const ENROLMENT = {
  secret: 'JBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Weir:user?secret=JBSWY3DPEHPK3PXP',
};
const RECOVERY_CODES = ['1111-2222-3333', '4444-5555-6666'];

async function clickBeside(page: Page): Promise<void> {
  await page.mouse.click(OUTSIDE.x, OUTSIDE.y);
}

/** By the second frame after what was done the page has answered to it. */
async function staysOpen(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))',
  );
  expect(await page.locator(DIALOG).count()).toBe(1);
  expect(await page.locator(CLOSING).count()).toBe(0);
}

/** Goes back as the browser's button does; resolves when the page has noticed. */
async function goBack(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    addEventListener('popstate', () => done(), { once: true });
    history.back();
  })`);
}

async function answer(
  page: Page,
  route: RouteId,
  json: object,
  after?: Promise<unknown>,
): Promise<void> {
  await page.route(`**${ADMIN_API_ROOT}${ADMIN_ROUTES[route].path}`, async (asked) => {
    await after;
    await asked.fulfill({ status: ADMIN_ROUTES[route].status, json });
  });
}

function testSlips(pageOf: () => Page): void {
  async function beginKey(): Promise<Page> {
    const page = pageOf();
    await goTo(page, '/keys');
    await page.getByTestId('create-key').click();
    await page.locator(DIALOG).waitFor();
    return page;
  }

  it('closes with a click outside it as long as nothing was typed', async () => {
    const page = await beginKey();
    await clickBeside(page);
    await page.locator(DIALOG).waitFor({ state: 'detached' });
  });

  it('keeps what was typed when a click falls outside it, and is given up with Escape', async () => {
    const page = await beginKey();
    const name = page.locator(DIALOG).getByRole('textbox', { name: 'Name' });
    await name.fill('Laptop');
    await clickBeside(page);
    await staysOpen(page);
    expect(await name.inputValue()).toBe('Laptop');
    await close(page);
  });

  it('stays when the second click of the two that opened it falls outside it', async () => {
    const page = await beginKey();
    const second = { bubbles: true, detail: 2 };
    await page.locator('.cdk-overlay-backdrop').dispatchEvent('click', second);
    await staysOpen(page);
    await giveUp(page);
  });

  it('closes when the page is left with Back, which leads back', async () => {
    const page = pageOf();
    await goTo(page, '/requests?outcome=failed');
    // An address that opens the dialog: what is done when that closes must not undo Back.
    await begin(page, '/keys?open=new');
    await page.locator(DIALOG).waitFor();
    await goBack(page);
    await page.locator(DIALOG).waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    await untilSettled(page);
    expect(page.url()).toMatch(/\/requests\?outcome=failed$/);
  });

  it('that an address opens is not opened again by Back once it was closed', async () => {
    const page = pageOf();
    await goTo(page, '/billing');
    await begin(page, '/keys?open=new');
    await giveUp(page);
    await page.waitForURL(/\/keys$/);
    await goBack(page);
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    expect(await page.locator(DIALOG).count()).toBe(0);
  });

  it('opens once when it is clicked on twice', async () => {
    const page = pageOf();
    await goTo(page, '/account/security');
    // Both before the dialog is there: later ones meet what lies around it.
    await page.evaluate(`const button = document.querySelector('[data-testid="second-factor"]');
      button.click(); button.click();`);
    await giveUp(page);
    expect(await page.locator(DIALOG).count()).toBe(0);
  });
}

function testShownOnce(pageOf: () => Page): void {
  it('keeps what is shown once, already while it is on its way', async () => {
    const page = pageOf();
    const { promise: free, resolve: letGo } = Promise.withResolvers();
    await answer(page, 'beginSecondFactor', ENROLMENT);
    await answer(page, 'confirmSecondFactor', { recoveryCodes: RECOVERY_CODES }, free);
    // Two pages to go back to.
    await goTo(page, '/requests');
    await goTo(page, '/billing');
    await goTo(page, '/account/security');
    await page.getByTestId('second-factor').click();
    const dialog = page.locator(DIALOG);
    await dialog.locator('input[type=password]').fill('as good as any');
    await page.keyboard.press('Enter');
    await dialog.locator('input[name=code]').fill('123456');
    await page.keyboard.press('Enter');
    await dialog.locator('form[aria-busy=true]').waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await goBack(page);
    await staysOpen(page);
    letGo(undefined);
    await dialog.getByText(RECOVERY_CODES[1] ?? '').waitFor();
    await page.keyboard.press('Escape');
    await clickBeside(page);
    await goBack(page);
    await staysOpen(page);
    expect(new URL(page.url()).pathname).toBe('/account/security');
    await dialog.getByRole('button', { name: 'I saved it' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
}

function testEndOfSession(): void {
  it('is covered by the log-in when the session ends, and is gone once its user leaves', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.user });
    await page.goto('/account/security');
    await page.getByTestId('second-factor').click();
    await page.locator(DIALOG).locator('input[type=password]').fill('as good as any');
    await context.clearCookies();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Discard and leave' }).click();
    await page.waitForURL('**/login');
    await page.locator(DIALOG).waitFor({ state: 'detached' });
    await context.close();
  });
}

/** A dialog closes on purpose, and by no slip of the hand. */
export function testGivingUp(): void {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await stockedConsole().fixture.visitor({ as: stockedConsole().stock.user }));
    await page.goto('/keys');
    await untilSettled(page);
  });
  afterEach(() => page.unrouteAll({ behavior: 'wait' }));
  afterAll(() => page.context().close());

  describe('a dialog', () => {
    testSlips(() => page);
    testShownOnce(() => page);
    testEndOfSession();
  });
}
