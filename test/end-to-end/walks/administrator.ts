import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { until } from '../../support/clocks/hang.ts';
import type { Caller } from '../support/console-fixture.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const MODEL = 'river-1';
const INPUT_TOKENS = 1_000;
const OUTPUT_TOKENS = 100;
/** Prices are per 1,000,000 tokens; the group takes one and a half times the list price. */
const FIRST_COST_USD = '0.00375';
const SECOND_COST_USD = '0.0075';

let page: Page;

async function follow(link: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: link, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: link }).waitFor();
}

function field(where: Locator, name: string): Locator {
  return where.getByRole('textbox', { name, exact: true });
}

async function addChannel(): Promise<void> {
  await page.getByRole('link', { name: 'Add channel' }).click();
  await page
    .getByRole('textbox', { name: 'Address', exact: true })
    .fill(stockedConsole().upstream.url);
  await page.getByRole('textbox', { name: /^Key/ }).fill('upstream-secret-1');
  await page.getByRole('switch', { name: 'Private address' }).click();
  await page.getByTestId('connect').click();
  await page.getByRole('textbox', { name: 'Name of the channel' }).fill('River works');
  await page.getByTestId('save').click();
  await page.getByRole('heading', { level: 1, name: 'River works' }).waitFor();
}

async function addModel(): Promise<void> {
  await follow('Models');
  await page.getByRole('button', { name: 'Add model' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a model' });
  await field(dialog, 'Model ID').fill(MODEL);
  await field(dialog, 'Context in tokens').fill('32000');
  await field(dialog, 'Longest output in tokens').fill('4000');
  await dialog.getByRole('button', { name: 'Add model' }).click();
  // A model without a price cannot be served, so its prices come next by themselves.
  const prices = page.getByRole('dialog', { name: `Prices of ${MODEL}` });
  await field(prices, 'Input').fill('2');
  await field(prices, 'Output').fill('5');
  await prices.getByRole('button', { name: 'Set price' }).click();
  await prices.getByText('In force', { exact: true }).waitFor();
  await prices.getByRole('button', { name: 'Close' }).click();
  await prices.waitFor({ state: 'detached' });
}

async function serveIt(): Promise<void> {
  await follow('Channels');
  await page.getByRole('link', { name: 'River works' }).click();
  const models = page.getByRole('combobox', { name: 'Add a model…' });
  await page.getByRole('button', { name: 'Add a model…' }).press('Enter');
  await page.locator('select:focus').waitFor();
  await models.selectOption({ label: MODEL });
  // What was taken away can be added again.
  await page.getByRole('button', { name: `Remove ${MODEL}` }).click();
  await models.selectOption({ label: MODEL });
  const upstreamName = page.getByRole('textbox', { name: `What the upstream calls ${MODEL}` });
  await upstreamName.fill('river-1-large');
  await upstreamName.press('Tab');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Channel saved.').waitFor();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByText('It works.').waitFor();
}

async function addGroup(): Promise<void> {
  await follow('Groups');
  await page.getByRole('button', { name: 'Add group' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a group' });
  await field(dialog, 'Name').fill('Riverside');
  await dialog.getByRole('combobox', { name: 'Models' }).click();
  await page.getByRole('option', { name: MODEL }).click();
  await page.keyboard.press('Escape');
  await field(dialog, 'Price multiplier').fill('1.5');
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await page.getByText('Riverside is saved.').waitFor();
}

async function changePrice(): Promise<void> {
  await follow('Models');
  await page.getByRole('searchbox').fill('river');
  const row = page.getByTestId('row').filter({ hasText: MODEL });
  await row.getByRole('button', { name: `Change the price of ${MODEL}` }).click();
  await row.getByRole('textbox', { name: 'Input' }).fill('4');
  await row.getByRole('textbox', { name: 'Output' }).fill('10');
  await page.keyboard.press('Enter');
  await page.getByText(`The new price of ${MODEL} applies from now on.`).waitFor();
}

/** Asks the model until a request of the key is served and costs so much; resolves then. */
async function untilItCosts(costUsd: string, user: Caller, key: string): Promise<void> {
  const { fixture } = stockedConsole();
  await until(`a request that costs ${costUsd}`, async () => {
    const response = await fetch(`${fixture.weir.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hello.' }] }),
    });
    const text = await response.text();
    // What was changed is not in force on the gateway at once.
    if (!response.ok) return false;
    expect(text).toContain('Served.');
    const requestId = response.headers.get('x-request-id');
    const record = await until('the record', async () => {
      const { data } = await fixture.ask('listOwnUsageRecords', { as: user, query: { limit: 5 } });
      return data.find((one) => one.requestId === requestId);
    });
    expect([FIRST_COST_USD, SECOND_COST_USD]).toContain(record.costUsd);
    return record.costUsd === costUsd;
  });
}

export function testAdministrator(): void {
  it('adds channel, model, price and group; a request is served by them; a new price changes the bill', async () => {
    const { fixture, stock, upstream } = stockedConsole();
    upstream.behave('river-1-large', {
      kind: 'reply',
      pieces: ['Served.'],
      usage: {
        prompt_tokens: INPUT_TOKENS,
        completion_tokens: OUTPUT_TOKENS,
        total_tokens: INPUT_TOKENS + OUTPUT_TOKENS,
      },
    });
    const visitor = await fixture.visitor({ as: stock.admin });
    ({ page } = visitor);
    await page.goto('/admin/channels');
    await addChannel();
    await addModel();
    await serveIt();
    await addGroup();

    const user = await fixture.register('linus@example.org');
    const { id: accountId } = await fixture.ask('getOwnAccount', { as: user });
    await fixture.ask('createCredit', {
      params: { accountId },
      body: { amountUsd: '1', reason: 'a start' },
    });
    const groups = (await fixture.ask('listGroups')).data;
    const groupId = groups.find(({ name }) => name === 'Riverside')?.id ?? '';
    const { value } = await fixture.ask('createKey', { as: user, body: { name: 'Boat', groupId } });

    await untilItCosts(FIRST_COST_USD, user, value);
    const sent = upstream.requests.at(-1);
    expect(sent?.model).toBe('river-1-large');
    expect(sent?.headers['authorization']).toBe('Bearer upstream-secret-1');

    await changePrice();
    await untilItCosts(SECOND_COST_USD, user, value);

    // Both bills stand under everyone's usage, at the price of their time.
    await follow('All requests');
    await page.getByRole('heading', { level: 1, name: 'All requests' }).waitFor();
    const rows = page.getByTestId('row').filter({ hasText: MODEL });
    await rows.nth(1).waitFor();
    const bills = await rows.locator('weir-money').all();
    const shown = await Promise.all(bills.map((bill) => bill.getAttribute('title')));
    expect([shown[0], shown.at(-1)]).toEqual([`$${SECOND_COST_USD}`, `$${FIRST_COST_USD}`]);
    expect(visitor.complaints).toEqual([]);
    await visitor.context.close();
  });
}
