import { FormGroup } from '@angular/forms';
import { KeyBatchAdminCreate, type KeyBatchCreate } from '@weir/shared/people/keys';
import { chosen, whole, wholeOf, words, wordsOf } from '../../core/forms/controls';
import { KeyForm } from './key-form';

const rules = KeyBatchAdminCreate.properties;

/** Several keys at once: what one key is asked for, with a count and, for administrators, whose. */
export class KeyBatchForm {
  /** Group and limits, which all of them share. */
  readonly key = new KeyForm();
  readonly controls;
  readonly group;

  constructor({ forAccount }: { readonly forAccount: boolean }) {
    const { name: _name, ...shared } = this.key.controls;
    this.controls = {
      accountId: chosen(rules.accountId, { required: forAccount }),
      namePrefix: words(rules.namePrefix, { required: true }),
      count: whole(rules.count, { initial: '10', required: true }),
      ...shared,
    };
    this.group = new FormGroup(this.controls);
  }

  body(): KeyBatchCreate {
    const { controls } = this;
    return {
      namePrefix: wordsOf(controls.namePrefix),
      count: wholeOf(controls.count),
      groupId: controls.groupId.value,
      ...this.key.ownership(),
      ...this.key.limits(),
    };
  }
}
