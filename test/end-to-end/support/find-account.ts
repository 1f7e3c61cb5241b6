import { expect, it } from 'vitest';
import { goTo, untilSettled } from '../walks/pages.ts';
import { CUSTOMER_EMAIL } from './stock.ts';
import { stockedConsole } from './stocked-console.ts';

/** Part of the customer's address, as it would be typed. */
const TYPED = CUSTOMER_EMAIL.slice(0, 4);

export function testFindingAccounts(): void {
  it('gives a plan to an account that is chosen by e-mail address', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.admin });
    await page.goto('/admin/plans/subscriptions');
    await untilSettled(page);
    const before = (await fixture.ask('listSubscriptions')).data[0];
    await page.getByRole('button', { name: 'Give a plan' }).click();
    const dialog = page.getByRole('dialog');
    const account = dialog.getByRole('combobox', { name: 'Account' });
    await account.fill(TYPED);
    await page.getByRole('option', { name: CUSTOMER_EMAIL }).click();
    expect(await account.inputValue()).toBe(CUSTOMER_EMAIL);
    // Words that are no account are not sent.
    await account.fill('nobody of that name');
    await page.getByRole('option', { name: 'No account matches.' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Tried out');
    await dialog.getByTestId('save').click();
    await dialog.getByText('Fill this in.').first().waitFor();
    await account.fill(TYPED);
    await page.getByRole('option', { name: CUSTOMER_EMAIL }).waitFor();
    // The first that was found is taken with Enter.
    await account.press('Enter');
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: 'Plan 20' }).click();
    await dialog.getByTestId('save').click();
    await dialog.waitFor({ state: 'detached' });
    // The account has the plan already: it goes on for longer.
    const after = (await fixture.ask('listSubscriptions')).data[0];
    expect(after?.accountId).toBe(stock.accountId);
    expect(Date.parse(after?.endsAt ?? '')).toBeGreaterThan(Date.parse(before?.endsAt ?? ''));
    await context.close();
  });

  it('narrows lists to one account, and says so in the address', async () => {
    const { fixture, stock } = stockedConsole();
    const { page, context } = await fixture.visitor({ as: stock.admin });
    await page.goto('/admin/orders/credits');
    await untilSettled(page);
    const rows = page.getByTestId('row');
    const all = await rows.count();
    const filter = page.getByTestId('account-filter');
    await filter.fill(TYPED);
    await page.getByRole('option', { name: CUSTOMER_EMAIL }).click();
    await expect.poll(() => rows.count()).toBeLessThan(all);
    expect(await rows.filter({ hasText: CUSTOMER_EMAIL }).count()).toBe(await rows.count());
    await filter.fill('');
    await expect.poll(() => rows.count()).toBe(all);

    await goTo(page, `/admin/requests?account=${stock.accountId}`);
    await expect.poll(() => filter.inputValue()).toBe(CUSTOMER_EMAIL);
    await context.close();
  });
}
