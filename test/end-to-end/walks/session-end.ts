import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { PASSWORD, type Caller } from '../support/console-fixture.ts';
import { untilSettled } from './pages.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const TYPED = 'Typed before the session ended';

async function visit(email: string, path: string) {
  const { fixture } = stockedConsole();
  const as = await fixture.register(email);
  const visitor = await fixture.visitor({ as });
  await visitor.page.goto(path);
  await untilSettled(visitor.page);
  return { ...visitor, as };
}

/** The session ends elsewhere: the page learns of it by its next request. */
async function end(as: Caller): Promise<void> {
  await stockedConsole().fixture.ask('logOut', { as });
}

function logInDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Log in again' });
}

async function logInAs(page: Page, email: string): Promise<void> {
  const dialog = logInDialog(page);
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill(email);
  await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Log in' }).click();
}

async function styleOf(page: Page, name: 'opacity' | 'background-color'): Promise<string> {
  return page.evaluate<string>(
    `getComputedStyle(document.querySelector('.weir-veil')).getPropertyValue('${name}')`,
  );
}

async function beginKey(page: Page): Promise<Locator> {
  await page.getByTestId('create-key').click();
  const dialog = page.getByRole('dialog').filter({ has: page.getByTestId('save') });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(TYPED);
  await dialog.getByRole('combobox', { name: 'Model group' }).click();
  await page.getByRole('option').first().click();
  return dialog;
}

/** A session ends under a form: the same user logs in over it, or another one. */
export function testSessionEnd(): void {
  it('keeps what was typed into a dialog over a new log-in, and saves it then', async () => {
    const { page, context, as, complaints } = await visit('dialog@ends.example', '/keys');
    const dialog = await beginKey(page);
    await end(as);
    await dialog.getByTestId('save').click();
    await logInDialog(page).waitFor();
    await expect.poll(() => styleOf(page, 'opacity')).toBe('1');
    // One that is translucent is "rgba(…)".
    expect(await styleOf(page, 'background-color')).toMatch(/^rgb\(/);
    const email = logInDialog(page).getByRole('textbox', { name: 'E-mail address' });
    expect(await email.inputValue()).toBe('dialog@ends.example');
    await logInAs(page, 'dialog@ends.example');
    await logInDialog(page).waitFor({ state: 'detached' });
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(TYPED);
    await dialog.getByTestId('save').click();
    await page.getByTestId('secret').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows nothing of it to another user who logs in over it', async () => {
    const { fixture } = stockedConsole();
    await fixture.register('other@ends.example');
    const { page, context, as } = await visit('former@ends.example', '/keys');
    const dialog = await beginKey(page);
    await end(as);
    await dialog.getByTestId('save').click();
    await logInDialog(page).waitFor();
    const loaded = page.waitForEvent('load');
    await logInAs(page, 'other@ends.example');
    await loaded;
    await untilSettled(page);
    expect(new URL(page.url()).pathname).toBe('/keys');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.content()).not.toContain(TYPED);
    expect(await page.content()).not.toContain('former@ends.example');
    await context.close();
  });
}

/** Other ways for it to end. */
export function testSessionEndAround(): void {
  it('keeps what was typed into a page', async () => {
    const { fixture } = stockedConsole();
    const as = await fixture.logIn(fixture.admin);
    const { page, context } = await fixture.visitor({ as });
    await page.goto('/admin/settings');
    await untilSettled(page);
    const help = page.getByRole('textbox', { name: 'How to get credit' });
    await help.fill(TYPED);
    await end(as);
    await page.getByTestId('save').click();
    await logInAs(page, fixture.admin);
    await logInDialog(page).waitFor({ state: 'detached' });
    expect(await help.inputValue()).toBe(TYPED);
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByTestId('save').click();
    expect((await saved).status()).toBe(200);
    await fixture.ask('updateSettings', { body: { creditHelp: '' } });
    await context.close();
  });

  it('leaves for the log-in page where nothing was typed', async () => {
    const { page, context, as } = await visit('idle@ends.example', '/keys');
    await end(as);
    await page.getByRole('navigation').getByRole('link', { name: 'Requests', exact: true }).click();
    await page.waitForURL(/\/login\?.*ended=1/);
    await context.close();
  });
}
