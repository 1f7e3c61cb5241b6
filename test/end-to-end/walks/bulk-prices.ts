import { expect, it } from 'vitest';
import { until } from '../../support/clocks/hang.ts';
import { bar, selectAll, visit } from './bulk.ts';
import { stockedConsole } from '../support/stocked-console.ts';

/** Models of one test alone, more than the list loads at once. */
async function makeModels(mark: string, count: number): Promise<void> {
  const models = Array.from({ length: count }, (_value, index) => ({
    publicId: `${mark}-${String(index).padStart(3, '0')}`,
    contextTokensMax: 1_000,
    outputTokensMax: 100,
    prices: { inputUsd: '1', outputUsd: '2' },
  }));
  await stockedConsole().fixture.ask('importModels', { body: { models } });
}

async function pricesOf(mark: string): Promise<string[]> {
  const { fixture } = stockedConsole();
  const query = { search: `${mark}-`, limit: 200 };
  const { data } = await fixture.ask('listModels', { query });
  return [...new Set(data.map(({ price }) => price?.inputUsd ?? ''))];
}

/** Prices of more models than the list loads at once. */
export function testBulkPrices(): void {
  it('an operator changes the prices of all that match, and undoes it', async () => {
    const { stock } = stockedConsole();
    const mark = `bulk${String(Date.now())}`;
    await makeModels(mark, 120);
    const { page, context, complaints } = await visit(`/admin/models?search=${mark}`, stock.admin);
    await selectAll(page);
    await bar(page, 'Select all 120 that match').click();
    await bar(page, 'Change prices…').click();
    const dialog = page.getByRole('dialog', { name: 'Prices of 120 models' });
    await dialog.getByRole('textbox', { name: 'Change by' }).fill('10');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('120 will change:').waitFor();
    expect(await dialog.getByTestId('bulk-line').first().textContent()).toContain('$1.10');
    expect(await pricesOf(mark)).toEqual(['1']);
    await dialog.getByRole('button', { name: 'Change prices' }).click();
    await dialog.getByText('120 changed').first().waitFor();
    expect(await pricesOf(mark)).toEqual(['1.1']);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await pricesOf(mark)).toEqual(['1']);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('a page that is closed while prices change leaves all of them changed, or none', async () => {
    const { fixture, stock } = stockedConsole();
    const mark = `left${String(Date.now())}`;
    await makeModels(mark, 120);
    const { page, context } = await visit(`/admin/models?search=${mark}`, stock.admin);
    await selectAll(page);
    await bar(page, 'Select all 120 that match').click();
    await bar(page, 'Change prices…').click();
    const dialog = page.getByRole('dialog', { name: 'Prices of 120 models' });
    await dialog.getByRole('textbox', { name: 'Change by' }).fill('50');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const sent = page.waitForRequest((request) => request.url().endsWith('/bulk-changes/prices'));
    await dialog.getByRole('button', { name: 'Change prices' }).click();
    await sent;
    await context.close();
    // Whatever became of it, it has become of all.
    await until('the change to be over', async () => {
      const query = { action: 'changePricesInBulk', limit: 1 };
      const [entry] = (await fixture.ask('listAuditEntries', { query })).data;
      const prices = await pricesOf(mark);
      expect(prices).toHaveLength(1);
      return JSON.stringify(entry?.after).includes('"50"') && prices[0] === '1.5';
    });
  });
}
