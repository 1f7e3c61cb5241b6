import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { Caller, ConsoleFixture } from '../../test/end-to-end/support/console-fixture.ts';
import { untilSettled } from '../../test/end-to-end/walks/pages.ts';
import type { PictureStock } from './picture-stock.ts';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const SIZE = { width: 1280, height: 800 };

async function open(fixture: ConsoleFixture, as: Caller, path: string): Promise<Page> {
  const context = await fixture.browser.newContext({
    baseURL: fixture.weir.adminUrl,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    viewport: SIZE,
    bypassCSP: true,
  });
  await context.addCookies([{ ...as.cookie, url: fixture.weir.adminUrl }]);
  const page = await context.newPage();
  await page.goto(path);
  await untilSettled(page);
  // A first visit does not wait for the typeface.
  await page.reload();
  await untilSettled(page);
  // Charts are drawn when the browser has nothing else to do.
  await page.locator('weir-bar-chart:not(:has(path))').first().waitFor({ state: 'detached' });
  return page;
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(200);
  await page.screenshot({ path: `${DOCS}${name}.png`, animations: 'disabled' });
  process.stdout.write(`docs/${name}.png\n`);
  await page.context().close();
}

/** The channels of the pictures lead nowhere; without them the demo channel answers. */
async function answeredByDemo(fixture: ConsoleFixture, work: () => Promise<void>): Promise<void> {
  const channels = (await fixture.ask('listChannels')).data.filter(
    ({ kind, status }) => kind !== 'demo' && status === 'active',
  );
  const set = async (status: 'active' | 'disabled'): Promise<void> => {
    for (const { id } of channels) {
      await fixture.ask('updateChannel', { params: { channelId: id }, body: { status } });
    }
    // Until the gateway has heard of it.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  };
  await set('disabled');
  try {
    await work();
  } finally {
    await set('active');
  }
}

async function pictureTalk(fixture: ConsoleFixture, stock: PictureStock): Promise<void> {
  const talk = await open(fixture, stock.user, '/playground');
  await talk.getByTestId('draft').fill('How does a weir measure a river?');
  await talk.keyboard.press('Enter');
  await talk.locator('[data-testid="cost"][data-exact="true"]').waitFor();
  await save(talk, 'console-playground');
}

/** Takes the settings of a tool as a customer finds them. */
async function pictureSetup(fixture: ConsoleFixture, stock: PictureStock): Promise<void> {
  const start = await open(fixture, stock.user, '/start');
  await start.getByText('Claude Code', { exact: true }).click();
  await untilSettled(start);
  await start.locator('pre').last().scrollIntoViewIfNeeded();
  await save(start, 'console-start');
}

/**
 * Takes the pictures of the README: a customer's dashboard, a conversation, the settings of a tool,
 * and an operator's models.
 */
export async function pictureReadme(fixture: ConsoleFixture, stock: PictureStock): Promise<void> {
  await save(await open(fixture, stock.user, '/dashboard'), 'console');
  await answeredByDemo(fixture, () => pictureTalk(fixture, stock));
  await pictureSetup(fixture, stock);
  await save(await open(fixture, stock.admin, '/admin/models'), 'console-models');
}
