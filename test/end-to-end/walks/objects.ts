import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Caller } from '../support/console-fixture.ts';
import { countClicks } from '../support/clicks.ts';
import { CUSTOMER_EMAIL } from '../support/stock.ts';
import { stockedConsole } from '../support/stocked-console.ts';
import { untilSettled } from './pages.ts';

const TILES = 8;
const BROKEN_CHANNEL = 'out of order';

async function visit(path: string, as: Caller): Promise<Page> {
  const { page } = await stockedConsole().fixture.visitor({ as });
  await page.goto(path);
  await untilSettled(page);
  return page;
}

/** The overview, and the pages of single objects. */
export function testObjects(): void {
  it('the overview has eight trends, and leads to a channel that fails in one click', async () => {
    const page = await visit('/admin/overview', stockedConsole().stock.admin);
    expect(await page.locator('weir-trend-tile').count()).toBe(TILES);
    const clicks = await countClicks(page);
    const needs = page.getByTestId('needs');
    await needs.getByRole('link', { name: BROKEN_CHANNEL }).first().click();
    await page.getByRole('heading', { level: 1, name: BROKEN_CHANNEL }).waitFor();
    expect(await clicks()).toBe(1);
    // Its attempts have failed, and are counted as its requests.
    await untilSettled(page);
    const tile = (name: string) => page.locator('weir-stat-tile').filter({ hasText: name });
    expect(await tile('Requests').textContent()).not.toMatch(/Requests\s*0/);
    expect(await tile('Errors').textContent()).toContain('100%');
    await page.getByTestId('failures').locator('.row-link').first().waitFor();
    await page.context().close();
  });

  it('the page of an account has its requests, its note and its history', async () => {
    const { fixture, stock } = stockedConsole();
    const note = `contract ${String(Date.now())}`;
    const page = await visit('/admin/accounts', stock.admin);
    await page.getByTestId('row').filter({ hasText: CUSTOMER_EMAIL }).locator('.row-link').click();
    await page.getByRole('heading', { level: 1, name: CUSTOMER_EMAIL }).waitFor();
    await page.locator('weir-bar-chart').first().waitFor();
    await page.getByTestId('failures').locator('.row-link').first().waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill(note);
    await dialog.getByTestId('save').click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByTestId('note').getByText(note).waitFor();
    const { data } = await fixture.ask('listAccounts', { query: { search: note } });
    expect(data.map(({ id }) => id)).toEqual([stock.accountId]);
    await page.reload();
    await page.getByText('Changed an account').first().waitFor();
    await page.context().close();
  });
}
