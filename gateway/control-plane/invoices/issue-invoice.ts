import type { MailLanguage } from '../mail/mails.ts';
import { readAccountingSettings } from '../accounting/settings-row.ts';
import { onlyRow, type Database } from '../api/transaction.ts';
import { centsOf, type OrderRow } from '../orders/order-row.ts';
import { includedTaxCents } from './included-tax.ts';
import { insertInvoice } from './insert-invoice.ts';
import type { InvoiceDocument } from './invoice-document.ts';

const PARTS = `
  select a.name as "accountName", b.name, b.address, b.tax_id as "taxId", u.language,
    o.paid_at as "paidAt", (select site_name from settings) as "siteName"
  from orders o join accounts a on a.id = o.account_id join users u on u.id = o.user_id
    left join billing_details b on b.account_id = o.account_id
  where o.id = $1`;

interface PartsRow {
  readonly accountName: string;
  /** Null without billing details, as the two below. */
  readonly name: string | null;
  readonly address: string | null;
  readonly taxId: string | null;
  readonly language: MailLanguage | null;
  readonly paidAt: Date;
  readonly siteName: string;
}

/**
 * Issues the invoice of an order, as the last act of the transaction that marks it paid. Does
 * nothing where the operator issues none.
 */
export async function issueInvoice(db: Database, order: OrderRow): Promise<void> {
  const settings = await readAccountingSettings(db);
  if (!settings.invoicesEnabled) return;
  const parts = onlyRow((await db.query<PartsRow>(PARTS, [order.id])).rows);
  const { accountName, name, address, taxId, language, paidAt, siteName } = parts;
  const grossCents = centsOf(order.amountNanoUsd);
  const taxCents = includedTaxCents(grossCents, settings.taxRatePpm);
  const document: InvoiceDocument = {
    language: language ?? 'en',
    timeZone: settings.timeZone,
    issuer: {
      name: settings.issuerName,
      address: settings.issuerAddress,
      taxId: settings.issuerTaxId,
    },
    customer: {
      name: name === null || name === '' ? accountName : name,
      address: address ?? '',
      taxId: taxId ?? '',
    },
    siteName,
    planName: order.planName,
    taxLabel: settings.taxLabel,
    taxRatePpm: settings.taxRatePpm,
    footer: settings.footer,
    paidAt: paidAt.toISOString(),
    refersTo: null,
  };
  await insertInvoice(db, settings, {
    kind: 'invoice',
    accountId: order.accountId,
    orderId: order.id,
    refundId: null,
    netCents: grossCents - taxCents,
    taxCents,
    document,
  });
}
