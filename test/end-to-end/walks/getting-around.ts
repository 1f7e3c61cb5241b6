import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Caller } from '../support/console-fixture.ts';
import { goTo, openPalette, untilSettled } from './pages.ts';
import { CUSTOMER_EMAIL, serveWith } from '../support/stock.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const MODEL = 'gpt-6.2-sol';
const DESKTOP = { width: 1440, height: 900 };
const ROWS_MIN = 25;

async function visit(path: string, as: Caller, size = DESKTOP): Promise<Page> {
  const { page } = await stockedConsole().fixture.visitor({ as, size });
  await page.goto(path);
  await untilSettled(page);
  return page;
}

const HIDDEN_PX = `(() => {
  const links = document.querySelector('weir-side-nav .links');
  return links.scrollHeight - links.clientHeight;
})()`;

/** The part of the menu below its lower edge. */
function hiddenPx(page: Page): Promise<number> {
  return page.evaluate<number>(HIDDEN_PX);
}

function menuOf(page: Page): Promise<string[]> {
  return page.locator('weir-side-nav .links a').allTextContents();
}

const ROWS_IN_SIGHT = `[...document.querySelectorAll('[data-testid="row"]')].filter((row) => {
  const { top, bottom } = row.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}).length`;

/** Rows that are in sight whole. */
function rowsInSight(page: Page): Promise<number> {
  return page.evaluate<number>(ROWS_IN_SIGHT);
}

function testMenus(): void {
  it('the operator’s menu fits a window of 900 px, and is apart from the customer’s', async () => {
    const { stock } = stockedConsole();
    const page = await visit('/admin/audit', stock.admin);
    expect(await hiddenPx(page)).toBe(0);
    expect((await menuOf(page)).map((name) => name.trim())).not.toContain('Playground');
    await page.getByTestId('world-customer').click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    expect((await menuOf(page)).map((name) => name.trim())).not.toContain('Audit log');
    await page.getByTestId('world-operator').click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.context().close();

    const customer = await visit('/usage', stock.user);
    expect(await customer.getByTestId('world-operator').count()).toBe(0);
    const active = customer.locator('weir-side-nav [aria-current=page]');
    expect((await active.textContent())?.trim()).toBe('Requests');
    await customer.context().close();
  });

  it('a menu that does not fit shows the entry of its page', async () => {
    const { stock } = stockedConsole();
    const page = await visit('/admin/audit', stock.admin, { width: 1440, height: 500 });
    expect(await hiddenPx(page)).toBeGreaterThan(0);
    const active = page.locator('weir-side-nav [aria-current=page]');
    const box = await active.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(500);
    await page.context().close();
  });

  it('on a phone the tab of the page is in sight', async () => {
    const { stock } = stockedConsole();
    const page = await visit('/members', stock.user, { width: 390, height: 844 });
    for (const path of ['/members/audit', '/account/tokens', '/billing/statements']) {
      await goTo(page, path);
      const active = page.locator('main weir-sub-nav [aria-current=page]');
      await expect
        .poll(
          async () => {
            const box = await active.boundingBox();
            return (box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= 390;
          },
          { message: path },
        )
        .toBe(true);
    }
    await page.context().close();
  });

  it('an operator who opens a request stays in the operators’ menu', async () => {
    const { stock } = stockedConsole();
    const page = await visit(`/requests/${stock.requestId}`, stock.admin);
    const active = page.locator('weir-side-nav .links [aria-current=page]');
    expect((await active.allTextContents()).map((text) => text.trim())).toEqual(['All requests']);
    await page.context().close();
  });
}

function testKeys(): void {
  it('keys lead to pages, through rows and to the search, until they are switched off', async () => {
    const { stock } = stockedConsole();
    const page = await visit('/admin/overview', stock.admin);
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await untilSettled(page);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    const focused = page.locator('[data-testid="row"] :focus');
    expect(await focused.count()).toBe(1);
    await page.keyboard.press('/');
    const search = page.getByRole('main').getByRole('searchbox').first();
    // What is typed there is text.
    await page.keyboard.type('gr?');
    expect(await search.inputValue()).toBe('gr?');
    await search.blur();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByRole('switch').click();
    await help.getByRole('button', { name: 'Close' }).click();
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await openPalette(page);
    await page.keyboard.type('Keyboard');
    await page.keyboard.press('Enter');
    await help.getByRole('switch').click();
    expect(new URL(page.url()).pathname).toBe('/admin/accounts');
    await page.context().close();
  });
}

function testLists(): void {
  it('a compact list has 25 rows in a window of 900 px; it and its columns are remembered', async () => {
    const { fixture, stock } = stockedConsole();
    for (let count = 0; count < ROWS_MIN; count += 1) {
      await fixture.ask('createInvitationCode', { body: { usesMax: 1, note: String(count) } });
    }
    const page = await visit('/admin/audit', stock.admin);
    const before = await rowsInSight(page);
    await page.getByTestId('view').click();
    await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click();
    await page.getByTestId('view').click();
    await page.getByRole('menuitemcheckbox', { name: 'From' }).click();
    await page.reload();
    await untilSettled(page);
    expect(await page.getByRole('columnheader', { name: 'From' }).count()).toBe(0);
    const rows = await rowsInSight(page);
    expect(rows).toBeGreaterThan(before);
    expect(rows).toBeGreaterThanOrEqual(ROWS_MIN);
    await page.context().close();
  });
}

function testActs(): void {
  it('the palette credits an account that it finds, from a page of customers', async () => {
    const { stock } = stockedConsole();
    const page = await visit('/dashboard', stock.admin);
    await openPalette(page);
    await page.keyboard.type(CUSTOMER_EMAIL);
    await page.getByRole('option', { name: `Credit ${CUSTOMER_EMAIL}` }).click();
    const dialog = page.getByRole('dialog', { name: CUSTOMER_EMAIL });
    await dialog.getByRole('textbox', { name: /^Amount/ }).fill('1');
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill('Palette');
    await dialog.getByTestId('save').click();
    await page.getByTestId('confirm').click();
    await page.getByText('Done.').waitFor();
    await page.context().close();
  });
}

function testSetup(): void {
  it('the settings of a tool open from a key, and say when its request arrives', async () => {
    const { fixture, stock } = stockedConsole();
    const page = await visit('/keys', stock.user);
    const row = page.getByTestId('row').filter({ hasText: 'Laptop' });
    await row.locator('.row-button').click();
    await page.getByTestId('set-up').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Claude Code', { exact: true }).click();
    await dialog.getByText(`export ANTHROPIC_AUTH_TOKEN='sk-…'`).waitFor();
    expect(await dialog.textContent()).not.toContain(stock.key);
    await dialog.getByText('Waiting for the next request').waitFor();
    await (await serveWith(fixture, stock.key, MODEL)).text();
    await dialog.getByText('Request arrived').waitFor();
    const opened = page.context().waitForEvent('page');
    await dialog.getByRole('link', { name: 'Open the request' }).click();
    await (await opened).getByRole('main').getByText(MODEL).first().waitFor();
    await goTo(page, '/keys');
    await page.context().close();
  });
}

/** Menus of two worlds, keys, the view of lists, commands that act, settings of tools. */
export function testGettingAround(): void {
  testMenus();
  testKeys();
  testLists();
  testActs();
  testSetup();
}
