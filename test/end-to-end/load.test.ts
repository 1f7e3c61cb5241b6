import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GROUND_TIMEOUT_MS, layConsoleGround, type ConsoleGround } from './console-ground.ts';
import { untilSettled } from './pages.ts';
import { STOCK_SETTINGS, stockUp, type Stock } from './stock.ts';

const FIRST_LOAD_BYTES_MAX = 350_000;
/** Less than this would mean that not everything was counted. */
const FIRST_LOAD_BYTES_MIN = 100_000;
/** What is called good is below 0.1. */
const LAYOUT_SHIFT_MAX = 0.05;
/** Each answer of the API comes this much later, so that pages show what they show meanwhile. */
const API_DELAY_MS = 400;
const RECORDS = 10_000;
const RECORDS_PER_PAGE = 200;
/** Those in sight, and some beyond. */
const ROWS_IN_DOCUMENT_MAX = 80;
const SCROLL_TIMEOUT_MS = 90_000;

let ground: ConsoleGround;
let stock: Stock;

beforeAll(async () => {
  ground = await layConsoleGround(STOCK_SETTINGS);
  stock = await stockUp(ground);
}, GROUND_TIMEOUT_MS);

afterAll(() => ground.close(), GROUND_TIMEOUT_MS);

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    window.weirShift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.weirShift += value;
    }).observe({ type: 'layout-shift', buffered: true });`);
}

it('transfers little on a first visit: page, scripts, styles, typeface and answers', async () => {
  const { page, context } = await ground.visitor();
  let bytes = 0;
  const client = await context.newCDPSession(page);
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await client.send('Network.enable');
  await page.goto('/login');
  await untilSettled(page);
  await page.waitForLoadState('networkidle');
  expect(bytes).toBeGreaterThan(FIRST_LOAD_BYTES_MIN);
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX);
});

it.each(['/dashboard', '/usage', '/keys'])('%s stays where it is while it fills', async (path) => {
  const { page, context } = await ground.visitor({ as: stock.user });
  await watchShifts(page);
  await context.route('**/api/v1/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, API_DELAY_MS));
    await route.continue();
  });
  await page.goto(path);
  await untilSettled(page);
  await page.waitForLoadState('networkidle');
  const shift = await page.evaluate<number>('window.weirShift');
  expect(shift).toBeLessThan(LAYOUT_SHIFT_MAX);
  await context.close();
});

it(
  'scrolls ten thousand usage records by cursor, with only those in sight in the document',
  async () => {
    const { data } = await ground.ask('listOwnUsageRecords', {
      as: stock.user,
      query: { limit: 1 },
    });
    const { page, context } = await ground.visitor({ as: stock.user });
    const cursors: number[] = [];
    await context.route(/\/api\/v1\/usage-records\?/, async (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      cursors.push(from);
      const next = from + RECORDS_PER_PAGE;
      const rows = Array.from({ length: RECORDS_PER_PAGE }, (_, index) => ({
        ...data[0],
        requestId: `00000000-0000-7000-8000-${String(from + index).padStart(12, '0')}`,
      }));
      await route.fulfill({
        json: { data: rows, nextCursor: next < RECORDS ? String(next) : null },
      });
    });
    await page.goto('/usage');
    await untilSettled(page);
    const rows = page.getByTestId('row');
    const rowsMost: number[] = [];
    for (
      const deadlineMs = Date.now() + SCROLL_TIMEOUT_MS;
      cursors.at(-1) !== RECORDS - RECORDS_PER_PAGE;
    ) {
      expect(Date.now(), 'the end is reached in time').toBeLessThan(deadlineMs);
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await page.waitForTimeout(5);
      rowsMost.push(await rows.count());
    }
    expect(Math.max(...rowsMost)).toBeLessThan(ROWS_IN_DOCUMENT_MAX);
    expect(new Set(cursors).size).toBe(cursors.length);
    expect(cursors).toHaveLength(RECORDS / RECORDS_PER_PAGE);
    await context.close();
  },
  SCROLL_TIMEOUT_MS,
);
