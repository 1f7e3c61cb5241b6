import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { ADMIN_API_ROOT } from '@weir/shared/api/admin-routes';
import { until } from '../../support/clocks/hang.ts';
import { failInside, PROBLEM } from './failing-api.ts';
import { hasFocus } from '../walks/keyboard.ts';
import { untilSettled } from '../walks/pages.ts';
import { stockedConsole } from './stocked-console.ts';

let pages: Partial<Record<'user' | 'admin', Page>> = {};

/** A page of someone's own, which the tests of this file share. */
async function open(path: string, reader: 'user' | 'admin'): Promise<Page> {
  const { fixture, stock } = stockedConsole();
  const page = (pages[reader] ??= (await fixture.visitor({ as: stock[reader] })).page);
  await page.goto(path);
  await untilSettled(page);
  return page;
}

async function groupId(name: string): Promise<string> {
  const groups = (await stockedConsole().fixture.ask('listGroups')).data;
  return groups.find((group) => group.name === name)?.id ?? '';
}

/** A model that is sold in the named groups; answers its id. */
async function sell(publicId: string, ...groups: readonly string[]): Promise<string> {
  const { id } = await stockedConsole().fixture.ask('createModel', {
    body: {
      publicId,
      contextTokensMax: 8_192,
      outputTokensMax: 1_024,
      groupIds: await Promise.all(groups.map(groupId)),
    },
  });
  const body = { inputUsd: '1', outputUsd: '2' };
  await stockedConsole().fixture.ask('createPrice', { params: { modelId: id }, body });
  return id;
}

/** Waits until a page shows the new price list, which Weir and browsers cache for a second. */
async function untilTold(page: Page, pattern: RegExp, isThere = true): Promise<void> {
  await until(`${String(pattern)} ${isThere ? 'in' : 'out of'} the list`, async () => {
    const list = await page.evaluate<string>(
      `fetch('${ADMIN_API_ROOT}/pricing').then((reply) => reply.text())`,
    );
    return pattern.test(list) === isThere;
  });
}

async function keyNamed(name: string) {
  const { data } = await stockedConsole().fixture.ask('listKeys', {
    as: stockedConsole().stock.user,
  });
  return data.find((key) => key.name === name);
}

async function startKey(page: Page, name: string): Promise<Locator> {
  await page.getByTestId('create-key').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  return dialog;
}

async function choose(page: Page, dialog: Locator, group: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Model group' }).click();
  await page.getByRole('option', { name: new RegExp(`^${group}`) }).click();
}

/** Tests of texts typed into fields, and of the messages there. */
export function testFields(): void {
  afterAll(async () => {
    await Promise.all(Object.values(pages).map((page) => page.context().close()));
    pages = {};
  });

  it('takes a date without a time for what it is, not for nothing', async () => {
    const page = await open('/keys', 'user');
    const dialog = await startKey(page, 'Half a moment');
    await choose(page, dialog, 'mixed');
    await dialog.getByText('Limits', { exact: true }).click();
    const expires = dialog.getByLabel('Expires');
    await expires.focus();
    await page.keyboard.type('01312031');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).focus();
    await dialog.getByText('A date and a time').waitFor();
    await dialog.getByTestId('save').click();
    await expect.poll(() => hasFocus(expires)).toBe(true);
    expect(await keyNamed('Half a moment')).toBeUndefined();

    await expires.fill('2031-01-31T12:00');
    await dialog.getByTestId('save').click();
    await dialog.getByTestId('finish').waitFor();
    expect((await keyNamed('Half a moment'))?.expiresAt).toBe('2031-01-31T12:00:00.000Z');
  });

  it('asks about a decimal comma in a price, and sets none meanwhile', async () => {
    const modelId = await sell('rill-1');
    const page = await open('/admin/models', 'admin');
    await page.getByRole('searchbox').fill('rill');
    await page.getByRole('button', { name: 'Change the price of rill-1' }).click();
    const row = page.getByTestId('row').filter({ hasText: 'rill-1' });
    await row.getByRole('textbox', { name: 'Input' }).fill('0,15');
    await page.keyboard.press('Enter');
    await page.locator('mat-snack-bar-container').getByText('a decimal point').waitFor();
    const { data } = await stockedConsole().fixture.ask('listPrices', { params: { modelId } });
    expect(data.map(({ inputUsd }) => inputUsd)).toEqual(['1']);
  });

  it('asks what long prompts cost, says at its field what is too little, and shows the price to all', async () => {
    await sell('estuary-1', 'mixed');
    const page = await open('/admin/models', 'admin');
    await page.getByRole('searchbox').fill('estuary');
    await page.getByRole('button', { name: 'More actions for estuary-1' }).click();
    await page.getByRole('menuitem', { name: 'Prices…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Prices of estuary-1' });
    await dialog.getByRole('switch', { name: 'Long prompts cost more' }).click();
    const long = dialog.getByRole('group', { name: 'Long prompts cost more' });
    await long.getByLabel('Prompts of more tokens than').fill('200,000');
    await long.getByRole('textbox', { name: 'Input', exact: true }).fill('1.5');
    await long.getByRole('textbox', { name: 'Output', exact: true }).fill('1.9');
    await dialog.getByTestId('save').click();
    await long.getByText('A long prompt must not cost less').waitFor();
    await long.getByRole('textbox', { name: 'Output', exact: true }).fill('3');
    await dialog.getByTestId('save').click();
    await dialog.getByText('$3.00 above 200,000').waitFor();

    await untilTold(page, /"estuary-1"(?:(?!"publicId").)*"aboveTokens":200000/);
    const shop = await open('/models', 'user');
    const model = shop.getByTestId('model').filter({ hasText: 'estuary-1' });
    expect((await model.locator('weir-long-price').allInnerTexts()).join()).toBe(
      '$1.50 above 200,000,$1.50 above 200,000,$1.50 above 200,000,$3.00 above 200,000',
    );
    await shop
      .getByText('A price above a number of tokens is for the whole of a request')
      .waitFor();
  });

  it('shows a fault that stands in a folded part of the form', async () => {
    const page = await open('/keys', 'user');
    const dialog = await startKey(page, 'Folded');
    await choose(page, dialog, 'mixed');
    await dialog.getByText('Limits', { exact: true }).click();
    await dialog.getByLabel('Budget per day').fill('0,50');
    await dialog.getByText('Limits', { exact: true }).click();
    await dialog.getByTestId('save').click();
    await dialog.getByText('An amount in USD').waitFor({ state: 'visible' });
  });

  it('sends a form again whose refusal was mended at another field', async () => {
    const page = await open('/admin/channels/new', 'admin');
    const address = page.getByRole('textbox', { name: 'Address', exact: true });
    await address.fill(stockedConsole().upstream.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'));
    await page.getByTestId('connect').click();
    await page
      .locator('mat-error')
      .filter({ hasText: /private/i })
      .waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('switch', { name: 'Private address' }).click();
    await page.getByTestId('connect').click();
    await page.getByTestId('found').waitFor();
  });

  it('shows the address that a kind of channel wants, and what was wrong with the one given', async () => {
    const body = { name: 'Claude', baseUrl: 'https://1.1.1.1/v1' };
    const { id } = await stockedConsole().fixture.ask('createChannel', { body });
    const page = await open(`/admin/channels/${id}`, 'admin');
    await page.getByText('Fields to leave out').waitFor();
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Anthropic' }).click();
    await page.getByText('Fields to leave out').waitFor({ state: 'detached' });
    const address = page.getByRole('textbox', { name: 'Base address' });
    expect(await address.getAttribute('placeholder')).toBe('https://api.anthropic.com');
    await address.fill('https://api.anthropic.com/v1/messages');
    // The switch is the last field: the address has been scrolled away.
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.getByRole('switch', { name: 'Private address' }).focus();
    await page.getByTestId('save').click();
    const fault = page.locator('mat-error').filter({ hasText: 'https://api.anthropic.com' });
    await fault.waitFor();
    const focused = page.locator('input:focus');
    expect(await focused.getAttribute('placeholder')).toBe('https://api.anthropic.com');
    const shown = await fault.boundingBox();
    expect(shown?.y).toBeGreaterThanOrEqual(0);
    expect((shown?.y ?? Infinity) + (shown?.height ?? 0)).toBeLessThanOrEqual(500);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('says when what a key is made of cannot be fetched, and asks again', async () => {
    const page = await open('/keys', 'user');
    const route = `**${ADMIN_API_ROOT}/groups*`;
    await page.route(route, failInside);
    const dialog = await startKey(page, 'Later');
    await dialog.getByRole('combobox', { name: 'Model group' }).click();
    await page.getByRole('option', { name: PROBLEM.title }).waitFor();
    await page.keyboard.press('Escape');
    await page.unroute(route);
    await dialog.getByRole('combobox', { name: 'Model group' }).click();
    await page.getByRole('option', { name: /^mixed/ }).waitFor();
  });

  it('edits a key whose model is gone, and lets it be taken off', async () => {
    const modelId = await sell('tide-1', 'mixed');
    await sell('tide-2', 'mixed');
    const limits = { groupId: await groupId('mixed'), modelAllowlist: ['tide-1', 'tide-2'] };
    await stockedConsole().fixture.ask('createKey', {
      as: stockedConsole().stock.user,
      body: { name: 'Tidal', ...limits },
    });
    await stockedConsole().fixture.ask('updateModel', {
      params: { modelId },
      body: { groupIds: [] },
    });

    const page = await open('/keys', 'user');
    await untilTold(page, /"tide-1"/, false);
    await untilTold(page, /"tide-2"/);
    const edit = async (key: string): Promise<void> => {
      await page.getByRole('button', { name: `More actions for ${key}`, exact: true }).click();
      await page.getByRole('menuitem', { name: 'Edit limits' }).click();
    };
    await edit('Tidal');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Ebb');
    await dialog.getByTestId('save').click();
    await dialog.waitFor({ state: 'detached' });
    expect((await keyNamed('Ebb'))?.modelAllowlist).toEqual(['tide-1', 'tide-2']);

    await edit('Ebb');
    await dialog.getByRole('combobox', { name: 'Only these models' }).click();
    await page.getByRole('option', { name: /^tide-1.*No longer available/ }).click();
    await page.keyboard.press('Escape');
    await dialog.getByTestId('save').click();
    await dialog.waitFor({ state: 'detached' });
    expect((await keyNamed('Ebb'))?.modelAllowlist).toEqual(['tide-2']);
  });

  it('forgets the models of a group that was not taken after all', async () => {
    await sell('brook-1', 'mixed');
    const page = await open('/keys', 'user');
    await untilTold(page, /"brook-1"/);
    const dialog = await startKey(page, 'Second thought');
    await choose(page, dialog, 'mixed');
    await dialog.getByText('Limits', { exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Only these models' }).click();
    await page.getByRole('option', { name: 'brook-1' }).click();
    await page.keyboard.press('Escape');
    await choose(page, dialog, 'general');
    await dialog.getByTestId('save').click();
    await dialog.getByTestId('finish').waitFor();
    expect((await keyNamed('Second thought'))?.modelAllowlist).toEqual([]);
  });

  it('leaves a space in the search box where it was typed', async () => {
    const page = await open('/keys', 'user');
    const box = page.getByRole('searchbox');
    const searches: (string | null)[] = [];
    page.on('request', (request) =>
      searches.push(new URL(request.url()).searchParams.get('search')),
    );
    const sought = (words: string): Promise<true> =>
      until(`a search for ${words}`, () => searches.includes(words));
    await box.pressSequentially('second ');
    // The search begins: from here on a box that takes its words from there would have lost the
    // space.
    await sought('second');
    await box.pressSequentially('thought');
    await sought('second thought');
    expect(await box.inputValue()).toBe('second thought');
  });

  it('a wrong current password is said once, at its field, which gets the focus', async () => {
    const page = await open('/account/security', 'user');
    const current = page.getByLabel('Current password', { exact: true });
    await current.fill('a wrong password');
    await page.getByLabel('New password', { exact: true }).fill('another good password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('current password is wrong').first().waitFor();
    expect(await page.getByText('current password is wrong').count()).toBe(1);
    expect(await page.locator('weir-failure-note').count()).toBe(0);
    expect(await hasFocus(current)).toBe(true);
  });

  it('prices of many digits stand whole on a phone', async () => {
    const { page } = await stockedConsole().fixture.visitor({
      as: stockedConsole().stock.user,
      size: { width: 375, height: 667 },
    });
    await page.route(`**${ADMIN_API_ROOT}/pricing`, async (asked) => {
      const answer = await asked.fetch();
      const text = (await answer.text()).replace(/(Usd":")[\d.]+"/g, '$1123.456789123"');
      await asked.fulfill({ response: answer, body: text });
    });
    await page.goto('/models');
    await page.getByTestId('model').first().waitFor();
    const cut = await page.evaluate(`
    [...document.querySelector('[data-testid="model"]').querySelectorAll('td')].map(
      (cell) => cell.scrollWidth > cell.clientWidth || cell.getBoundingClientRect().right > innerWidth,
    )`);
    expect(cut).toEqual([false, false, false, false]);
    await page.context().close();
  });
}
