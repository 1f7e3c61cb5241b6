import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_API_ROOT, ADMIN_ROUTES, type RouteId } from '@weir/shared/admin-routes';
import { GROUND_TIMEOUT_MS, layConsoleGround, type ConsoleGround } from './console-ground.ts';
import { untilSettled } from './pages.ts';

/** What a page shows while it waits, when there is nothing, and when the server fails. */
interface PageStates {
  readonly path: string;
  readonly reader: 'user' | 'admin';
  /** The route that brings what the page is about. */
  readonly route: RouteId;
  /** What stands there when there is nothing; pages that always have something have none. */
  readonly empty?: string;
}

const PAGES: readonly PageStates[] = [
  { path: '/models', reader: 'user', route: 'getPricing', empty: 'No model is for sale yet' },
  { path: '/keys', reader: 'user', route: 'listKeys', empty: 'No key yet' },
  { path: '/usage', reader: 'user', route: 'listOwnUsageRecords', empty: 'No request yet' },
  { path: '/billing', reader: 'user', route: 'listOwnCredits', empty: 'Nothing yet' },
  { path: '/admin/overview', reader: 'admin', route: 'getOverview' },
  { path: '/admin/accounts', reader: 'admin', route: 'listAccounts' },
  { path: '/admin/channels', reader: 'admin', route: 'listChannels' },
  { path: '/admin/models', reader: 'admin', route: 'listModels' },
  { path: '/admin/audit', reader: 'admin', route: 'listAuditEntries' },
];
const REQUEST_ID = '01a1fe10-0000-7000-8000-00000000beef';
const PROBLEM = {
  type: '/api/problems/internal_error',
  title: 'Something broke inside Weir.',
  status: 500,
  detail: 'Something broke inside Weir.',
  code: 'internal_error',
  requestId: REQUEST_ID,
};
const NOTHING = { data: [], nextCursor: null };
const NO_PRICES = { currency: 'USD', tokensPerPrice: 1_000_000, groups: [], models: [] };

let ground: ConsoleGround;

beforeAll(async () => {
  ground = await layConsoleGround();
  await ground.register('newcomer@example.org');
}, GROUND_TIMEOUT_MS);

afterAll(() => ground.close(), GROUND_TIMEOUT_MS);

async function pageOf({ reader }: PageStates): Promise<Page> {
  const email = reader === 'admin' ? ground.admin : 'newcomer@example.org';
  const { page } = await ground.visitor({ as: await ground.logIn(email) });
  return page;
}

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
      if (failing) {
        await asked.fulfill({
          status: 500,
          contentType: 'application/problem+json',
          body: JSON.stringify(PROBLEM),
        });
      } else if (answer === 'nothing') {
        await asked.fulfill({ json: route === 'getPricing' ? NO_PRICES : NOTHING });
      } else await asked.continue();
    },
  );
  return () => {
    failing = false;
    letGo();
  };
}

describe.each(PAGES)('The page $path', (one) => {
  it('shows grey shapes under its heading while it waits', async () => {
    const page = await pageOf(one);
    const letGo = await standBetween(page, one.route, 'wait');
    await page.goto(one.path);
    await page.locator('main weir-skeleton').first().waitFor();
    expect(await page.locator('main h1').count()).toBe(1);
    letGo();
    await page.locator('main weir-skeleton').first().waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('says in words that the server failed, with the request id, and tries again', async () => {
    const page = await pageOf(one);
    const letGo = await standBetween(page, one.route, 'fail');
    await page.goto(one.path);
    const note = page.locator('main weir-failure-note').first();
    await note.waitFor();
    expect(await note.locator('[role="alert"]').count()).toBe(1);
    expect(await note.innerText()).toContain(REQUEST_ID);
    letGo();
    await note.getByRole('button', { name: 'Try again' }).click();
    await note.waitFor({ state: 'detached' });
    await untilSettled(page);
    await page.context().close();
  });
});

describe.each(PAGES.filter(({ empty }) => empty !== undefined))('The page $path', (one) => {
  it('says what would stand there when there is nothing', async () => {
    const page = await pageOf(one);
    await standBetween(page, one.route, 'nothing');
    await page.goto(one.path);
    await untilSettled(page);
    const empty = page.locator('main weir-empty-state').first();
    await empty.waitFor();
    expect(await empty.innerText()).toContain(one.empty);
    await page.context().close();
  });
});
