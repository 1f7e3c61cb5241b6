import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { failInside, REQUEST_ID } from '../support/failing-api.ts';
import { focused, hasFocus, tabTo, untilFocusInDialog } from './keyboard.ts';
import { goTo, untilSettled, type Opener } from './pages.ts';
import { stockedConsole } from '../support/stocked-console.ts';

/** Tab is pressed this often in a dialog: more than the longest has stops. */
const PRESSES_IN_DIALOG = 45;
const ENROLMENT = {
  secret: 'JBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Weir?secret=JBSWY3DPEHPK3PXP',
};

async function pageOf(reader: 'user' | 'admin'): Promise<Page> {
  const { fixture, stock } = stockedConsole();
  const { page } = await fixture.visitor({ as: stock[reader] });
  await page.goto('/keys');
  await untilSettled(page);
  return page;
}

async function untilFocusOn(where: Locator, what: string): Promise<void> {
  await expect.poll(() => hasFocus(where), { message: what }).toBe(true);
}

/** Opens a dialog without a mouse; answers what was pressed. */
async function openByKey(page: Page, opener: Opener): Promise<Locator> {
  const trigger = page.locator('press' in opener ? opener.press : 'main .row-button').first();
  await trigger.focus();
  await page.keyboard.press('Enter');
  if ('menuEntry' in opener) {
    const entries = page.getByRole('menuitem');
    await page.locator('.mat-mdc-menu-item:focus').waitFor();
    for (let down = 0; down < opener.menuEntry; down += 1) await page.keyboard.press('ArrowDown');
    expect(await hasFocus(entries.nth(opener.menuEntry)), 'arrows move through the menu').toBe(
      true,
    );
    await page.keyboard.press('Enter');
  }
  await untilFocusInDialog(page);
  await untilSettled(page);
  return trigger;
}

/** Everything about a dialog that would leave someone without a mouse stuck or lost. */
export async function faultsOfDialog(page: Page, opener: Opener): Promise<string[]> {
  const trigger = await openByKey(page, opener);
  const faults: string[] = [];
  await page.evaluate('void (window.weirFirst = document.activeElement)');
  for (let press = 0; press <= PRESSES_IN_DIALOG; press += 1) {
    const [inside, atFirst] = await page.evaluate<[boolean, boolean]>(
      `[document.activeElement.closest('mat-dialog-container, .cdk-focus-trap-anchor') !== null,
        document.activeElement === window.weirFirst]`,
    );
    if (!inside)
      faults.push(`focus leaves the dialog after ${String(press)}: ${await focused(page)}`);
    // Once around is enough.
    if (!inside || (atFirst && press > 0)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Escape');
  await page.locator('mat-dialog-container').waitFor({ state: 'detached' });
  if (!(await hasFocus(trigger))) faults.push(`focus is not given back: ${await focused(page)}`);
  return faults;
}

export function testWithoutMouse(): void {
  let page: Page;
  beforeAll(async () => {
    page = await pageOf('user');
  });
  afterAll(() => page.context().close());

  it('skips to the content, past the way around', async () => {
    await page.keyboard.press('Tab');
    const skip = page.getByRole('button', { name: 'Skip to content' });
    expect(await hasFocus(skip)).toBe(true);
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await hasFocus(page.getByTestId('create-several'))).toBe(true);
  });

  it('goes anywhere with Ctrl+K, or stays with Escape', async () => {
    const create = page.getByTestId('create-key');
    await create.focus();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    const options = palette.getByRole('option');
    await options.first().waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => options.nth(1).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    expect(await hasFocus(create)).toBe(true);

    await page.keyboard.press('Control+k');
    await options.first().waitFor();
    await page.keyboard.type('usage');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    expect(await hasFocus(page.locator('main'))).toBe(true);
  });

  it('chooses a theme from a menu below a menu', async () => {
    const menu = page.getByTestId('user-menu');
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.locator('.mat-mdc-menu-item:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await hasFocus(page.getByRole('menuitem', { name: 'Theme' }))).toBe(true);
    await page.keyboard.press('ArrowRight');
    const dark = page.getByRole('menuitemradio', { name: 'Dark' });
    await dark.waitFor();
    while (!(await hasFocus(dark))) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.locator('.mat-mdc-menu-item:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await hasFocus(menu)).toBe(true);
  });

  it('creates a key and deletes it by its name', async () => {
    await page.goto('/keys');
    await untilSettled(page);
    await tabTo(page, page.getByTestId('create-key'));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await name.waitFor();
    expect(await hasFocus(name), 'the first field has the focus').toBe(true);
    await page.keyboard.type('By hand');
    await page.keyboard.press('Tab');
    expect(await hasFocus(dialog.getByRole('combobox', { name: 'Model group' }))).toBe(true);
    await page.keyboard.press('Enter');
    // Until the groups are there, one option says so.
    await page.getByRole('option', { disabled: false }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByTestId('save'));
    await page.keyboard.press('Enter');
    await dialog.getByTestId('secret').waitFor();
    await untilFocusOn(dialog.getByRole('button', { name: /^Copy/ }).first(), 'the new key');
    await tabTo(page, dialog.getByTestId('finish'));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });

    const row = page.getByTestId('row').filter({ hasText: 'By hand' });
    await tabTo(page, row.locator('.row-button'));
    await page.keyboard.press('Enter');
    // The last entry is reached backwards.
    await page.locator('.mat-mdc-menu-item:focus').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const confirm = dialog.getByTestId('confirm');
    await confirm.waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await page.keyboard.type('By hand');
    await tabTo(page, confirm);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    await untilFocusOn(page.locator('main'), 'the content, where the row was');
  });

  it('is led from step to step of a dialog, and stays where they are when one fails', async () => {
    await page.route('**/second-factors', (asked) =>
      asked.fulfill({ status: 201, json: ENROLMENT }),
    );
    await page.route('**/second-factor-confirmations', failInside);
    await page.goto('/account/security');
    await untilSettled(page);
    await page.getByTestId('second-factor').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const field = (name: string): Locator => dialog.locator(`input[name=${name}]`);
    await untilFocusOn(field('password'), 'the first step');
    await page.keyboard.type('as good as any');
    await page.keyboard.press('Enter');
    await untilFocusOn(field('code'), 'the second step');
    await page.keyboard.type('123456');
    const turnOn = dialog.getByRole('button', { name: 'Turn on' });
    await tabTo(page, turnOn);
    await page.keyboard.press('Enter');
    await dialog.getByText(REQUEST_ID).waitFor();
    await untilFocusOn(turnOn, 'the button that failed');
  });

  it('an administrator changes a price in its row: presses, types, Enter', async () => {
    const page = await pageOf('admin');
    await goTo(page, '/admin/models');
    const shown = page.locator('weir-inline-price .shown').first();
    const input = page.locator('weir-inline-price input').first();
    await shown.focus();
    await page.keyboard.press('Enter');
    await untilFocusOn(input, 'the first price');
    await page.keyboard.press('Escape');
    await untilFocusOn(shown, 'the price that was kept');
    await page.keyboard.press('Enter');
    await untilFocusOn(input, 'the first price');
    await page.keyboard.type('7.25');
    expect(await input.inputValue()).toBe('7.25');
    await page.keyboard.press('Enter');
    await untilFocusOn(shown, 'the new price');
    expect(await shown.innerText()).toContain('$7.25');
    await page.context().close();
  });
}
