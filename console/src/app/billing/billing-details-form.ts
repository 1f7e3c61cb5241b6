import { FormGroup } from '@angular/forms';
import { BillingDetailsUpdate, type BillingDetails } from '@weir/shared/money/invoices';
import type { ApiPort } from '../core/api/call-input';
import { words, wordsOf } from '../core/forms/controls';
import { Action } from '../core/state/action';

const rules = BillingDetailsUpdate.properties;

/** The customer's name, address and tax id on future invoices. */
export class BillingDetailsForm {
  readonly #api: ApiPort;
  readonly action = new Action();
  readonly controls;
  readonly group;

  constructor(api: ApiPort, details: BillingDetails) {
    this.#api = api;
    this.controls = {
      name: words(rules.name, { initial: details.name }),
      address: words(rules.address, { initial: details.address }),
      taxId: words(rules.taxId, { initial: details.taxId }),
    };
    this.group = new FormGroup(this.controls);
  }

  body(): BillingDetailsUpdate {
    const { name, address, taxId } = this.controls;
    return { name: wordsOf(name), address: wordsOf(address), taxId: wordsOf(taxId) };
  }

  /** True when it was saved. */
  submit(): Promise<boolean> {
    return this.action.run(() => this.#api.call('updateBillingDetails', { body: this.body() }));
  }
}
