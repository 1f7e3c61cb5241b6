import { FormGroup } from '@angular/forms';
import {
  AccountCreate,
  AccountUpdate,
  type ACCOUNT_STATUSES,
  type AccountAdminView,
  type SUBSCRIPTION_PREFERENCES,
} from '@weir/shared/people/accounts';
import { CreditCreate } from '@weir/shared/money/credits';
import { SubscriptionGrant } from '@weir/shared/money/subscriptions';
import { EmailChange, type USER_ROLES } from '@weir/shared/people/users';
import {
  amount,
  amountOf,
  chosen,
  option,
  whole,
  wholeOrNothing,
  wholeOrNull,
  words,
  wordsOf,
  mailbox,
  mailboxOf,
} from '../../core/forms/controls';

/** Opens an account; its user gets a link to choose a password. */
export class AccountCreateForm {
  readonly controls = {
    name: words(AccountCreate.properties.name, { required: true }),
    email: mailbox(AccountCreate.properties.email, { required: true }),
    role: option<(typeof USER_ROLES)[number]>('user'),
  };
  readonly group = new FormGroup(this.controls);

  body(): AccountCreate {
    return {
      name: wordsOf(this.controls.name),
      email: mailboxOf(this.controls.email),
      role: this.controls.role.value,
    };
  }
}

/** What an operator may change about an account. */
export class AccountEditForm {
  readonly controls;
  readonly group;

  constructor(account: AccountAdminView) {
    this.controls = {
      name: words(AccountUpdate.properties.name, { initial: account.name, required: true }),
      status: option<(typeof ACCOUNT_STATUSES)[number]>(account.status),
      concurrencyMax: whole(AccountUpdate.properties.concurrencyMax, {
        initial: account.concurrencyMax === null ? '' : String(account.concurrencyMax),
      }),
      subscriptionPreference: option<(typeof SUBSCRIPTION_PREFERENCES)[number]>(
        account.subscriptionPreference,
      ),
      note: words(AccountUpdate.properties.note, { initial: account.note }),
    };
    this.group = new FormGroup(this.controls);
  }

  body(): AccountUpdate {
    return {
      name: wordsOf(this.controls.name),
      status: this.controls.status.value,
      concurrencyMax: wholeOrNull(this.controls.concurrencyMax),
      subscriptionPreference: this.controls.subscriptionPreference.value,
      note: wordsOf(this.controls.note),
    };
  }
}

/** The address that a user logs in with. */
export class EmailForm {
  readonly controls = {
    email: mailbox(EmailChange.properties.email, { required: true }),
  };
  readonly group = new FormGroup(this.controls);

  body(): EmailChange {
    return { email: mailboxOf(this.controls.email) };
  }
}

/** Giving or taking money by hand. */
export class CreditForm {
  readonly controls = {
    amountUsd: amount(CreditCreate.properties.amountUsd, { required: true }),
    kind: option<'adjustment' | 'top_up' | 'refund'>('adjustment'),
    reason: words(CreditCreate.properties.reason, { required: true }),
  };
  readonly group = new FormGroup(this.controls);

  body(): CreditCreate {
    return {
      amountUsd: amountOf(this.controls.amountUsd),
      kind: this.controls.kind.value,
      reason: wordsOf(this.controls.reason),
    };
  }
}

/** Giving a plan without payment. */
export class GrantForm {
  readonly #accountId: string | undefined;
  readonly controls;
  readonly group;

  constructor(accountId?: string) {
    const { properties } = SubscriptionGrant;
    this.#accountId = accountId;
    this.controls = {
      accountId: words(properties.accountId, { initial: accountId ?? '', required: true }),
      planId: chosen(properties.planId, { required: true }),
      days: whole(properties.days),
      reason: words(properties.reason, { required: true }),
    };
    this.group = new FormGroup(this.controls);
  }

  get forOneAccount(): boolean {
    return this.#accountId !== undefined;
  }

  body(): SubscriptionGrant {
    const days = wholeOrNothing(this.controls.days);
    return {
      accountId: wordsOf(this.controls.accountId),
      planId: this.controls.planId.value,
      reason: wordsOf(this.controls.reason),
      ...(days === undefined ? {} : { days }),
    };
  }
}
