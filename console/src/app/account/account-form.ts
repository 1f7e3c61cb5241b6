import { FormGroup } from '@angular/forms';
import {
  AccountPreferencesUpdate,
  type SUBSCRIPTION_PREFERENCES,
  type AccountView,
} from '@weir/shared/people/accounts';
import type { ApiPort, Tagged } from '../core/api/call-input';
import { option, words, wordsOf } from '../core/forms/controls';
import { Edits } from '../core/forms/edits';
import { Action } from '../core/state/action';

type Preference = (typeof SUBSCRIPTION_PREFERENCES)[number];

/** The form of the account's settings that its owner may change. */
export class AccountForm {
  readonly #api: ApiPort;
  #etag: string;
  readonly action = new Action();
  readonly controls;
  readonly group;
  readonly edits;

  constructor(api: ApiPort, { value, etag }: Tagged<AccountView>) {
    this.#api = api;
    this.#etag = etag;
    this.controls = {
      name: words(AccountPreferencesUpdate.properties.name, {
        initial: value.name,
        required: true,
      }),
      subscriptionPreference: option<Preference>(value.subscriptionPreference),
    };
    const group = new FormGroup(this.controls);
    this.group = group;
    this.edits = new Edits(() => group.getRawValue());
  }

  body(): AccountPreferencesUpdate {
    return {
      name: wordsOf(this.controls.name),
      subscriptionPreference: this.controls.subscriptionPreference.value,
    };
  }

  async submit(): Promise<AccountView | undefined> {
    let updated: AccountView | undefined;
    const sent = this.edits.snapshot();
    await this.action.run(async () => {
      const reply = await this.#api.callTagged('updateOwnAccount', {
        ifMatch: this.#etag,
        body: this.body(),
      });
      this.#etag = reply.etag;
      this.edits.saved(sent);
      updated = reply.value;
    });
    return updated;
  }
}
