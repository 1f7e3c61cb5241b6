import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Caller, Visitor } from '../support/console-fixture.ts';
import { untilSettled } from './pages.ts';
import { stockedConsole } from '../support/stocked-console.ts';

async function visit(path: string, as: Caller): Promise<Visitor> {
  const visitor = await stockedConsole().fixture.visitor({ as });
  await visitor.page.goto(path);
  await untilSettled(visitor.page);
  return visitor;
}

async function inViews(page: Page, name: string | RegExp): Promise<void> {
  await page.getByTestId('views').click();
  await page.getByRole('menuitem', { name }).click();
}

/** Filters that the address keeps, and views of them. */
export function testSavedViews(): void {
  it('filters are chips, which the address keeps and a view brings back in another browser', async () => {
    const { stock } = stockedConsole();
    const { page, context, complaints } = await visit('/admin/accounts/keys', stock.admin);
    await page.getByRole('combobox', { name: 'Any status' }).selectOption('active');
    await page.getByRole('searchbox', { name: 'Search' }).first().fill('Lap');
    await page.waitForURL('**/admin/accounts/keys?status=active&search=Lap');
    await page.getByTestId('row').filter({ hasText: 'Laptop' }).first().waitFor();
    await inViews(page, 'Save this view…');
    const dialog = page.getByRole('dialog', { name: 'Save this view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptops');
    await dialog.getByTestId('save').click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByTestId('views').textContent()).toContain('Laptops');

    await page.getByRole('button', { name: 'Remove the filter “Active”' }).click();
    await page.waitForURL('**/admin/accounts/keys?search=Lap');
    await page.getByTestId('clear').click();
    await page.waitForURL(/\/admin\/accounts\/keys$/);
    await expect.poll(() => page.getByRole('searchbox').first().inputValue()).toBe('');

    const elsewhere = await visit('/admin/accounts/keys', stock.admin);
    await inViews(elsewhere.page, 'Laptops');
    await elsewhere.page.waitForURL('**/admin/accounts/keys?search=Lap&status=active');
    await inViews(elsewhere.page, 'Rename this view…');
    const renaming = elsewhere.page.getByRole('dialog', { name: 'Rename the view' });
    await renaming.getByRole('textbox', { name: 'Name' }).fill('Machines of people');
    await renaming.getByTestId('save').click();
    await expect
      .poll(() => elsewhere.page.getByTestId('views').textContent())
      .toContain('Machines of people');
    await elsewhere.page.getByRole('combobox', { name: 'Any status' }).selectOption('disabled');
    await inViews(elsewhere.page, 'Save these filters to “Machines of people”');
    await expect
      .poll(() => elsewhere.page.getByTestId('views').textContent())
      .toContain('Machines of people');
    await inViews(elsewhere.page, 'Delete this view…');
    await elsewhere.page.getByRole('dialog').getByTestId('confirm').click();
    await elsewhere.page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => elsewhere.page.getByTestId('views').textContent()).toContain('Views');
    await elsewhere.context.close();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('a whole key is searched for and stays out of the address', async () => {
    const { stock } = stockedConsole();
    const { page, context } = await visit('/admin/accounts/keys', stock.admin);
    await page.getByRole('searchbox').first().fill(stock.key);
    await expect.poll(() => page.getByTestId('row').count()).toBe(1);
    expect(page.url()).not.toContain(stock.key.slice(0, 20));
    await context.close();
  });

  it('requests, orders, credits and subscriptions are sorted by a head, on the server', async () => {
    const { stock } = stockedConsole();
    const { page, context, complaints } = await visit('/admin/requests', stock.admin);
    for (const [path, name, sort] of [
      ['/admin/requests', 'Cost', '-cost'],
      ['/admin/requests', 'Duration', '-duration'],
      ['/admin/orders', 'Amount', '-amount'],
      ['/admin/orders/credits', 'Amount', '-amount'],
      ['/admin/plans/subscriptions', 'Plan', 'plan'],
    ] as const) {
      // With a load: from one order of a page to another, no page comes.
      await page.goto(path);
      await untilSettled(page);
      const asked = page.waitForRequest((request) => request.url().includes(`sort=${sort}`));
      const head = page.getByRole('columnheader', { name });
      await head.getByRole('button').click();
      await asked;
      await expect
        .poll(() => head.getAttribute('aria-sort'))
        .toBe(sort.startsWith('-') ? 'descending' : 'ascending');
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('an entry of a bulk price change offers its undo, shows it first, and says why not', async () => {
    const { fixture, stock } = stockedConsole();
    const mark = `undone${String(Date.now())}`;
    const models = ['a', 'b'].map((name) => ({
      ...{ publicId: `${mark}-${name}`, contextTokensMax: 1_000, outputTokensMax: 100 },
      prices: { inputUsd: '1', outputUsd: '2' },
    }));
    await fixture.ask('importModels', { body: { models } });
    const matching = { search: mark, count: models.length };
    await fixture.ask('changePricesInBulk', { body: { matching, percent: '10' } });
    const { page, context, complaints } = await visit(
      '/admin/audit?action=changePricesInBulk',
      stock.admin,
    );
    const undo = async (): Promise<void> => {
      await page.getByTestId('row').first().locator('.row-link').click();
      await page.getByTestId('undo').click();
    };
    await undo();
    const dialog = page.getByRole('dialog', { name: 'Undo the change of prices' });
    await dialog.getByText('2 will change:').waitFor();
    expect(await dialog.getByTestId('bulk-line').first().textContent()).toContain('$1.10');
    await dialog.getByTestId('confirm').click();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    const { data } = await fixture.ask('listModels', { query: { search: mark } });
    expect(data.map(({ price }) => price?.inputUsd)).toEqual(['1', '1']);
    await undo();
    await dialog.getByText('This change was undone before.').waitFor();
    expect(await dialog.getByTestId('confirm').isDisabled()).toBe(true);
    expect(complaints.filter((complaint) => !complaint.includes('409'))).toEqual([]);
    await context.close();
  });

  it('the System page says what is stored and since when', async () => {
    const { stock } = stockedConsole();
    const { page, context, complaints } = await visit('/admin/system', stock.admin);
    const storage = page.getByTestId('storage');
    await storage.getByText('Usage records', { exact: true }).waitFor();
    const text = (await storage.textContent()) ?? '';
    expect(text).toMatch(/PostgreSQL\s*[\d.,]+\s*[kMG]B/);
    expect(text).toMatch(/since .*20\d\d/);
    expect(complaints).toEqual([]);
    await context.close();
  });
}
