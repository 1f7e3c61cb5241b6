import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import pg from 'pg';
import { expect, it } from 'vitest';
import { signedEvent } from '../../gateway/control-plane/support/fakes/fake-stripe.ts';
import { ISSUER, textOfPdf } from '../../gateway/control-plane/support/invoicing.ts';
import { countClicks } from '../support/clicks.ts';
import { untilSettled } from './pages.ts';
import { STOCK_SETTINGS } from '../support/stock.ts';
import { stockedConsole } from '../support/stocked-console.ts';

async function visit(path: string, as: 'admin' | 'user'): Promise<Page> {
  const { fixture, stock } = stockedConsole();
  const { page } = await fixture.visitor({ as: stock[as] });
  await page.goto(path);
  await untilSettled(page);
  return page;
}

/** An order whose payer is at the payment service. */
async function pendingOrder(): Promise<string> {
  const { fixture, stock } = stockedConsole();
  const { id: accountId } = await fixture.ask('getOwnAccount', { as: stock.user });
  const client = new pg.Client({ connectionString: fixture.database.url });
  await client.connect();
  const orderId = randomUUID();
  await client.query(
    `insert into orders (id, account_id, user_id, kind, amount_nano_usd, status, checkout_session_id, expires_at)
     select $1, id, (select id from users where account_id = $2), 'top_up', 30000000000, 'pending', $3, now() + interval '1 hour'
       from accounts where id = $2`,
    [orderId, accountId, `cs_${orderId}`],
  );
  await client.end();
  return orderId;
}

/** What the payment service sends once it is paid. */
async function pay(page: Page, orderId: string): Promise<void> {
  const session = {
    id: `cs_${orderId}`,
    object: 'checkout.session',
    client_reference_id: orderId,
    amount_total: 3000,
    currency: 'usd',
    status: 'complete',
    payment_status: 'paid',
    payment_intent: `pi_${orderId}`,
  };
  const secret = STOCK_SETTINGS.STRIPE_WEBHOOK_SECRET;
  const { payload, headers } = signedEvent('checkout.session.completed', session, { secret });
  const sent = await page.request.post('/api/v1/stripe-webhooks', { data: payload, headers });
  expect(sent.status(), await sent.text()).toBe(200);
}

/** A mail of last month that was not delivered. */
async function failedMail(address: string): Promise<void> {
  const { fixture } = stockedConsole();
  const client = new pg.Client({ connectionString: fixture.database.url });
  await client.connect();
  await client.query(
    `insert into accounting_mails (id, month, address, status, attempts, error)
     values (gen_random_uuid(), date_trunc('month', now() - interval '1 month'), $1, 'failed', 5, '550 no such mailbox')`,
    [address],
  );
  await client.end();
}

/** From what an operator enters once to the files of accountants. */
export function testAccounting(): void {
  it('an operator enters the tax data, and a top-up leads to its invoice in one click', async () => {
    const operator = await visit('/admin/accounting/settings', 'admin');
    await operator.getByRole('switch', { name: 'Issue invoices' }).click();
    await operator.getByLabel('Your name').fill(ISSUER.issuerName ?? '');
    await operator.getByTestId('save').click();
    // An invoice without an address is refused, and the field says so.
    await operator.getByText('Invoices need the address of who issues them.').first().waitFor();
    await operator.getByLabel('Your address').fill(ISSUER.issuerAddress ?? '');
    await operator.getByLabel('Name of the tax').fill('VAT');
    await operator.getByLabel('Tax rate').fill('19');
    await operator.getByTestId('save').click();
    await operator.getByText('Accounting settings saved.').waitFor();

    const customer = await visit('/billing/invoices', 'user');
    await customer.getByLabel('Name or company').fill('Łódź & 王 Ltd');
    await customer.getByTestId('save-details').click();
    await customer.getByText('Billing details saved.').waitFor();

    const orderId = await pendingOrder();
    await customer.goto(`/billing/orders/${orderId}`);
    await customer.getByText('Awaiting payment').waitFor();
    await pay(customer, orderId);
    const clicks = await countClicks(customer);
    const link = customer.getByTestId('invoice');
    await link.waitFor();
    const [file] = await Promise.all([customer.waitForEvent('download'), link.click()]);
    expect(await clicks()).toBe(1);
    expect(file.suggestedFilename()).toMatch(/^INV-\d{4}-\d{6}\.pdf$/);
    const text = await textOfPdf(readFileSync(await file.path()));
    for (const part of ['Wehr GmbH', 'Łódź & 王 Ltd', 'VAT 19 %', '30.00 USD', orderId]) {
      expect(text).toContain(part);
    }
    await customer.context().close();
    await operator.context().close();
  });

  it('an operator sees the month per customer, and takes it, orders and credits as files', async () => {
    const page = await visit('/admin/accounting', 'admin');
    await page.getByTestId('zone').getByText('UTC').waitFor();
    await page.getByTestId('customers').getByRole('link').first().waitFor();
    const takeFile = async (): Promise<string> => {
      const address = (await page.getByTestId('export').getAttribute('href')) ?? '';
      return (await page.request.get(address)).text();
    };
    expect(await takeFile()).toContain('month,time_zone,account_id,account_name,requests');
    await page.getByTestId('customers').waitFor();
    await page.locator('weir-pills label').nth(1).click();
    await untilSettled(page);
    expect(await page.getByTestId('export').getAttribute('href')).toMatch(/month=\d{4}-\d{2}$/);

    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.waitForURL('**/admin/orders');
    await untilSettled(page);
    expect(await takeFile()).toContain('order_id,created_at,paid_at');
    await page.getByRole('link', { name: 'Invoices' }).click();
    await page.getByRole('link', { name: /^INV-\d{4}-000001$/ }).waitFor();
    await page.context().close();
  });

  it('a mail of the month that failed says why, and is sent again by one click', async () => {
    const address = 'books@example.org';
    await failedMail(address);
    const page = await visit('/admin/accounting/settings', 'admin');
    const mail = page.getByTestId('mails').locator('.split').filter({ hasText: address });
    await mail.getByText('550 no such mailbox').waitFor();
    // Weir of this test has no mail server, and the page says so.
    await page.locator('weir-note').filter({ hasText: 'SMTP_URL' }).waitFor();
    const clicks = await countClicks(page);
    await mail.getByRole('button', { name: 'Send again' }).click();
    await mail.getByRole('button').waitFor({ state: 'detached' });
    expect(await clicks()).toBe(1);
    await page.context().close();
  });
}
