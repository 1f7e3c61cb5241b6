import pg from 'pg';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../gateway/control-plane/support/fakes/webhook-receiver.ts';
import { until } from '../../support/clocks/hang.ts';
import { PASSWORD } from '../support/console-fixture.ts';
import { untilSettled } from './pages.ts';
import { stockedConsole } from '../support/stocked-console.ts';

async function visit(path: string, email?: string): Promise<Page> {
  const { fixture, stock } = stockedConsole();
  const as = email === undefined ? stock.admin : await fixture.logIn(email);
  const { page } = await fixture.visitor({ as });
  await page.goto(path);
  await untilSettled(page);
  return page;
}

/** Resolves when the gateway has reported what it served: without it no rule would ever be true. */
async function untilReported(): Promise<void> {
  const client = new pg.Client({ connectionString: stockedConsole().fixture.database.url });
  await client.connect();
  await until('a report of the gateway', async () => {
    const { rowCount } = await client.query(
      'select from process_reports where requests > 0 and jsonb_array_length(channels) > 0',
    );
    return (rowCount ?? 0) > 0;
  });
  await client.end();
}

async function addWebhook(page: Page, { url }: WebhookReceiver): Promise<string> {
  await page.getByRole('button', { name: 'Add recipient' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a recipient' });
  await dialog.getByRole('combobox', { name: 'Sent by' }).click();
  await page.getByRole('option', { name: 'Webhook' }).click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Duty room');
  await dialog.getByRole('textbox', { name: 'Address', exact: true }).fill(url);
  await dialog.getByRole('switch', { name: 'Private addresses' }).click();
  await dialog.getByRole('button', { name: 'Add recipient' }).click();
  const secret = (await dialog.getByTestId('secret').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I saved it' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

async function customerPage(): Promise<{ page: Page; email: string }> {
  const { fixture } = stockedConsole();
  const email = `customer-${String(Date.now())}@example.org`;
  const as = await fixture.register(email);
  const { id } = await fixture.ask('getOwnAccount', { as });
  return { page: await visit(`/admin/accounts/${id}`), email };
}

async function choose(page: Page, email: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

/** Tests of operators' acts. */
export function testOperators(): void {
  it('sets up who is alerted, tries it, and adds a rule', async () => {
    const receiver = await startWebhookReceiver();
    const page = await visit('/admin/alerts/targets');
    expect(await addWebhook(page, receiver)).toMatch(/^weir_whs_/);
    await page.getByRole('button', { name: 'Test Duty room' }).click();
    await page.getByText('The test message was delivered.').waitFor();
    expect(JSON.parse(receiver.received[0]?.body ?? '{}')).toMatchObject({ type: 'alert.test' });
    receiver.statuses.push(500);
    await page.getByRole('button', { name: 'Test Duty room' }).click();
    await page.getByText('The test message was not delivered: HTTP 500').waitFor();

    await page.getByRole('link', { name: 'Rules' }).click();
    await page.getByRole('button', { name: 'Add rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a rule' });
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Late bills');
    await dialog.getByRole('combobox', { name: 'Watches' }).click();
    await page.getByRole('option', { name: 'Billing lag' }).click();
    await dialog.getByRole('textbox', { name: 'From seconds' }).fill('120');
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    const rule = page.getByTestId('rule').filter({ hasText: 'Late bills' });
    await rule.getByText('from 120 s').waitFor();
    await page.getByRole('button', { name: 'Late bills', exact: true }).click();
    const edit = page.getByRole('dialog', { name: 'Edit rule' });
    await edit.getByRole('textbox', { name: 'From seconds' }).fill('180');
    await edit.getByRole('button', { name: 'Save' }).click();
    await rule.getByText('from 180 s').waitFor();
    await untilReported();
    await page.context().close();
    await receiver.close();
  });

  it('makes a supporter, who sees what customers ask about and is offered nothing to change', async () => {
    const { page, email } = await customerPage();
    await choose(page, email, 'Make supporter');
    const dialog = page.getByRole('dialog', { name: 'Change the role?' });
    await dialog.getByRole('textbox').fill(email);
    await dialog.getByRole('button', { name: 'Make supporter' }).click();
    await page.getByText('Support ·').waitFor();
    await page.context().close();

    const { stock } = stockedConsole();
    const seen = await visit(`/admin/accounts/${stock.accountId}`, email);
    const links = await seen.getByRole('navigation').first().getByRole('link').allTextContents();
    expect(links.map((text) => text.trim())).toEqual(
      expect.arrayContaining(['Overview', 'Accounts', 'Orders', 'Audit log']),
    );
    expect(links.join()).not.toMatch(/Settings|Channels|Alerts|Codes|Margin/);
    await seen.getByText('Laptop').waitFor();
    const offered = await seen.getByRole('main').getByRole('button').allTextContents();
    expect(offered.join()).not.toMatch(/Edit|Give a plan|Adjust balance|Disable|Stop|Delete/);
    for (const path of ['/admin/accounts', '/admin/accounts/keys', '/admin/orders']) {
      await seen.goto(path);
      await untilSettled(seen);
      const buttons = await seen.getByRole('main').getByRole('button').allTextContents();
      expect(buttons.join()).not.toMatch(/Open account|Disable|Enable/);
      expect(await seen.locator('main .row-button').count()).toBe(0);
    }
    for (const path of ['/admin/settings', '/admin/margin']) {
      await seen.goto(path);
      await seen.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    }
    await seen.context().close();
  });

  it('resets a password, hands the link on, and the customer chooses another', async () => {
    const { page, email } = await customerPage();
    await choose(page, email, 'Reset password');
    const dialog = page.getByRole('dialog', { name: 'Reset the password?' });
    await dialog.getByRole('button', { name: 'Reset password' }).click();
    const secret = page.getByTestId('secret');
    await expect.poll(() => secret.textContent()).toContain('/reset-password#token=');
    const link = (await secret.textContent()) ?? '';
    await page.getByRole('button', { name: 'I saved it' }).click();
    await page.context().close();
    const { fixture } = stockedConsole();
    await expect(fixture.logIn(email)).rejects.toThrow('invalid_credentials');
    const { page: chosen } = await fixture.visitor();
    await chosen.goto(new URL(link).pathname + new URL(link).hash);
    await chosen.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await chosen.getByRole('button', { name: 'Set the password' }).click();
    await chosen.getByRole('heading', { level: 1, name: /log in/i }).waitFor();
    await fixture.logIn(email);
    await chosen.context().close();
  });

  it('changes an address and deletes an account, of which the books are left', async () => {
    const { page, email } = await customerPage();
    await choose(page, email, 'Change e-mail');
    const moved = `moved-${email}`;
    const change = page.getByRole('dialog', { name: 'Change the e-mail address' });
    await change.getByRole('textbox', { name: 'New e-mail address' }).fill(moved);
    await change.getByRole('button', { name: 'Change e-mail' }).click();
    await page.getByText(moved).waitFor();
    // Before the dialog is there: what is behind it has no role.
    const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    await page.getByTestId('delete').click();
    const dialog = page.getByRole('dialog', { name: 'Delete this account?' });
    await dialog.getByRole('textbox').fill(name.trim());
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Deleted account' }).waitFor();
    await page.getByRole('heading', { name: 'Transactions' }).waitFor();
    expect(await page.getByText(moved).count()).toBe(0);
    await page.context().close();
  });

  it('lets customers choose what they are mailed about', async () => {
    const { fixture } = stockedConsole();
    const as = await fixture.register(`notices-${String(Date.now())}@example.org`);
    const { page } = await fixture.visitor({ as });
    await page.goto('/account/notices');
    const threshold = page.getByRole('textbox', { name: 'Balance below' });
    await threshold.fill('12,50');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => threshold.getAttribute('aria-invalid')).toBe('true');
    await threshold.fill('$12.50');
    await page.getByRole('textbox', { name: 'Days before a plan ends' }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Notifications saved.').waitFor();
    const kept = await fixture.ask('getNoticeSettings', { as });
    expect(kept).toEqual({ lowBalanceUsd: '12.5', budgetPercent: 90, planEndingDays: null });
    await page.context().close();
  });
}
