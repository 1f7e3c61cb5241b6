import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startFakeVendor } from '../../gateway/control-plane/support/fakes/fake-vendor.ts';
import { until } from '../../support/clocks/hang.ts';
import { goTo, untilSettled } from './pages.ts';
import { serveWith } from '../support/stock.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const MODEL = 'gpt-6.2-sol';

async function visit(path: string): Promise<Page> {
  const { fixture, stock } = stockedConsole();
  const { page } = await fixture.visitor({ as: stock.admin });
  await page.goto(path);
  await untilSettled(page);
  return page;
}

/** Resolves with the margins once a further request has been billed. */
async function serveOne() {
  const { fixture, stock } = stockedConsole();
  const count = async (): Promise<number> =>
    (await fixture.ask('getMargins', { query: { model: MODEL } })).total.requests;
  const before = await count();
  await (await serveWith(fixture, stock.key, MODEL)).text();
  await until('the bill', async () => (await count()) > before);
  return fixture.ask('getMargins', { query: { by: 'channel', model: MODEL } });
}

/** Serves requests until one's cost is known. */
async function serveUntilKnown(channelId: string) {
  for (;;) {
    const { data, total } = await serveOne();
    const marginPercent = data.find(({ of }) => of === channelId)?.marginPercent ?? null;
    if (marginPercent !== null) return { marginPercent, total };
  }
}

/** From what an upstream costs to what is earned. */
export function testMargin(): void {
  it('an operator sets a factor, and sees the profit of the next request', async () => {
    const { stock } = stockedConsole();
    const page = await visit(`/admin/channels/${stock.channelId}`);
    const costs = page.getByTestId('upstream-costs');
    await costs.getByTestId('set-factor').click();
    const dialog = page.getByRole('dialog', { name: 'Set factor' });
    await dialog.getByRole('textbox').fill('0,8');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('mat-error').waitFor();
    await dialog.getByRole('textbox').fill('0.8');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await costs.getByText('× 0.8 of the list price').waitFor();

    // The gateway is told of the factor a moment later; what it serves before costs an unknown sum.
    const { marginPercent, total } = await serveUntilKnown(stock.channelId);
    expect(marginPercent).toBe(20);
    expect(total.unknownRequests).toBeGreaterThan(0);

    await page.getByRole('link', { name: 'Margin' }).click();
    await page.getByTestId('profit').getByText('20% of that revenue').waitFor();
    await page
      .getByTestId('unknown')
      .getByText(/^\s*\d+(\.\d+)?%\s*$/)
      .waitFor();
    await page.locator('weir-pills').getByText('Channel', { exact: true }).click();
    const parts = page.getByTestId('parts');
    await parts.getByRole('link', { name: 'upstream' }).first().waitFor();
    await parts.getByRole('row').nth(1).getByRole('cell', { name: '20%' }).waitFor();
    const address = (await page.getByTestId('export').getAttribute('href')) ?? '';
    const file = await page.request.get(address);
    expect(await file.text()).toContain('channel,name,requests,revenue_usd');
    await page.context().close();
  });

  it('an operator enters what a model costs, and takes it away again', async () => {
    const { stock } = stockedConsole();
    const page = await visit(`/admin/channels/${stock.channelId}`);
    const row = page.getByTestId('upstream-costs').getByRole('listitem').filter({ hasText: MODEL });
    await row.getByRole('button', { name: `Set cost of ${MODEL}` }).click();
    const dialog = page.getByRole('dialog', { name: `What ${MODEL} costs` });
    await dialog.getByRole('textbox', { name: 'Input' }).first().fill('0.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('own', { exact: true }).waitFor();
    expect(await row.innerText()).toContain('$0.50');
    await row.getByRole('button', { name: `Set cost of ${MODEL}` }).click();
    await page.getByTestId('remove-own').click();
    await row.getByText('own', { exact: true }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('the balance of an upstream is in the list and on its page, and so is why there is none', async () => {
    const { fixture } = stockedConsole();
    const vendor = await startFakeVendor();
    vendor.answer('/user/balance', {
      balance_infos: [{ currency: 'CNY', total_balance: '110.00' }],
    });
    const { id } = await fixture.ask('createChannel', {
      body: {
        name: 'vendor with a balance',
        baseUrl: vendor.url,
        allowPrivate: true,
        balanceApi: 'deepseek',
        credentials: ['vendor-credential'],
      },
    });
    const page = await visit(`/admin/channels/${id}`);
    const balance = page.getByTestId('upstream-balance');
    await balance.getByTestId('refresh-balance').click();
    await balance.getByText('¥110').waitFor();
    await goTo(page, '/admin/channels');
    const row = page.getByTestId('row').filter({ hasText: 'vendor with a balance' });
    await row.getByTestId('balance').getByText('¥110').waitFor();
    await row.getByRole('link', { name: 'vendor with a balance' }).click();
    vendor.answer('/user/balance', { status: 401, error: { message: 'The key has expired.' } });
    await balance.getByTestId('refresh-balance').click();
    await balance.getByTestId('balance-error').getByText('The key has expired.').waitFor();
    await balance.getByText('¥110').waitFor();
    await page.context().close();
    await fixture.ask('deleteChannel', { params: { channelId: id } });
    await vendor.close();
  });
}
