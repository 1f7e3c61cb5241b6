import { FormGroup } from '@angular/forms';
import {
  AccountingSettingsUpdate,
  type AccountingSettingsView,
} from '@weir/shared/money/accounting';
import { amount, amountOf, flag, lines, linesOf, words, wordsOf } from '../../core/forms/controls';

const rules = AccountingSettingsUpdate.properties;

/** Time zone, tax data of invoices, and who gets a month's files. */
export class AccountingForm {
  readonly controls;
  readonly group;

  constructor(settings: AccountingSettingsView) {
    const required = true;
    this.controls = {
      timeZone: words(rules.timeZone, { initial: settings.timeZone, required }),
      invoicesEnabled: flag(settings.invoicesEnabled),
      issuerName: words(rules.issuerName, { initial: settings.issuerName }),
      issuerAddress: words(rules.issuerAddress, { initial: settings.issuerAddress }),
      issuerTaxId: words(rules.issuerTaxId, { initial: settings.issuerTaxId }),
      taxLabel: words(rules.taxLabel, { initial: settings.taxLabel }),
      taxRatePercent: amount(rules.taxRatePercent, { initial: settings.taxRatePercent, required }),
      invoicePrefix: words(rules.invoicePrefix, { initial: settings.invoicePrefix, required }),
      creditNotePrefix: words(rules.creditNotePrefix, {
        initial: settings.creditNotePrefix,
        required,
      }),
      footer: words(rules.footer, { initial: settings.footer }),
      mailsEnabled: flag(settings.mailsEnabled),
      mailAddresses: lines(rules.mailAddresses, { initial: settings.mailAddresses.join(', ') }),
    };
    this.group = new FormGroup(this.controls);
  }

  body(): AccountingSettingsUpdate {
    const { controls } = this;
    return {
      timeZone: wordsOf(controls.timeZone),
      invoicesEnabled: controls.invoicesEnabled.value,
      issuerName: wordsOf(controls.issuerName),
      issuerAddress: wordsOf(controls.issuerAddress),
      issuerTaxId: wordsOf(controls.issuerTaxId),
      taxLabel: wordsOf(controls.taxLabel),
      taxRatePercent: amountOf(controls.taxRatePercent),
      invoicePrefix: wordsOf(controls.invoicePrefix),
      creditNotePrefix: wordsOf(controls.creditNotePrefix),
      footer: wordsOf(controls.footer),
      mailsEnabled: controls.mailsEnabled.value,
      mailAddresses: linesOf(controls.mailAddresses),
    };
  }
}
