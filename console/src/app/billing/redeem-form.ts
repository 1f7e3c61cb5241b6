import { FormGroup } from '@angular/forms';
import { signal } from '@angular/core';
import { RedemptionCreate, type RedemptionView } from '@weir/shared/money/redemption-codes';
import type { ApiPort } from '../core/api/call-input';
import { words, wordsOf } from '../core/forms/controls';
import { Action } from '../core/state/action';

/** Handing in a code. Each works once; the server says what it brought. */
export class RedeemForm {
  readonly #api: ApiPort;
  readonly action = new Action();
  readonly controls = { code: words(RedemptionCreate.properties.code, { required: true }) };
  readonly group = new FormGroup(this.controls);
  readonly redeemed = signal<RedemptionView | undefined>(undefined);

  constructor(api: ApiPort) {
    this.#api = api;
  }

  body(): RedemptionCreate {
    return { code: wordsOf(this.controls.code) };
  }

  async submit(): Promise<boolean> {
    // What the last code brought says nothing about this one.
    this.redeemed.set(undefined);
    return this.action.run(async () => {
      this.redeemed.set(await this.#api.call('redeemCode', { body: this.body() }));
      this.controls.code.reset();
    });
  }
}
