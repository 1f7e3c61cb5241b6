import type { AccountingSettingsView } from '@weir/shared/money/accounting';
import { onlyRow, type Database } from '../api/transaction.ts';

/** The one row of settings of accounting. */
export interface AccountingSettings extends Omit<
  AccountingSettingsView,
  'taxRatePercent' | 'mailsEnabled' | 'updatedAt'
> {
  readonly taxRatePpm: number;
  /** Months that end after this are mailed; null: none. */
  readonly mailsSince: Date | null;
  readonly updatedAt: Date;
}

const SELECT = `
  select time_zone as "timeZone", invoices_enabled as "invoicesEnabled", issuer_name as "issuerName",
    issuer_address as "issuerAddress", issuer_tax_id as "issuerTaxId", tax_label as "taxLabel",
    tax_rate_ppm as "taxRatePpm", invoice_prefix as "invoicePrefix", credit_note_prefix as "creditNotePrefix",
    footer, to_jsonb(mail_addresses) as "mailAddresses", mails_since as "mailsSince", updated_at as "updatedAt"
  from accounting_settings`;

export async function readAccountingSettings(db: Database): Promise<AccountingSettings> {
  return onlyRow((await db.query<AccountingSettings>(SELECT)).rows);
}

export async function lockAccountingSettings(db: Database): Promise<AccountingSettings> {
  return onlyRow((await db.query<AccountingSettings>(`${SELECT} for update`)).rows);
}
