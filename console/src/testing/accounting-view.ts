import type { AccountingSettingsView } from '@weir/shared/money/accounting';
import { NOW } from './views';

/** Settings of accounting as they are before anyone changes them. */
export const accountingSettings: AccountingSettingsView = {
  timeZone: 'UTC',
  invoicesEnabled: false,
  issuerName: '',
  issuerAddress: '',
  issuerTaxId: '',
  taxLabel: '',
  taxRatePercent: '0',
  invoicePrefix: 'INV',
  creditNotePrefix: 'CN',
  footer: '',
  mailsEnabled: false,
  mailAddresses: [],
  updatedAt: NOW,
};
