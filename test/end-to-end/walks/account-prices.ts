import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { stockedConsole } from '../support/stocked-console.ts';
import { serveWith } from '../support/stock.ts';
import { until } from '../../support/clocks/hang.ts';
import { untilSettled } from './pages.ts';

const MODEL = 'gpt-6.2-sol';

async function visit(path: string, as: 'admin' | 'user'): Promise<Page> {
  const { fixture, stock } = stockedConsole();
  const { page } = await fixture.visitor({ as: stock[as] });
  await page.goto(path);
  await untilSettled(page);
  return page;
}

/** The multiplier and the price of input of the customer's newest bill. */
async function newestBill(): Promise<readonly [string | undefined, string | undefined]> {
  const { fixture, stock } = stockedConsole();
  const { data } = await fixture.ask('listOwnUsageRecords', {
    as: stock.user,
    query: { limit: 1 },
  });
  const [record] = data;
  return [record?.multiplier, record?.prices.inputUsd];
}

/** An operator agrees on a price with one customer, and ends it. */
export function testAccountPrices(): void {
  it('an operator sets the price of a model for an account; it sees it, pays it, until it ends', async () => {
    const { fixture, stock } = stockedConsole();
    const page = await visit(`/admin/accounts/${stock.accountId}`, 'admin');
    const prices = page.getByTestId('own-prices');
    await prices.getByTestId('add-price').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').click();
    await page.getByRole('option', { name: MODEL, exact: true }).click();
    // It begins with the price of all.
    const input = dialog.getByLabel('Input', { exact: true }).first();
    await input.waitFor();
    expect(await input.inputValue()).not.toBe('');
    await input.fill('0.123');
    await dialog.getByTestId('save').click();
    await dialog.waitFor({ state: 'detached' });
    await prices.getByText('$0.123').waitFor();

    const customer = await visit('/models', 'user');
    const row = customer.getByTestId('model').filter({ hasText: MODEL });
    await row.getByText('Your own price').waitFor();
    expect(await row.textContent()).toContain('$0.123');
    await until('a bill at the price', async () => {
      await (await serveWith(fixture, stock.key, MODEL)).text();
      return (await newestBill()).join() === '1,0.123';
    });

    // The model's page names who pays what, and changes it as well.
    await prices.getByRole('link', { name: MODEL, exact: true }).click();
    await prices.getByRole('link').first().waitFor();
    await prices.getByText('$0.123').waitFor();
    await prices.getByRole('button', { name: /More/ }).first().click();
    await page.getByRole('menuitem', { name: 'Change price' }).click();
    await page.getByTestId('end-price').click();
    await dialog.waitFor({ state: 'detached' });
    await prices.waitFor({ state: 'detached' });
    await customer.reload();
    await untilSettled(customer);
    await row.waitFor();
    expect(await row.getByText('Your own price').count()).toBe(0);
    await page.goto(`/admin/accounts/${stock.accountId}`);
    await prices.getByText('None: prices of the models apply').waitFor();
    await page.getByText('Ended a price of one account').first().waitFor();
    await customer.context().close();
    await page.context().close();
  });
}
