import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { until } from '../../support/clocks/hang.ts';
import type { Caller, Visitor } from '../support/console-fixture.ts';
import { untilSettled } from './pages.ts';
import { stockedConsole } from '../support/stocked-console.ts';

const BYTE_ORDER_MARK = '\uFEFF';

export async function visit(path: string, as: Caller): Promise<Visitor> {
  const visitor = await stockedConsole().fixture.visitor({ as });
  await visitor.page.goto(path);
  await untilSettled(visitor.page);
  return visitor;
}

/** A customer of this walk alone, with a mail that finds them. */
async function newCustomer(
  name: string,
): Promise<{ as: Caller; email: string; accountId: string }> {
  const { fixture } = stockedConsole();
  const email = `${name}-${String(Date.now())}@example.org`;
  const as = await fixture.register(email);
  return { as, email, accountId: (await fixture.ask('getOwnAccount', { as })).id };
}

async function makeKeys(as: Caller, names: readonly string[]): Promise<string[]> {
  const { fixture } = stockedConsole();
  const group = (await fixture.ask('listGroups')).data.find(({ status }) => status === 'active');
  const body = { groupId: group?.id ?? '' };
  const keys = [];
  for (const name of names)
    keys.push(await fixture.ask('createKey', { as, body: { ...body, name } }));
  return keys.map(({ id }) => id);
}

async function fillBatch(dialog: Locator, { prefix, count }: { prefix: string; count: number }) {
  await dialog.getByRole('textbox', { name: 'Name prefix' }).fill(prefix);
  await dialog.getByRole('textbox', { name: 'Number of keys' }).fill(String(count));
  await dialog.getByRole('combobox', { name: 'Model group' }).click();
  await dialog.page().getByRole('option').first().click();
}

/** The lines of the file that the dialog gives. */
async function downloadLines(page: Page, dialog: Locator): Promise<string[]> {
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download CSV' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe('weir-keys.csv');
  const text = await readFile(await file.path(), 'utf8');
  expect(text.startsWith(BYTE_ORDER_MARK)).toBe(true);
  return text.slice(BYTE_ORDER_MARK.length).trimEnd().split('\r\n');
}

async function untilItWorks(key: string): Promise<void> {
  const { fixture } = stockedConsole();
  await until('the key to work', async () => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${fixture.weir.url}/v1/models`, { headers })).status === 200;
  });
}

export async function selectAll(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all rows' }).check();
}

export function bar(page: Page, name: string): Locator {
  return page.getByRole('group', { name: /selected/ }).getByRole('button', { name });
}

async function statesOf(page: Page): Promise<string[]> {
  const chips = await page.getByTestId('row').locator('weir-chip').allTextContents();
  return chips.map((chip) => chip.trim());
}

/** Many things at once: keys made as a batch, and rows that are selected. */
export function testBulk(): void {
  it('a customer creates several keys, has them in a file once, and each works', async () => {
    const { as } = await newCustomer('batch');
    const { page, context, complaints } = await visit('/keys', as);
    await page.getByRole('button', { name: 'Create several…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create several keys' });
    await fillBatch(dialog, { prefix: '=Class', count: 101 });
    await dialog.getByRole('button', { name: 'Create keys' }).click();
    await dialog.getByText('Must be 100 or less.').waitFor();
    await dialog.getByRole('textbox', { name: 'Number of keys' }).fill('3');
    await dialog.getByRole('button', { name: 'Create keys' }).click();
    const [head, ...lines] = await downloadLines(page, dialog);
    expect(head).toBe('name,key');
    const cells = lines.map((line) => line.split(','));
    expect(cells.map(([name]) => name)).toEqual(["'=Class 1", "'=Class 2", "'=Class 3"]);
    const values = cells.map(([, value]) => value ?? '');
    const shown = await dialog.getByTestId('keys').locator('code').allTextContents();
    expect(shown).toEqual(values);
    for (const value of values) await untilItWorks(value);
    // Nothing but the button closes what is shown once.
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I saved it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('=Class 3').waitFor();
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    const content = stored + (await page.content());
    for (const value of values) expect(content).not.toContain(value);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('a batch whose answer was lost is not made twice, and the repeat says that values are gone', async () => {
    const { fixture } = stockedConsole();
    const { as } = await newCustomer('lost');
    const { page, context } = await visit('/keys', as);
    await page.route('**/api/v1/key-batches', async (route) => {
      await route.fetch();
      await route.abort();
      await page.unroute('**/api/v1/key-batches');
    });
    await page.getByRole('button', { name: 'Create several…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create several keys' });
    await fillBatch(dialog, { prefix: 'Lost', count: 2 });
    await dialog.getByRole('button', { name: 'Create keys' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Create keys' }).click();
    await dialog.getByText('by an earlier attempt whose reply was lost').waitFor();
    expect(await dialog.getByRole('button', { name: 'Download CSV' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect((await fixture.ask('listKeys', { as })).data).toHaveLength(2);
    await context.close();
  });

  it('a customer disables, enables and deletes keys, and sees before which one stays', async () => {
    const { fixture } = stockedConsole();
    const { as } = await newCustomer('many');
    const [first = ''] = await makeKeys(as, ['One', 'Two', 'Three']);
    const { page, context, complaints } = await visit('/keys', as);
    await selectAll(page);
    await bar(page, 'Disable').click();
    const disable = page.getByRole('dialog', { name: 'Disable 3 keys?' });
    await disable.getByRole('button', { name: 'Disable' }).click();
    await disable.waitFor({ state: 'detached' });
    await until('the list to be read again', async () => {
      const states = await statesOf(page);
      return states.join() === 'Disabled,Disabled,Disabled';
    });

    // One of them by an administrator, so it is not the owner's to enable.
    const body = { status: 'disabled' };
    await fixture.ask('updateKeyOfAnyone', { params: { keyId: first }, body });
    await selectAll(page);
    await bar(page, 'Enable').click();
    const enable = page.getByRole('dialog', { name: 'Enable 3 keys?' });
    const left = enable.getByTestId('not-changed');
    await left.waitFor();
    expect(await left.textContent()).toContain('One An administrator disabled this key.');
    expect(await left.count()).toBe(1);
    expect(await enable.getByTestId('bulk-line').count()).toBe(2);
    await enable.getByRole('button', { name: 'Enable' }).click();
    await enable.waitFor({ state: 'detached' });
    await until('the list to be read again', async () => {
      const states = (await statesOf(page)).toSorted();
      return states.join() === 'Active,Active,Disabled';
    });

    await selectAll(page);
    await bar(page, 'Delete…').click();
    const remove = page.getByRole('dialog', { name: 'Delete 3 keys?' });
    await remove.getByRole('textbox').fill('3');
    await remove.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('No key yet').waitFor();
    expect((await fixture.ask('listKeys', { as })).data).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('an operator creates keys for a customer, and deletes them', async () => {
    const { fixture, stock } = stockedConsole();
    const { as, email } = await newCustomer('given');
    const { page, context, complaints } = await visit('/admin/accounts/keys', stock.admin);
    await page.getByRole('button', { name: 'Create several keys' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create several keys' });
    await dialog.getByTestId('account').fill(email);
    await page.getByRole('option', { name: email }).click();
    await fillBatch(dialog, { prefix: 'Given', count: 2 });
    await dialog.getByRole('button', { name: 'Create keys' }).click();
    await dialog.getByText('2 keys were created.').waitFor();
    await dialog.getByRole('button', { name: 'I saved it' }).click();
    expect((await fixture.ask('listKeys', { as })).data.map(({ name }) => name)).toEqual([
      'Given 1',
      'Given 2',
    ]);
    await page.getByRole('checkbox', { name: 'Select Given 1' }).check();
    await page.getByRole('checkbox', { name: 'Select Given 2' }).check();
    await bar(page, 'Delete…').click();
    const remove = page.getByRole('dialog', { name: 'Delete 2 keys?' });
    await remove.getByRole('textbox').fill('2');
    await remove.getByRole('button', { name: 'Delete for good' }).click();
    await remove.waitFor({ state: 'detached' });
    expect((await fixture.ask('listKeys', { as })).data).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('an operator suspends and reactivates accounts', async () => {
    const { fixture, stock } = stockedConsole();
    const customers = [await newCustomer('suspend-a'), await newCustomer('suspend-b')];
    const { page, context } = await visit('/admin/accounts', stock.admin);
    const statuses = () =>
      Promise.all(
        customers.map(async ({ as }) => (await fixture.ask('getOwnAccount', { as })).status),
      );
    for (const [action, name, status] of [
      ['Suspend', 'Suspend 2 accounts?', 'suspended'],
      ['Reactivate', 'Reactivate 2 accounts?', 'active'],
    ] as const) {
      for (const { accountId } of customers) {
        const row = page.getByTestId('row').filter({
          has: page.locator(`a[href="/admin/accounts/${accountId}"]`),
        });
        await row.getByRole('checkbox').check();
      }
      await bar(page, action).click();
      const dialog = page.getByRole('dialog', { name });
      await dialog.getByRole('button', { name: action }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await statuses()).toEqual([status, status]);
    }
    await context.close();
  });

  it('an operator disables several channels, and enables them', async () => {
    const { fixture, stock, upstream } = stockedConsole();
    const names = ['Bulk east', 'Bulk west'];
    for (const name of names) {
      const body = { name, baseUrl: upstream.url, allowPrivate: true };
      await fixture.ask('createChannel', { body });
    }
    const { page, context } = await visit('/admin/channels', stock.admin);
    const statuses = async () =>
      (await fixture.ask('listChannels')).data
        .filter(({ name }) => names.includes(name))
        .map(({ status }) => status);
    for (const [action, status] of [
      ['Disable', 'disabled'],
      ['Enable', 'active'],
    ] as const) {
      for (const name of names) {
        await page.getByRole('checkbox', { name: `Select ${name}` }).check();
      }
      await bar(page, action).click();
      const dialog = page.getByRole('dialog', { name: `${action} 2 channels?` });
      await dialog.getByRole('button', { name: action }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await statuses()).toEqual([status, status]);
    }
    await context.close();
  });
}
