import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { PHONE, type Visitor } from '../support/console-fixture.ts';
import { untilSettled } from './pages.ts';
import { stockedConsole } from '../support/stocked-console.ts';

/** Enough accounts for several pages of the list. */
const ACCOUNTS = 60;

async function visit(path: string, size?: typeof PHONE): Promise<Visitor> {
  const { fixture, stock } = stockedConsole();
  const visitor = await fixture.visitor({
    as: stock.admin,
    ...(size === undefined ? {} : { size }),
  });
  await visitor.page.goto(path);
  await untilSettled(visitor.page);
  return visitor;
}

async function firstTitles(page: Page, count: number): Promise<string[]> {
  const rows = page.getByTestId('row').locator('[data-narrow="title"]');
  const titles = [];
  for (let index = 0; index < count; index += 1) {
    titles.push(((await rows.nth(index).textContent()) ?? '').trim());
  }
  return titles;
}

function head(page: Page, name: string) {
  return page.getByRole('columnheader', { name });
}

/** Accounts whose names and balances run against each other. */
async function addAccounts(mark: string): Promise<void> {
  const { fixture } = stockedConsole();
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const number = String(index).padStart(2, '0');
    const email = `${mark}-${number}@example.org`;
    const account = { name: `${mark} ${number}`, email };
    const { id: accountId } = await fixture.ask('createAccount', { body: account });
    if (index > 2) continue;
    const body = { amountUsd: String(3 - index), reason: 'to be sorted' };
    await fixture.ask('createCredit', { params: { accountId }, body });
  }
}

/** Returns the top of each head's text: all are on one line, whether or not a head sorts. */
function topsOfHeads(page: Page): Promise<number[]> {
  return page.evaluate(`
    [...document.querySelectorAll('[role="columnheader"].cell')]
      .filter((head) => head.offsetWidth > 1 && head.querySelector('.unseen') === null)
      .map((head) => {
        const words = document.createRange();
        const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '';
        words.selectNode([...(head.querySelector('button') ?? head).childNodes].find(isText));
        return Math.round(words.getBoundingClientRect().top);
      })`);
}

/** Lists that a click on a head sorts. */
export function testSorting(): void {
  it('accounts are sorted by a head, with the keyboard too, and the address remembers it', async () => {
    const mark = `sorted${String(Date.now())}`;
    await addAccounts(mark);
    const { page, context, complaints } = await visit('/admin/accounts');
    await page.getByRole('searchbox').fill(mark);
    await page.getByText(`${mark} 59`, { exact: true }).waitFor();
    expect(await firstTitles(page, 2)).toEqual([`${mark} 59`, `${mark} 58`]);
    expect(await head(page, 'Registered').getAttribute('aria-sort')).toBe('descending');
    expect(new Set(await topsOfHeads(page)).size).toBe(1);

    await head(page, 'Name').getByRole('button').click();
    await expect.poll(() => firstTitles(page, 2)).toEqual([`${mark} 00`, `${mark} 01`]);
    expect(page.url()).toContain('sort=name');
    expect(await head(page, 'Name').getAttribute('aria-sort')).toBe('ascending');
    expect(await head(page, 'Registered').getAttribute('aria-sort')).toBe('none');

    await page.keyboard.press('Enter');
    await expect.poll(() => firstTitles(page, 2)).toEqual([`${mark} 59`, `${mark} 58`]);
    expect(await head(page, 'Name').getAttribute('aria-sort')).toBe('descending');
    await page.goBack();
    await expect.poll(() => firstTitles(page, 1)).toEqual([`${mark} 00`]);

    await head(page, 'balance').getByRole('button').click();
    const richest = [`${mark} 00`, `${mark} 01`, `${mark} 02`];
    await expect.poll(() => firstTitles(page, 3)).toEqual(richest);
    expect(page.url()).toContain('sort=-balance');
    // The second page goes on where the first one ended.
    await page.getByTestId('row').last().scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 10_000);
    await page.getByText(`${mark} 03`, { exact: true }).waitFor();

    await page.reload();
    await page.getByRole('searchbox').fill(mark);
    await expect.poll(() => firstTitles(page, 3)).toEqual(richest);
    expect(await head(page, 'balance').getAttribute('aria-sort')).toBe('descending');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('channels are sorted by a head and searched on the server, and lead to their pages', async () => {
    const { page, context } = await visit('/admin/channels');
    const names = async (): Promise<string[]> =>
      (await page.getByTestId('row').locator('.row-link').allTextContents()).map((name) =>
        name.trim(),
      );
    const own = await names();
    await head(page, 'Name').getByRole('button').click();
    await expect.poll(names).toEqual(own.toSorted((a, b) => a.localeCompare(b)));
    await head(page, 'Name').getByRole('button').click();
    const byName = own.toSorted((a, b) => b.localeCompare(a));
    await expect.poll(names).toEqual(byName);
    await page.reload();
    await expect.poll(names).toEqual(byName);
    await head(page, 'Health').getByRole('button').click();
    await expect.poll(async () => (await names())[0]).toBe('out of order');
    await page.getByRole('searchbox').fill('out of');
    await expect.poll(names).toEqual(['out of order']);
    await page.getByRole('link', { name: 'out of order' }).click();
    await page.getByRole('heading', { name: 'out of order', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Recent failures' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'out of order', level: 1 }).waitFor();
    await page.goBack();
    await head(page, 'Health').waitFor();
    await context.close();
  });

  it('models are sorted by price, and on a phone by a choice', async () => {
    const { fixture } = stockedConsole();
    const limits = { contextTokensMax: 8_192, outputTokensMax: 1_024 };
    for (const [publicId, inputUsd] of [
      ['sorted-a', '2'],
      ['sorted-b', '1'],
    ] as const) {
      const { id } = await fixture.ask('createModel', { body: { publicId, ...limits } });
      const body = { inputUsd, outputUsd: '10' };
      await fixture.ask('createPrice', { params: { modelId: id }, body });
    }
    const { page, context } = await visit('/admin/models');
    await page.getByRole('searchbox').fill('sorted-');
    await head(page, 'Input → output').getByRole('button').click();
    await expect.poll(() => firstTitles(page, 2)).toEqual(['sorted-b', 'sorted-a']);
    await head(page, 'Input → output').getByRole('button').click();
    await expect.poll(() => firstTitles(page, 2)).toEqual(['sorted-a', 'sorted-b']);
    await context.close();

    const { page: phone, context: pocket } = await visit('/admin/models?sort=nonsense', PHONE);
    await phone.getByRole('searchbox').fill('sorted-');
    const order = phone.getByRole('combobox', { name: 'Default order' });
    await order.selectOption({ label: 'Model, descending' });
    await expect.poll(() => firstTitles(phone, 2)).toEqual(['sorted-b', 'sorted-a']);
    await order.selectOption({ label: 'Default order' });
    await expect.poll(() => firstTitles(phone, 2)).toEqual(['sorted-a', 'sorted-b']);
    expect(phone.url()).not.toContain('sort=');
    await pocket.close();
  });
}
