import type { InvoiceKind } from '@weir/shared/money/invoices';
import type { PlainKey } from '../core/i18n/i18n';

export const INVOICE_WORDS: Readonly<Record<InvoiceKind, PlainKey>> = {
  invoice: 'invoices.invoice',
  credit_note: 'invoices.creditNote',
};
