import { extractText } from 'unpdf';
import type { AccountingSettingsUpdate } from '@weir/shared/money/accounting';
import type { AdminFixture, Person } from './fixture.ts';

/** An operator who issues invoices with 19 % of tax included. */
export const ISSUER: AccountingSettingsUpdate = {
  timeZone: 'Europe/Berlin',
  invoicesEnabled: true,
  issuerName: 'Wehr GmbH',
  issuerAddress: 'Am Fluß 1\n10115 Berlin',
  issuerTaxId: 'DE123456789',
  taxLabel: 'VAT',
  taxRatePercent: '19',
  footer: 'Thank you.',
};

export async function issueInvoices(
  fixture: AdminFixture,
  admin: Person,
  changes: AccountingSettingsUpdate = {},
): Promise<void> {
  const body = { ...ISSUER, ...changes };
  const { status, text } = await fixture.ask('updateAccountingSettings', {
    as: admin,
    anyVersion: true,
    body,
  });
  if (status !== 200) throw new Error(text);
}

/** The bytes of an invoice's file. */
export async function printed(
  fixture: AdminFixture,
  as: Person,
  invoiceId: string,
): Promise<Buffer> {
  const { rawPayload, statusCode } = await fixture.app.inject({
    method: 'GET',
    url: `/api/v1/invoices/${invoiceId}/pdf`,
    headers: { cookie: as.cookie },
  });
  if (statusCode !== 200) throw new Error(rawPayload.toString());
  return rawPayload;
}

/** The text of a file, as a reader of PDF files shows it. */
export async function textOfPdf(file: Uint8Array): Promise<string> {
  const { text } = await extractText(new Uint8Array(file), { mergePages: true });
  return text;
}
