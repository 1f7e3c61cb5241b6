import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ADMIN_API_ROOT } from '@weir/shared/api/admin-routes';
import { PASSWORD } from '../support/console-fixture.ts';
import { goTo, untilSettled } from './pages.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const DIALOG = 'mat-dialog-container';

async function giveCredit(page: Page, reason: string): Promise<void> {
  await page.getByRole('button', { name: 'Adjust balance' }).click();
  const dialog = page.locator(DIALOG);
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('3');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await dialog.getByTestId('save').click();
  // Money that moves asks first, with what comes of it.
  const asked = page.locator(DIALOG).filter({ hasText: 'Adjust the balance of' });
  await asked.getByText(/The balance is \$[\d.]+ and will be \$[\d.]+\./).waitFor();
  await asked.getByTestId('confirm').click();
  await asked.waitFor({ state: 'detached' });
}

/** Tests of acts that must not be done twice, or in another's name. */
export function testTwice(): void {
  it('a credit whose answer was lost is shown, and is the same when it is entered again', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.admin });
    await page.goto('/models');
    await goTo(page, `/admin/accounts/${stock.accountId}`);
    const reason = 'Paid by bank transfer';
    let losing = true;
    await page.route(`**${ADMIN_API_ROOT}/accounts/*/credits`, async (asked) => {
      if (!losing) return asked.continue();
      losing = false;
      await asked.fetch();
      await asked.abort();
    });
    await giveCredit(page, reason);
    const dialog = page.locator(DIALOG);
    await dialog.getByText('It may have succeeded anyway').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const credits = page.getByTestId('row').filter({ hasText: reason });
    await credits.waitFor();
    await giveCredit(page, reason);
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('This was already done').waitFor();
    await untilSettled(page);
    expect(await credits.count()).toBe(1);
    // Once more, now that its fate is known, is a second one.
    await giveCredit(page, reason);
    await dialog.waitFor({ state: 'detached' });
    await untilSettled(page);
    expect(await credits.count()).toBe(2);
    await context.close();
  });

  it('a credit whose answer was lost is the same when it is entered again after the page was reloaded', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.admin });
    await page.goto(`/admin/accounts/${stock.accountId}`);
    const reason = 'Paid by cheque';
    const credits = `**${ADMIN_API_ROOT}/accounts/*/credits`;
    await page.route(credits, async (asked) => {
      await asked.fetch();
      await asked.abort();
    });
    await giveCredit(page, reason);
    await page.locator(DIALOG).getByText('It may have succeeded anyway').waitFor();
    await page.unroute(credits);
    await page.reload();
    await giveCredit(page, reason);
    await page.getByText('This was already done').waitFor();
    await untilSettled(page);
    expect(await page.getByTestId('row').filter({ hasText: reason }).count()).toBe(1);
    await context.close();
  });

  it('a tab that is still open after someone else has logged in in another tab becomes theirs', async () => {
    const { fixture } = stockedConsole();
    // The user's session ends with it: no one else's.
    const former = await fixture.register('former@example.org');
    const { page, context } = await fixture.visitor({ as: former });
    await page.goto('/keys');
    await untilSettled(page);
    const menu = page.getByTestId('user-menu');
    expect(await menu.getAttribute('aria-label')).toContain('former@example.org');
    const other = await context.newPage();
    await fixture.register('other@example.org');
    await other.goto('/keys');
    await other.getByTestId('user-menu').click();
    await other.getByTestId('log-out').click();
    await page.waitForURL('**/login?*');
    await other.getByRole('textbox', { name: 'E-mail address' }).fill('other@example.org');
    await other.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await other.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(await menu.getAttribute('aria-label')).toContain('other@example.org');
    await context.close();
  });

  it('a tab that was told nothing of it is refused, and reloaded', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.user });
    await page.goto('/keys');
    await untilSettled(page);
    const { cookie } = stock.admin;
    await context.addCookies([{ ...cookie, url: fixture.weir.adminUrl }]);
    await page.getByTestId('create-key').click();
    const email = new RegExp(fixture.admin);
    await page.getByRole('button', { name: email }).waitFor();
    await page.locator(DIALOG).waitFor({ state: 'detached' });
    await context.close();
  });
}
