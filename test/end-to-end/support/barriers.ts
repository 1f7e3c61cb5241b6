import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PHONE, type Visitor } from './console-fixture.ts';
import {
  close,
  closeMenus,
  giveUp,
  goTo,
  open,
  openMenu,
  openPalette,
  untilSettled,
  type ConsolePage,
} from '../walks/pages.ts';
import { stockedConsole } from './stocked-console.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** WCAG 2.2 AA is everything in these. */
const EVERY_RULE = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** All that a theme changes is colours. */
const COLOUR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
const DESKTOP = { width: 1280, height: 900 };
/** The window of WCAG's reflow: 1280 px enlarged four times. */
const ENLARGED = { width: 320, height: 700 };
const NARROW_PAGES = [
  '/dashboard',
  '/keys',
  '/requests?chart=1',
  '/billing',
  '/playground',
  '/start',
];

/** Before the page is loaded: the rules have to be in it. */
export async function bringAxe({ context }: Visitor): Promise<void> {
  await context.addInitScript({ path: AXE });
}

/** Menus lie above the page and belong to no part of it, as those of an operating system do. */
const MENU_IS_APART = { region: { enabled: false } };

/** Returns axe's findings: a line for each rule and place. */
function find(page: Page, runOnly: object, rules: object): Promise<string[]> {
  const options = { runOnly, rules, resultTypes: ['violations'] };
  return page.evaluate<string[]>(`
    axe.run(document, ${JSON.stringify(options)})
      .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)))`);
}

function wearTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  return page.evaluate(`void (document.documentElement.dataset.theme = '${theme}')`);
}

/**
 * Returns axe's findings in the shown page: all rules in one theme, colours in the other as well.
 */
export async function violations(page: Page, where: string, rules = {}): Promise<string[]> {
  await wearTheme(page, 'light');
  const light = await find(page, EVERY_RULE, rules);
  await wearTheme(page, 'dark');
  const dark = await find(page, COLOUR_RULES, {});
  return [
    ...light.map((line) => `${where}, light: ${line}`),
    ...dark.map((line) => `${where}, dark: ${line}`),
  ];
}

/** Returns the faults of a shown page and of its dialogs. */
export async function violationsOfPage(page: Page, one: ConsolePage): Promise<string[]> {
  // From the top: a field that is scrolled below the bar has the bar's buttons as neighbours.
  await page.evaluate('scrollTo(0, 0)');
  const found = await violations(page, one.route);
  for (const [index, opener] of (one.opens ?? []).entries()) {
    await open(page, opener);
    found.push(...(await violations(page, `${one.route}, dialog ${String(index)}`)));
    await giveUp(page);
    // A user who cancels has changed nothing: no page may thank them.
    found.push(...(await page.locator('mat-snack-bar-container').allInnerTexts()));
  }
  return found;
}

/** Returns by how many pixels a page is wider than the window. */
function overhang(page: Page): Promise<number> {
  return page.evaluate<number>(
    'document.scrollingElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** Where a page that is shown is wider than a phone, or than a window enlarged four times. */
export async function tooWide(page: Page): Promise<string[]> {
  const wide: string[] = [];
  for (const size of [PHONE, ENLARGED]) {
    await page.setViewportSize(size);
    await untilSettled(page);
    const px = await overhang(page);
    if (px > 0) wide.push(`at ${String(size.width)}: ${String(px)} px too wide`);
  }
  await page.setViewportSize(DESKTOP);
  return wide;
}

async function adminPage(): Promise<Page> {
  const { fixture, stock } = stockedConsole();
  const visitor = await fixture.visitor({ as: stock.admin });
  await bringAxe(visitor);
  await visitor.page.goto('/keys');
  await untilSettled(visitor.page);
  return visitor.page;
}

export function testFindingBarriers(): void {
  it('a barrier put there is found, in the theme it is in', async () => {
    const page = await adminPage();
    await page.evaluate(`document.querySelector('main h1').insertAdjacentHTML('afterend',
      '<p id="faint">faint</p><button id="mute"></button>');
      document.querySelector('#faint').style.color = 'light-dark(black, rgb(60 60 60))'`);
    const found = (await violations(page, 'here')).map((line) => line.split(':')[0]);
    expect(found).toContain('here, light');
    expect(found.filter((line) => line === 'here, dark')).toHaveLength(1);
    await page.context().close();
  });
}

export function testBarriersAround(): void {
  let page: Page;
  beforeAll(async () => {
    page = await adminPage();
  });
  afterAll(() => page.context().close());

  it('the command palette has no barrier, with and without something found', async () => {
    await openPalette(page);
    expect(await violations(page, 'palette')).toEqual([]);
    await page.keyboard.type('no such command');
    await page.getByRole('dialog').getByRole('status').waitFor();
    expect(await violations(page, 'palette, nothing found')).toEqual([]);
    await close(page);
  });

  it('the menu of the user and those below it have none', async () => {
    await openMenu(page, page.getByTestId('user-menu'));
    expect(await violations(page, 'user menu', MENU_IS_APART)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Theme' }).hover();
    await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
    expect(await violations(page, 'themes', MENU_IS_APART)).toEqual([]);
    await closeMenus(page);
  });

  it('a phone has none: its pages, its way around, a dialog and a menu', async () => {
    await page.setViewportSize(PHONE);
    for (const route of [...NARROW_PAGES, '/admin/channels', '/admin/models', '/admin/requests']) {
      await goTo(page, route);
      expect(await violations(page, `${route} on a phone`)).toEqual([]);
    }
    await page.getByTestId('drawer').click();
    await page.locator('mat-dialog-container').waitFor();
    expect(await violations(page, 'drawer')).toEqual([]);
    await close(page);
    await goTo(page, '/admin/models');
    await open(page, { press: '[data-testid="create"]' });
    expect(await violations(page, 'dialog on a phone')).toEqual([]);
    await close(page);
  });
}
