import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goTo, untilSettled } from './pages.ts';
import { BROKEN_MODEL } from '../support/stock.ts';
import { stockedConsole } from '../support/stocked-console.ts';

let page: Page;

/** The styles of the first element that is meant, from the browser itself. */
function styleOf(selector: string, properties: readonly string[]): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const style = getComputedStyle(document.querySelector(${JSON.stringify(selector)}));
    return ${JSON.stringify(properties)}.map((name) => style.getPropertyValue(name));
  })()`);
}

/** Finds focusable elements whose focus ring would be cut off by their surroundings. */
const CLIPPED_RINGS = `(() => {
  const ring = 4;
  const clipped = [];
  for (const element of document.querySelectorAll('main :is(a[href], button:enabled, input)')) {
    const box = element.getBoundingClientRect();
    if (box.width < 2) continue;
    element.focus();
    const style = getComputedStyle(element);
    if (style.outlineStyle === 'none' || parseFloat(style.outlineOffset) < 0) continue;
    for (let outer = element.parentElement; outer !== document.body; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflowX === 'visible') continue;
      const frame = outer.getBoundingClientRect();
      // What is scrolled out of sight is cut anyway.
      if (box.left < frame.left || box.right > frame.right) continue;
      const isCut = box.left - ring < frame.left || box.right + ring > frame.right;
      if (isCut) clipped.push(element.outerHTML.slice(0, 120) + ' in ' + outer.className);
    }
  }
  return clipped;
})()`;

/**
 * Returns the width of the button that the browser puts into a field for a date: no script of the
 * page reaches it.
 */
async function calendarButtonWidth(selector: string): Promise<number> {
  const client = await page.context().newCDPSession(page);
  const expression = `document.querySelector('${selector}')`;
  const { objectId = '' } = (await client.send('Runtime.evaluate', { expression })).result;
  const field = await client.send('DOM.describeNode', { objectId, depth: -1, pierce: true });
  const parts = field.node.shadowRoots?.flatMap(({ children = [] }) => children) ?? [];
  for (const part of parts) parts.push(...(part.children ?? []));
  const button = parts.find(({ attributes }) =>
    attributes?.includes('-webkit-calendar-picker-indicator'),
  );
  const { backendNodeId = 0 } = button ?? {};
  // Refused for what is not shown.
  const { model } = await client.send('DOM.getBoxModel', { backendNodeId });
  await client.detach();
  return model.width;
}

function testHealth(): void {
  it('a channel whose requests fail is called failing, with the upstream’s words', async () => {
    await goTo(page, '/admin/channels');
    const row = page.getByTestId('row').filter({ hasText: 'out of order' });
    await row.getByText('Failing', { exact: true }).waitFor();
    await row.getByText(/ECONNREFUSED.*, \d{2}:\d{2}:\d{2}/).waitFor();
    const { data } = await stockedConsole().fixture.ask('listChannels');
    const broken = data.find(({ name }) => name === 'out of order');
    expect(broken?.models).toMatchObject([{ upstreamName: BROKEN_MODEL }]);
    expect(broken?.health.failure?.inRow).toBeGreaterThan(0);
    await row.getByRole('link', { name: 'out of order' }).click();
    await page
      .getByTestId('failure')
      .getByText(/ECONNREFUSED/)
      .waitFor();
    // A test that fails is one more in the row.
    const before = broken?.health.failure?.inRow ?? 0;
    await page.getByTestId('test').click();
    await page
      .getByTestId('failure')
      .getByText(`${String(before + 1)} in a row`)
      .waitFor();
  });
}

function testLooks(): void {
  it('the handle of a switch has a rim, fields are spaced as all else is, code is monospaced', async () => {
    await goTo(page, '/admin/settings');
    const [handle, track] = await Promise.all([
      page.locator('.mdc-switch__handle').first().boundingBox(),
      page.locator('.mdc-switch__track').first().boundingBox(),
    ]);
    expect(track?.height).toBe(24);
    expect(handle?.height).toBeLessThanOrEqual(20);
    const inputs = await styleOf('.mat-mdc-input-element', ['letter-spacing']);
    expect(inputs).toEqual(['normal']);
    await goTo(page, '/admin/models');
    await page.getByTestId('import').click();
    await page.locator('mat-dialog-container textarea').waitFor();
    const [font] = await styleOf('mat-dialog-container textarea', ['font-family']);
    expect(font).toContain('monospace');
    // The strip of the scroll bar is as dark as the page next to it.
    const strip = await styleOf('html', ['background-color']);
    const fixture = await styleOf('body', ['background-color']);
    expect(strip).not.toEqual(fixture);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await styleOf('html', ['background-color'])).toEqual(fixture);
  });

  it('both kinds of select are as high, and have one kind of text', async () => {
    const { channelId } = stockedConsole().stock;
    await goTo(page, `/admin/channels/${channelId}`);
    await page.getByTestId('begin-adding').click();
    const [native, material] = await Promise.all([
      page.locator('weir-filter select').first().boundingBox(),
      page
        .locator('mat-form-field:has(mat-select) .mat-mdc-text-field-wrapper')
        .first()
        .boundingBox(),
    ]);
    expect(native?.height).toBe(material?.height);
    const size = ['font-size', 'letter-spacing'];
    expect(await styleOf('weir-filter select', size)).toEqual(await styleOf('mat-select', size));
  });

  it.each(['/admin/channels', '/admin/accounts', '/admin/accounts/keys', '/admin/models'])(
    'no focus ring is cut off on %s',
    async (path) => {
      await goTo(page, path);
      await page.keyboard.press('Tab');
      expect(await page.evaluate<string[]>(CLIPPED_RINGS)).toEqual([]);
    },
  );
}

/** On a page of their own: one that fails would ask all tests after it. */
function testUnsaved(): void {
  let edited: Page;
  const question = () => edited.getByRole('dialog', { name: 'Discard your changes?' });
  const heading = (name: string) => edited.getByRole('heading', { level: 1, name });
  const follow = (name: string) =>
    edited.getByRole('navigation').getByRole('link', { name, exact: true }).click();

  beforeAll(async () => {
    const { fixture, stock } = stockedConsole();
    ({ page: edited } = await fixture.visitor({ as: stock.admin }));
    await edited.goto('/admin/groups');
    await untilSettled(edited);
  });
  afterAll(() => edited.context().close());

  it('asks before it throws settings away, also for Back, and not once they are taken back', async () => {
    await follow('Settings');
    const help = edited.getByRole('textbox', { name: 'Help page' });
    const before = await help.inputValue();
    await help.fill('https://example.org/help');
    await follow('Plans');
    await question().getByRole('button', { name: 'Cancel' }).click();
    await question().waitFor({ state: 'detached' });
    expect(await help.inputValue()).toBe('https://example.org/help');
    await edited.goBack();
    await question().getByRole('button', { name: 'Cancel' }).click();
    await question().waitFor({ state: 'detached' });
    expect(new URL(edited.url()).pathname).toBe('/admin/settings');
    await help.fill(before);
    await follow('Groups');
    await heading('Groups').waitFor();
    await follow('Settings');
    await help.fill('https://example.org/help');
    await edited.goBack();
    await question().getByTestId('confirm').click();
    await heading('Groups').waitFor();
  });

  it('asks before it throws away the models of a channel that were fetched or taken off', async () => {
    await goTo(edited, `/admin/channels/${stockedConsole().stock.channelId}`);
    await edited
      .getByRole('button', { name: /^Remove / })
      .first()
      .click();
    await follow('Channels');
    await question().getByTestId('confirm').click();
    await heading('Channels').waitFor();
  });
}

function testCharts(): void {
  it('the chart is filtered as the list, says what it comes to, and shows the hours of a day', async () => {
    // The address of the former page of usage.
    await goTo(page, '/admin/usage');
    await page.waitForURL('**/admin/requests?range=month&chart=1');
    const totals = page.getByTestId('totals');
    await totals.getByText(/[1-9]\d* requests?/).waitFor();
    // What no other walk comes to: they share what was used.
    await page.getByRole('combobox', { name: 'All codes' }).selectOption('funds_exhausted');
    await totals.getByText('Nothing was used in this range.').waitFor();
    expect(await page.locator('weir-bar-chart').count()).toBe(0);
    await page.getByRole('button', { name: 'Remove the filter “funds_exhausted”' }).click();
    await page.getByText('24 hours', { exact: true }).click();
    await page.getByRole('heading', { name: 'Per hour (UTC)' }).waitFor();
    await page.getByText('Show as a table').click();
    await page.getByRole('rowheader', { name: '00:00' }).first().waitFor();
    await page.getByTestId('other-dates').click();
    await page.getByLabel('From (UTC)').fill('2026-01-01');
    await page.getByLabel('From (UTC)').blur();
    await page.getByRole('heading', { name: 'Per day' }).waitFor();
    await untilSettled(page);
    await totals.getByText(/[1-9]\d* requests?/).waitFor();
  });
}

function testMoney(): void {
  it('a dated price that is set twice does not take effect now, and the price list announces it', async () => {
    const { fixture } = stockedConsole();
    const groups = (await fixture.ask('listGroups')).data;
    const groupIds = groups.filter(({ name }) => name === 'mixed').map(({ id }) => id);
    const body = { publicId: 'dated-1', contextTokensMax: 8_192, outputTokensMax: 1_024, groupIds };
    const { id: modelId } = await fixture.ask('createModel', { body });
    await fixture.ask('createPrice', {
      params: { modelId },
      body: { inputUsd: '1', outputUsd: '2' },
    });
    await goTo(page, '/admin/models');
    await page.getByRole('searchbox').fill('dated-1');
    await page.getByRole('button', { name: 'More actions for dated-1' }).click();
    await page.getByRole('menuitem', { name: 'Prices…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Prices of dated-1' });
    await dialog.getByRole('textbox', { name: 'Input', exact: true }).first().fill('7');
    // Its digits stand whole, and it has a button that opens a calendar.
    const date = 'mat-dialog-container input[type="datetime-local"]';
    expect(await calendarButtonWidth(date)).toBeGreaterThanOrEqual(16);
    expect((await page.locator(date).boundingBox())?.height).toBeGreaterThanOrEqual(20);
    await page.locator(date).fill('2031-01-31T12:00');
    await dialog.getByTestId('save').click();
    await dialog.getByRole('row').nth(2).waitFor();
    expect(await dialog.getByTestId('save').isDisabled()).toBe(true);
    await page.keyboard.press('Enter');
    const { data } = await fixture.ask('listPrices', { params: { modelId } });
    expect(data.map(({ inputUsd, state }) => [inputUsd, state])).toEqual([
      ['7', 'future'],
      ['1', 'in_force'],
    ]);
    await page.keyboard.press('Escape');
    await goTo(page, '/models');
    const model = page.getByTestId('model').filter({ hasText: 'dated-1' });
    await model.getByText(/From Jan 31, 2031.*\$7\.00 input/).waitFor();
  });
}

function testWhose(): void {
  it('says whose each key is, and what an act in the audit log moved and was about', async () => {
    const { fixture, stock } = stockedConsole();
    await goTo(page, '/admin/accounts/keys');
    const row = page.getByTestId('row').filter({ hasText: 'Laptop' });
    await row.getByRole('link', { name: 'grace@example.org' }).waitFor();
    const credit = { amountUsd: '-0.5', reason: 'A correction' };
    await fixture.ask('createCredit', { params: { accountId: stock.accountId }, body: credit });
    await goTo(page, '/admin/audit');
    const entry = page.getByTestId('row').filter({ hasText: '-$0.50' });
    await entry.getByText('grace@example.org').waitFor();
    await entry.getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('-$0.50').first().waitFor();
    expect(await dialog.innerText()).not.toMatch(/[{}"]/);
    await page.keyboard.press('Escape');
  });
}

function testBulk(): void {
  it('changes the prices of many models at once, after showing what they become, and disables them', async () => {
    const { fixture } = stockedConsole();
    const limits = { contextTokensMax: 8_192, outputTokensMax: 1_024 };
    const ids: string[] = [];
    for (const publicId of ['bulk-1', 'bulk-2']) {
      const { id } = await fixture.ask('createModel', { body: { publicId, ...limits } });
      const body = { inputUsd: '2', outputUsd: '10' };
      await fixture.ask('createPrice', { params: { modelId: id }, body });
      ids.push(id);
    }
    await goTo(page, '/admin/models');
    await page.getByRole('searchbox').fill('bulk-');
    await page.getByRole('checkbox', { name: 'Select bulk-1' }).check();
    await page.getByText('1 selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select all rows' }).check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Change prices…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Prices of 2 models' });
    await dialog.getByRole('textbox', { name: 'Change by' }).fill('-10');
    await dialog.getByTestId('preview').click();
    await dialog.getByText('$2.00 → $1.80').first().waitFor();
    await dialog.getByTestId('confirm').click();
    await dialog.getByText('2 changed').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select all rows' }).check();
    await page.getByRole('group', { name: '2 selected' }).getByText('Disable').click();
    await page.getByRole('dialog', { name: 'Disable 2 models?' }).getByTestId('confirm').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const modelId of ids) {
      const model = await fixture.ask('getModel', { params: { modelId } });
      expect([model.status, model.price?.inputUsd]).toEqual(['disabled', '1.8']);
    }
  });

  it('switches a channel off and on in its row', async () => {
    const { fixture } = stockedConsole();
    const statusOf = async () =>
      (await fixture.ask('listChannels')).data.find(({ name }) => name === 'out of order')?.status;
    await goTo(page, '/admin/channels');
    const inUse = page.getByRole('switch', { name: 'out of order is in use' });
    await inUse.click();
    const row = page.getByTestId('row').filter({ hasText: 'out of order' });
    await row.getByText('Disabled').waitFor();
    expect(await statusOf()).toBe('disabled');
    await inUse.click();
    await expect.poll(statusOf).toBe('active');
  });
}

function openPage(): void {
  beforeAll(async () => {
    const { fixture, stock } = stockedConsole();
    ({ page } = await fixture.visitor({ as: stock.admin }));
    await page.goto('/admin/channels');
    await untilSettled(page);
  });
  afterAll(() => page.context().close());
}

/** Tests of failures that an operator sees. */
export function testOperator(): void {
  openPage();
  testHealth();
}

/** Tests of an operator's changes, and of the protection against mistakes. */
export function testOperatorAtWork(): void {
  openPage();
  testLooks();
  testUnsaved();
  testCharts();
  testMoney();
  testWhose();
  testBulk();
}
