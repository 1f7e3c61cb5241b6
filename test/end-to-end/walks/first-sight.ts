import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { stockedConsole } from '../support/stocked-console.ts';
import type { VisitorOptions } from '../support/console-fixture.ts';
import { untilSettled } from './pages.ts';

type Options = Omit<VisitorOptions, 'as'>;

/** Opens a page as one of the two people of the stock; `prepare` runs before it is loaded. */
async function visit(
  path: string,
  as: 'admin' | 'user',
  options: Options & { readonly prepare?: (page: Page) => Promise<unknown> } = {},
): Promise<Page> {
  const { fixture, stock } = stockedConsole();
  const { prepare, ...rest } = options;
  const { page } = await fixture.visitor({ as: stock[as], ...rest });
  await prepare?.(page);
  await page.goto(path);
  await untilSettled(page);
  return page;
}

/** Texts of a table that are cut off without dots: nothing shows that there is more. */
const CUT = `[...document.querySelectorAll('[data-testid="row"] *')].filter((element) => {
  if (element.scrollWidth <= element.clientWidth + 1 || element.clientWidth < 2) return false;
  const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
  return overflowX !== 'visible' && textOverflow !== 'ellipsis' && webkitLineClamp === 'none';
}).map((element) => element.outerHTML.slice(0, 160))`;

/** The distance in height between the texts of the first row. */
const UNEVEN_PX = `(() => {
  const row = document.querySelector('[data-testid="row"]');
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  const tops = [];
  while (walker.nextNode()) {
    if (walker.currentNode.data.trim() === '') continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width > 2) tops.push(box.top + box.height / 2);
  }
  return Math.max(...tops) - Math.min(...tops);
})()`;

async function fontsOf(page: Page, selector: string): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  await client.send('DOM.enable');
  await client.send('CSS.enable');
  const { root } = await client.send('DOM.getDocument');
  const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId });
  return fonts.map(({ familyName }) => familyName);
}

function testLooks(): void {
  it.each([
    ['/admin/codes', 1440],
    ['/admin/codes/invitations', 1440],
    ['/admin/audit', 1024],
    ['/admin/requests', 1024],
  ])('no text of %s is cut without dots, %i px wide', async (path, width) => {
    const page = await visit(path, 'admin', { size: { width, height: 900 } });
    await page.getByTestId('row').first().waitFor();
    expect(await page.evaluate<string[]>(CUT)).toEqual([]);
    await page.context().close();
  });

  it('the texts of one row are on one line', async () => {
    const page = await visit('/requests', 'user', { size: { width: 1440, height: 900 } });
    await page.getByTestId('row').first().waitFor();
    expect(await page.evaluate<number>(UNEVEN_PX)).toBeLessThan(1.5);
    await page.context().close();
  });

  it('the filters of all requests take two lines of a wide page, also when they are chosen', async () => {
    const query = 'outcome=failed&model=gpt-6.2-sol&code=insufficient_balance';
    const page = await visit(`/admin/requests?${query}`, 'admin', {
      size: { width: 1440, height: 900 },
    });
    await page.getByTestId('views').waitFor();
    const first = await page.locator('main weir-search-box').boundingBox();
    const table = await page.locator('weir-data-table').boundingBox();
    // A third line would be 40 px more.
    expect((table?.y ?? 0) - (first?.y ?? 0)).toBeLessThan(130);
    await page.context().close();
  });

  it('texts have the console’s typeface once it has come, which is asked for with the page', async () => {
    const page = await visit('/keys', 'user');
    expect(await page.locator('link[rel="preload"][as="font"]').count()).toBeGreaterThan(0);
    expect(await fontsOf(page, 'main h1')).toEqual([expect.stringContaining('Inter')]);
    await page.context().close();
  });

  it('one plan is as wide as one of several', async () => {
    const page = await visit('/billing/plans', 'user', { size: { width: 1440, height: 900 } });
    const box = await page.getByTestId('plan').first().boundingBox();
    expect(box?.width).toBeLessThan(600);
    await page.context().close();
  });

  it('the API reference has the brand and the theme of the console', async () => {
    const page = await visit('/keys', 'user', { theme: 'dark' });
    const dark = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await page.goto('/api/reference');
    await page.locator('header svg').waitFor();
    expect(await page.locator('header a').first().textContent()).not.toBe('');
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe(dark);
    await page.context().close();
  });
}

function testWords(): void {
  it('an announcement is never shown as raw Markdown', async () => {
    const { fixture } = stockedConsole();
    await fixture.ask('updateSettings', { body: { announcement: 'Maintenance **on Sunday**' } });
    const page = await visit('/dashboard', 'user', {
      prepare: (unloaded) =>
        unloaded.addInitScript(`
          window.weirRaw = [];
          const look = () => {
            for (const one of document.querySelectorAll('weir-markdown .plain')) {
              if (getComputedStyle(one).visibility !== 'hidden') weirRaw.push(one.textContent);
            }
            requestAnimationFrame(look);
          };
          requestAnimationFrame(look);`),
    });
    await page.locator('weir-markdown strong').getByText('on Sunday').waitFor();
    expect(await page.evaluate('weirRaw')).toEqual([]);
    await page.context().close();
    await fixture.ask('updateSettings', { body: { announcement: '' } });
  });

  it('without Stripe an order has no refund, and the page says where it is made', async () => {
    const page = await visit('/admin/orders', 'admin', {
      prepare: (unloaded) =>
        unloaded.route('**/api/v1/public-settings', async (route) => {
          const response = await route.fetch();
          await route.fulfill({
            response,
            json: { ...((await response.json()) as object), cardPayments: false },
          });
        }),
    });
    await page.getByText('refund in Stripe’s own dashboard').waitFor();
    await page.locator('main .row-button').first().click();
    expect(await page.getByRole('menuitem', { name: 'Refund' }).isDisabled()).toBe(true);
    await page.context().close();
  });

  it('a key is shown once, and no page offers to copy it again', async () => {
    const page = await visit('/keys', 'user');
    const { key } = stockedConsole().stock;
    expect(await page.content()).not.toContain(key);
    await page.locator('main .row-button').first().click();
    const entries = await page.getByRole('menuitem').allTextContents();
    expect(entries.filter((entry) => /copy.*key/i.test(entry))).toEqual([]);
    await page.context().close();
  });

  it('the version is that of the release', async () => {
    const page = await visit('/admin/system', 'admin');
    const file = new URL('../../../package.json', import.meta.url);
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    expect((await page.getByTestId('version').textContent())?.trim()).toBe(version);
    await page.context().close();
  });
}

function testDashboard(): void {
  it('a customer’s dashboard has trends against the week before, and leads to a failing key', async () => {
    const page = await visit('/dashboard', 'user');
    for (const id of ['requests', 'errors', 'firstByte', 'spend']) {
      await page.locator(`weir-trend-tile[data-testid="${id}"]`).waitFor();
    }
    expect(await page.locator('weir-trend-tile weir-sparkline').count()).toBeGreaterThan(0);
    await page.getByTestId('forecast').waitFor();
    await page.getByTestId('failing-keys').locator('.row-link').first().click();
    await page.waitForURL('**/keys/*');
    await page.context().close();
  });
}

/** Looks, words and figures that people see first. */
export function testFirstSight(): void {
  testLooks();
  testWords();
  testDashboard();
}
