import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layConsoleGround, type ConsoleGround } from './console-ground.ts';
import { addressOf, close, goTo, open, PAGES, untilSettled, type ConsolePage } from './pages.ts';
import { STOCK_SETTINGS, stockUp, type Stock } from './stock.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** WCAG 2.2 AA is everything in these. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const THEMES = ['light', 'dark'] as const;

let ground: ConsoleGround;
let stock: Stock;

beforeAll(async () => {
  ground = await layConsoleGround(STOCK_SETTINGS);
  stock = await stockUp(ground);
  await ground.ask('updateSettings', {
    body: { announcement: 'Maintenance on Sunday.', supportUrl: 'https://example.org/help' },
  });
});

afterAll(() => ground.close());

async function pageOf(reader: ConsolePage['reader']): Promise<Page> {
  const as = reader === 'nobody' ? {} : { as: stock[reader] };
  const { page, context } = await ground.visitor(as);
  await context.addInitScript({ path: AXE });
  await page.goto('/models');
  await untilSettled(page);
  return page;
}

/** In the browser: a line for each rule and place. */
const FIND = `
  axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(TAGS)} }, resultTypes: ['violations'] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)))`;

/** What axe finds wrong in what is shown now, in both themes. */
async function violations(page: Page, where: string): Promise<string[]> {
  const found: string[] = [];
  for (const theme of THEMES) {
    await page.evaluate(`void (document.documentElement.dataset.theme = '${theme}')`);
    const lines = await page.evaluate<string[]>(FIND);
    found.push(...lines.map((line) => `${where}, ${theme}: ${line}`));
  }
  return found;
}

async function violationsOfPage(page: Page, one: ConsolePage): Promise<string[]> {
  await goTo(page, addressOf(one, stock));
  const found = await violations(page, one.route);
  for (const [index, opener] of (one.opens ?? []).entries()) {
    await open(page, opener);
    found.push(...(await violations(page, `${one.route}, dialog ${String(index)}`)));
    await close(page);
  }
  return found;
}

describe.each(['nobody', 'user', 'admin'] as const)('the pages of %s', (reader) => {
  let page: Page;
  beforeAll(async () => {
    page = await pageOf(reader);
  });
  const pages = PAGES.filter((one) => one.reader === reader);
  it.each(pages.map((one) => [one.route, one] as const))(
    '%s has no barrier in either theme',
    async (_route, one) => {
      expect(await violationsOfPage(page, one)).toEqual([]);
    },
    60_000,
  );
});
