import type { InvoiceKind } from '@weir/shared/money/invoices';
import type { MailLanguage } from '../mail/mails.ts';

/** The parties of an invoice; an empty text is not printed. */
export interface InvoiceParty {
  readonly name: string;
  /** Lines are separated by line breaks. */
  readonly address: string;
  readonly taxId: string;
}

/** Everything on an invoice other than its number, time and sums, as it was when it was issued. */
export interface InvoiceDocument {
  readonly language: MailLanguage;
  /** IANA zone of the printed dates. */
  readonly timeZone: string;
  readonly issuer: InvoiceParty;
  readonly customer: InvoiceParty;
  readonly siteName: string;
  /** Null for a top-up. */
  readonly planName: string | null;
  readonly taxLabel: string;
  readonly taxRatePpm: number;
  readonly footer: string;
  /** ISO 8601; the time at which the order was paid. */
  readonly paidAt: string;
  /** The document that this one corrects. */
  readonly refersTo: { readonly number: string; readonly issuedAt: string } | null;
}

/** A document with its number, time and sums, as it is printed. */
export interface IssuedInvoice {
  readonly kind: InvoiceKind;
  readonly number: string;
  readonly orderId: string;
  readonly issuedAt: string;
  readonly netCents: number;
  readonly taxCents: number;
  readonly grossCents: number;
  readonly document: InvoiceDocument;
}

const NUMBER_DIGITS = 6;

export function invoiceNumber(prefix: string, year: number, sequence: number): string {
  return `${prefix}-${String(year)}-${String(sequence).padStart(NUMBER_DIGITS, '0')}`;
}
