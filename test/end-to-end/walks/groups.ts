import { expect, it } from 'vitest';
import { goTo, openMenu, untilSettled } from './pages.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const GROUP = 'Students';
const EMAIL = 'student@example.org';

/** Groups that are not for everybody, as an operator and a customer meet them. */
export function testGroups(): void {
  it('opens a group to the customer who enters its code, and closes their key when it is taken away', async () => {
    const { fixture, stock } = stockedConsole();
    const operator = await fixture.visitor({ as: stock.admin });
    const admin = operator.page;
    await admin.goto('/admin/groups');
    await untilSettled(admin);
    await admin.getByRole('button', { name: 'Add group' }).click();
    const form = admin.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Name' }).fill(GROUP);
    await form.getByRole('textbox', { name: 'Price multiplier' }).fill('0.5');
    await form.getByRole('combobox', { name: 'For whom' }).click();
    await admin.getByRole('option', { name: 'By code' }).click();
    await form.getByTestId('save').click();
    await admin.getByRole('link', { name: GROUP }).click();
    const code = (await admin.getByTestId('group-code').textContent()) ?? '';

    const customer = await fixture.visitor({ as: await fixture.register(EMAIL) });
    const { page } = customer;
    await page.goto('/keys?open=new');
    await untilSettled(page);
    const key = page.getByRole('dialog');
    await key.getByRole('combobox', { name: 'Model group' }).click();
    await page.getByRole('option', { name: /^mixed/ }).waitFor();
    expect(await page.getByRole('option', { name: GROUP }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await goTo(page, '/billing');
    await page.getByRole('textbox', { name: 'Code' }).fill(code.toLowerCase());
    await page.getByTestId('redeem-submit').click();
    await page.getByText(`You can create keys in the group ${GROUP}.`).waitFor();
    await goTo(page, '/keys?open=new');
    await key.getByRole('textbox', { name: 'Name' }).fill('Homework');
    await key.getByRole('combobox', { name: 'Model group' }).click();
    await page.getByRole('option', { name: GROUP }).click();
    await key.getByRole('button', { name: 'Create key' }).click();
    await key.getByRole('button', { name: 'I saved it' }).click();

    await admin.reload();
    await untilSettled(admin);
    await openMenu(admin, admin.locator('main .row-button').first());
    await admin.getByRole('menuitem', { name: 'Remove' }).click();
    await admin.getByRole('dialog').getByTestId('confirm').click();
    await admin.getByText('No account was given this group').waitFor();

    await page.goto('/keys');
    await untilSettled(page);
    await page.getByText('Group closed').waitFor();
    await openMenu(page, page.getByRole('button', { name: 'More actions for Homework' }));
    await page.getByRole('menuitem', { name: 'Edit limits' }).click();
    await key.getByText(`may not use the group ${GROUP} any more`).waitFor();
    await key.getByRole('combobox', { name: 'Model group' }).click();
    await page.getByRole('option', { name: /^mixed/ }).click();
    await key.getByRole('button', { name: 'Save' }).click();
    await page.getByTestId('row').filter({ hasText: 'Homework' }).getByText('Active').waitFor();
    expect([...operator.complaints, ...customer.complaints]).toEqual([]);
    await Promise.all([operator.context.close(), customer.context.close()]);
  });
}
