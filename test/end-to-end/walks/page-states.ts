import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_API_ROOT, ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { failInside, PROBLEM, REQUEST_ID } from '../support/failing-api.ts';
import { begin, giveUp, goTo, untilSettled } from './pages.ts';
import { BROKEN_MODEL } from '../support/stock.ts';
import { stockedConsole } from '../support/stocked-console.ts';

/** The states of a page: while it waits, when there is nothing, and when the server fails. */
interface PageStates {
  readonly path: string;
  readonly reader: 'user' | 'admin';
  /** The route that brings what the page is about. */
  readonly route: RouteId;
  /** The text when there is nothing; pages that always have something have none. */
  readonly empty?: string;
}

const PAGES: readonly PageStates[] = [
  { path: '/models', reader: 'user', route: 'getPricing', empty: 'No model is for sale yet' },
  { path: '/keys', reader: 'user', route: 'listKeys', empty: 'No key yet' },
  {
    path: '/requests',
    reader: 'user',
    route: 'listOwnRequests',
    empty: 'No requests in this period',
  },
  { path: '/billing', reader: 'user', route: 'listOwnCredits', empty: 'Nothing yet' },
  { path: '/admin/overview', reader: 'admin', route: 'getOverview' },
  { path: '/admin/accounts', reader: 'admin', route: 'listAccounts' },
  { path: '/admin/channels', reader: 'admin', route: 'listChannels' },
  { path: '/admin/models', reader: 'admin', route: 'listModels' },
  { path: '/admin/audit', reader: 'admin', route: 'listAuditEntries' },
];
/** Asks for nothing, and is none of those above. */
const ELSEWHERE = '/no-such-page';
/** Lists with a count have it; others ignore it. */
const NOTHING = { data: [], nextCursor: null, total: 0 };
const NO_PRICES = { currency: 'USD', tokensPerPrice: 1_000_000, groups: [], models: [] };

/** Stands between the page and one route of the API until it is told to let go. */
async function standBetween(
  page: Page,
  route: RouteId,
  answer: 'wait' | 'fail' | 'nothing',
): Promise<() => void> {
  const path = `${ADMIN_API_ROOT}${ADMIN_ROUTES[route].path}`;
  let letGo = (): void => undefined;
  const free = new Promise<void>((resolve) => (letGo = resolve));
  let failing = answer === 'fail';
  await page.route(
    (url) => url.pathname === path,
    async (asked) => {
      if (answer === 'wait') await free;
      if (failing) await failInside(asked);
      else if (answer === 'nothing') {
        await asked.fulfill({ json: route === 'getPricing' ? NO_PRICES : NOTHING });
      } else await asked.continue();
    },
  );
  return () => {
    failing = false;
    letGo();
  };
}

function testPage(pageOf: () => Page, one: PageStates): void {
  it('shows grey shapes under its heading while it waits', async () => {
    const page = pageOf();
    const letGo = await standBetween(page, one.route, 'wait');
    await begin(page, one.path);
    await page.locator('main weir-skeleton').first().waitFor();
    expect(await page.locator('main h1').count()).toBe(1);
    letGo();
    await untilSettled(page);
    expect(await page.locator('main weir-skeleton').count()).toBe(0);
  });

  it('says in words that the server failed, with the request id, and tries again', async () => {
    const page = pageOf();
    const letGo = await standBetween(page, one.route, 'fail');
    await begin(page, one.path);
    const note = page.locator('main weir-failure-note').first();
    await note.waitFor();
    expect(await note.locator('[role="alert"]').count()).toBe(1);
    expect(await note.innerText()).toContain(REQUEST_ID);
    letGo();
    await note.getByRole('button', { name: 'Try again' }).click();
    await note.waitFor({ state: 'detached' });
    await untilSettled(page);
  });

  const { empty: words } = one;
  if (words === undefined) return;
  it('says what would stand there when there is nothing', async () => {
    const page = pageOf();
    await standBetween(page, one.route, 'nothing');
    await goTo(page, one.path);
    const empty = page.locator('main weir-empty-state').first();
    await empty.waitFor();
    expect(await empty.innerText()).toContain(words);
  });
}

/**
 * A list to choose from whose options the server brings: a user who is quicker than the server must
 * not click in vain.
 */
function testChoice(pageOf: () => Page): void {
  async function openModels(page: Page): Promise<void> {
    await page.getByRole('dialog').getByRole('combobox', { name: 'Models' }).click();
  }

  async function begunDialog(answer: 'wait' | 'fail' | 'nothing') {
    const page = pageOf();
    await goTo(page, '/admin/groups');
    const letGo = await standBetween(page, 'listModels', answer);
    await page.getByRole('button', { name: 'Add group' }).click();
    await openModels(page);
    return { page, letGo, option: (name: string) => page.getByRole('option', { name }) };
  }

  afterEach(async () => {
    const page = pageOf();
    // Of the list, then of the dialog.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('opens while its options are on their way, and fills', async () => {
    const { letGo, option } = await begunDialog('wait');
    await option('Loading…').waitFor();
    letGo();
    await option(BROKEN_MODEL).waitFor();
    expect(await option('Loading…').count()).toBe(0);
  });

  it('says that they could not be fetched, and asks again when it is opened again', async () => {
    const { page, letGo, option } = await begunDialog('fail');
    await option(PROBLEM.detail).waitFor();
    letGo();
    await page.keyboard.press('Escape');
    await openModels(page);
    await option(BROKEN_MODEL).waitFor();
  });

  it('says that there are none', async () => {
    const { option } = await begunDialog('nothing');
    await option('There is nothing to choose yet.').waitFor();
  });
}

/** Failures apart from a page's subject. */
function testAppErrorHandler(pageOf: () => Page): void {
  it('says at the foot that something failed which no page shows', async () => {
    const page = pageOf();
    await goTo(page, '/account/security');
    await standBetween(page, 'getOwnUser', 'fail');
    await page.getByTestId('second-factor').click();
    await giveUp(page);
    const words = page.locator('mat-snack-bar-container');
    await words.waitFor();
    expect(await words.innerText()).toContain(REQUEST_ID);
  });
}

/** A page is fetched when it is first wanted, which may be while there is no connection. */
function testOffline(pageOf: () => Page): void {
  it('stays in place when a page cannot be fetched, says so, and goes there once it can', async () => {
    const page = pageOf();
    await goTo(page, '/keys');
    const link = page.getByRole('link', { name: 'Playground', exact: true });
    await page.context().setOffline(true);
    await link.click();
    await page.getByText('The server cannot be reached.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/keys');
    await page.context().setOffline(false);
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
  });
}

/** Tests of the requests that the console makes once, when it is opened. */
function testInstallation(): void {
  it('says that it is not known how to reach the gateway instead of wrong settings, and asks again by itself', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.user });
    const letGo = await standBetween(page, 'getPublicSettings', 'fail');
    await page.goto('/start');
    const setups = page.locator('weir-tool-setups');
    await setups.locator('weir-failure-note').waitFor();
    expect(await setups.innerText()).toContain(REQUEST_ID);
    expect(await setups.locator('weir-code-block').count()).toBe(0);
    letGo();
    await setups.locator('weir-code-block').first().waitFor();
    expect(await setups.innerText()).toContain(`${fixture.weir.url}/v1`);
    expect(await page.locator('weir-failure-note').count()).toBe(0);
    await context.close();
  });

  it('has a name that may be long: the header of a phone keeps to its line', async () => {
    const { fixture } = stockedConsole();
    const { page, context } = await fixture.visitor({ size: { width: 360, height: 740 } });
    const path = `${ADMIN_API_ROOT}${ADMIN_ROUTES.getPublicSettings.path}`;
    await page.route(`**${path}`, async (asked) => {
      const response = await asked.fetch();
      const settings = (await response.json()) as object;
      await asked.fulfill({ json: { ...settings, siteName: 'The Gateway of the Long Name' } });
    });
    await page.goto('/register');
    await untilSettled(page);
    const header = page.locator('header.bar');
    const outer = await header.boundingBox();
    for (const part of await header.locator('a, button, .mark').all()) {
      const box = await part.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(outer?.y ?? 0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(outer?.height ?? 0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    }
    const mark = await header.locator('.mark').boundingBox();
    expect(mark?.width).toBe(mark?.height);
    await context.close();
  });

  it('is not taken for logged out when it fails: the user stays on the requested page', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.user });
    const letGo = await standBetween(page, 'getPresence', 'fail');
    await page.goto('/keys');
    const note = page.locator('main weir-failure-note');
    await note.waitFor();
    expect(await note.innerText()).toContain(REQUEST_ID);
    letGo();
    await note.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/keys');
    await context.close();
  });
}

/** Each page comes freshly into one console that is loaded once, as a link leads there. */
export function testPageStates(paths: readonly string[] = PAGES.map(({ path }) => path)): void {
  describe.each(['user', 'admin'] as const)('for %s', (reader) => {
    let page: Page;
    beforeAll(async () => {
      const { fixture, stock } = stockedConsole();
      ({ page } = await fixture.visitor({ as: stock[reader] }));
      await page.goto(ELSEWHERE);
      await untilSettled(page);
    });
    afterEach(async () => {
      await page.unrouteAll({ behavior: 'wait' });
      await goTo(page, ELSEWHERE);
    });
    afterAll(() => page.context().close());

    const pages = PAGES.filter((one) => one.reader === reader && paths.includes(one.path));
    describe.each(pages)('the page $path', (one) => {
      testPage(() => page, one);
    });
  });
}

/** States of what no page is about alone. */
export function testStatesAround(): void {
  describe('the installation', testInstallation);
  describe('within a page', () => {
    let page: Page;
    beforeAll(async () => {
      const { fixture, stock } = stockedConsole();
      ({ page } = await fixture.visitor({ as: stock.admin }));
      await page.goto(ELSEWHERE);
      await untilSettled(page);
    });
    afterEach(() => page.unrouteAll({ behavior: 'wait' }));
    afterAll(() => page.context().close());

    testAppErrorHandler(() => page);
    testOffline(() => page);
    describe('a choice', () => {
      testChoice(() => page);
    });
  });
}
