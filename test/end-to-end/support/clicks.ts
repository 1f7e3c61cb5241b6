import type { Page } from 'playwright-core';

/** Counts what is clicked from now on. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`window.weirClicks = 0;
    addEventListener('click', ({ isTrusted }) => { if (isTrusted) window.weirClicks += 1; }, true);`);
  return () => page.evaluate<number>('window.weirClicks');
}
