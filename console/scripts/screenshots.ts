/**
 * `npm run console:screenshots [-- words]`: pictures of every page at three widths, in both themes
 * and both languages, and of every dialog in English, of an installation in its second month. They
 * are made to be looked at, in console/screenshots. With words only what contains all of them is
 * taken, such as `1024 dark-zh admin.`. The pictures of the README, in `docs/`, are made without
 * words, or by the word `readme` alone.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import {
  createConsoleFixture,
  type Caller,
  type ConsoleFixture,
} from '../../test/end-to-end/support/console-fixture.ts';
import {
  addressOf,
  close,
  goTo,
  open,
  PAGES,
  untilSettled,
  type ConsolePage,
} from '../../test/end-to-end/walks/pages.ts';
import { STOCK_SETTINGS } from '../../test/end-to-end/support/stock.ts';
import { FIXTURE_URL_VARIABLE } from '../../test/support/clients/ask-fixture.ts';
import { createFixture } from '../../test/support/fixture.ts';
import { satisfyPrerequisites } from '../../test/support/machine/prerequisites.ts';
import { pictureReadme } from './readme-pictures.ts';
import { stockForPictures, type PictureStock } from './picture-stock.ts';

const FOLDER = fileURLToPath(new URL('../screenshots/', import.meta.url));
const WIDTHS = [390, 1024, 1440] as const;
const HEIGHTS: Readonly<Record<(typeof WIDTHS)[number], number>> = {
  390: 844,
  1024: 768,
  1440: 900,
};
const THEMES = ['light', 'dark'] as const;
/** Long tables say no more after this. */
const HEIGHT_MAX = 2_400;
const words = process.argv.slice(2);

interface View {
  readonly width: (typeof WIDTHS)[number];
  readonly theme: (typeof THEMES)[number];
  readonly language: 'en' | 'zh-CN';
}

const VIEWS: readonly View[] = (['en', 'zh-CN'] as const).flatMap((language) =>
  THEMES.flatMap((theme) => WIDTHS.map((width): View => ({ width, theme, language }))),
);

function nameOf({ width, theme, language }: View, name: string): string {
  return `${String(width)}-${theme}${language === 'en' ? '' : '-zh'}/${name}.png`;
}

function isWanted(file: string): boolean {
  return words.every((word) => file.includes(word));
}

async function save(page: Page, file: string): Promise<void> {
  await page.screenshot({ path: `${FOLDER}${file}`, animations: 'disabled' });
  process.stdout.write(`${file}\n`);
}

/**
 * The window grows to the height of the page, so that what stands at its edges is where it belongs.
 */
async function take(page: Page, file: string): Promise<void> {
  const { width = 0, height: least = 0 } = page.viewportSize() ?? {};
  const whole = Number(await page.evaluate('document.documentElement.scrollHeight'));
  const height = Math.min(Math.max(least, whole), HEIGHT_MAX);
  await page.setViewportSize({ width, height });
  await page.waitForTimeout(100);
  await save(page, file);
  await page.setViewportSize({ width, height: least });
}

async function dress(page: Page, { width, theme }: View): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: HEIGHTS[width] });
}

function fileOf(one: Pick<ConsolePage, 'route'>, suffix = ''): string {
  const name = one.route.slice(1).replace(/\//g, '.').replace(/:/g, '');
  return (name || 'home') + suffix;
}

async function picturePage(
  page: Page,
  one: ConsolePage,
  about: { readonly view: View; readonly stock: PictureStock },
): Promise<void> {
  const { view, stock } = about;
  const file = nameOf(view, fileOf(one));
  const dialogs = (one.opens ?? [])
    .map((opener, index) => ({ opener, file: nameOf(view, fileOf(one, `--${String(index)}`)) }))
    .filter((dialog) => view.width !== 1024 && view.language === 'en' && isWanted(dialog.file));
  if (!isWanted(file) && dialogs.length === 0) return;
  await goTo(page, addressOf(one, stock));
  // Charts are drawn once their size is known.
  await page.locator('weir-bar-chart:not(:has(path))').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(100);
  if (isWanted(file)) await take(page, file);
  for (const { opener, file: name } of dialogs) {
    await open(page, opener);
    await save(page, name);
    await close(page);
  }
}

/** A browser of someone's own; `as` is logged in. */
async function openBrowser(
  fixture: ConsoleFixture,
  language: View['language'],
  as?: Caller,
): Promise<Page> {
  const context = await fixture.browser.newContext({
    baseURL: fixture.weir.adminUrl,
    locale: language === 'en' ? 'en-US' : 'zh-CN',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    // What waits for the page is not the page's own script.
    bypassCSP: true,
  });
  if (as !== undefined) await context.addCookies([{ ...as.cookie, url: fixture.weir.adminUrl }]);
  return context.newPage();
}

async function pictureReader(
  fixture: ConsoleFixture,
  reader: ConsolePage['reader'],
  stock: PictureStock,
): Promise<void> {
  for (const language of ['en', 'zh-CN'] as const) {
    const caller = reader === 'nobody' ? undefined : stock[reader];
    const page = await openBrowser(fixture, language, caller);
    await page.goto('/models');
    await untilSettled(page);
    for (const view of VIEWS.filter((one) => one.language === language)) {
      await dress(page, view);
      for (const one of PAGES.filter((each) => each.reader === reader)) {
        try {
          await picturePage(page, one, { view, stock });
        } catch (thrown) {
          process.exitCode = 1;
          process.stderr.write(`${nameOf(view, fileOf(one))}: ${String(thrown)}\n`);
          await page.goto('/models');
        }
      }
    }
    await page.context().close();
  }
}

/** Pictures of what only a new user sees, and of a reply on its way. */
async function pictureMoments(fixture: ConsoleFixture, stock: PictureStock): Promise<void> {
  const newcomer = await openBrowser(fixture, 'en', stock.newcomer);
  const user = await openBrowser(fixture, 'en', stock.user);
  for (const view of VIEWS.filter(({ language }) => language === 'en')) {
    for (const route of ['/start', '/dashboard', '/keys', '/requests', '/billing', '/playground']) {
      const file = nameOf(view, `new.${fileOf({ route })}`);
      if (!isWanted(file)) continue;
      await dress(newcomer, view);
      await newcomer.goto(route);
      await untilSettled(newcomer);
      await take(newcomer, file);
    }
    const file = nameOf(view, 'playground-reply');
    if (!isWanted(file)) continue;
    await dress(user, view);
    await user.goto('/playground');
    await untilSettled(user);
    await user.locator('[data-testid="draft"]').last().fill('How does a weir measure a river?');
    await user.keyboard.press('Enter');
    await user.waitForTimeout(3_000);
    await take(user, file);
  }
  await pictureSecrets(user);
}

/** A new key's value, which is shown once. Last: the key is in the list from then on. */
async function pictureSecrets(user: Page): Promise<void> {
  for (const view of VIEWS.filter(({ language }) => language === 'en')) {
    const file = nameOf(view, 'keys-created');
    if (!isWanted(file)) continue;
    await dress(user, view);
    await user.goto('/keys');
    await untilSettled(user);
    await open(user, { press: '[data-testid="create-key"]' });
    await user.locator('mat-dialog-container input').first().fill('Backend, production');
    await user.locator('mat-dialog-container mat-select').first().click();
    await user.locator('mat-option').first().click();
    await user.getByTestId('save').click();
    await user.getByTestId('finish').waitFor();
    await save(user, file);
    await user.getByTestId('finish').click();
  }
}

async function main(): Promise<void> {
  const lack = satisfyPrerequisites();
  if (lack !== undefined) throw new Error(lack);
  for (const view of VIEWS) mkdirSync(dirname(`${FOLDER}${nameOf(view, '')}`), { recursive: true });
  const servers = await createFixture();
  process.env[FIXTURE_URL_VARIABLE] = servers.url;
  const fixture = await createConsoleFixture(STOCK_SETTINGS);
  try {
    const stock = await stockForPictures(fixture);
    if (words.length === 0 || words[0] === 'readme') await pictureReadme(fixture, stock);
    if (words[0] === 'readme') return;
    for (const reader of ['nobody', 'user', 'admin'] as const) {
      await pictureReader(fixture, reader, stock);
    }
    await pictureMoments(fixture, stock);
  } finally {
    await fixture.close();
    await servers.close();
  }
}

await main();
