import { FormGroup } from '@angular/forms';
import { GroupAccountsCreate } from '@weir/shared/catalog/groups';
import { amount, amountOrNull, chosen, words, wordsOf } from '../../core/forms/controls';

const rules = GroupAccountsCreate.properties;
const accountRule = rules.accountIds.items;

/** The data known before the form is filled in. */
export interface GroupAccountSeen {
  readonly groupId?: string;
  readonly accountId?: string;
  readonly multiplier?: string | null;
}

/** An account in a group, and its price there. Nothing in the factor is the group's own. */
export class GroupAccountForm {
  readonly controls;
  readonly group;

  constructor({ groupId = '', accountId = '', multiplier = null }: GroupAccountSeen = {}) {
    this.controls = {
      accountIds: words(accountRule, { initial: accountId, required: true }),
      groupId: chosen(accountRule, { initial: groupId, required: true }),
      multiplier: amount(rules.multiplier, { initial: multiplier ?? '' }),
    };
    this.group = new FormGroup(this.controls);
  }

  groupId(): string {
    return this.controls.groupId.value;
  }

  body(): GroupAccountsCreate {
    return {
      accountIds: [wordsOf(this.controls.accountIds)],
      multiplier: amountOrNull(this.controls.multiplier),
    };
  }
}
