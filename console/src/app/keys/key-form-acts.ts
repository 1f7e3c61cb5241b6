import { FormGroup } from '@angular/forms';
import { KeyUpdate, type KeyView } from '@weir/shared/people/keys';
import { chosen } from '../core/forms/controls';
import type { Option, Translate } from '../core/i18n/i18n';
import type { BulkChanges } from '../design/bulk/bulk-changes';
import { KeyLimitsForm } from './forms/key-limits-form';

export interface KeyBulk {
  readonly bulk: BulkChanges<KeyView>;
  /** Groups that keys can be moved to. */
  readonly groups: () => readonly Option[];
  readonly t: Translate;
}

/** Moves selected keys to another group. */
export function setGroup({ bulk, groups, t }: KeyBulk): Promise<void> {
  const groupId = chosen(KeyUpdate.properties.groupId, { required: true });
  return bulk.open({
    heading: (count) => t('keys.groupManyTitle', { count }),
    text: t('keys.groupManyText'),
    action: t('keys.groupMove'),
    form: {
      group: new FormGroup({ groupId }),
      fields: [{ kind: 'choice', control: groupId, label: t('keys.group'), options: groups }],
    },
    change: () => ({ groupId: groupId.value }),
  });
}

/** Sets the limits of selected keys. */
export function setLimits({ bulk, t }: KeyBulk): Promise<void> {
  const form = new KeyLimitsForm(t);
  return bulk.open({
    heading: (count) => t('keys.limitsManyTitle', { count }),
    text: t('keys.limitsManyText'),
    action: t('keys.limitsSave'),
    form: { group: form.group, fields: form.fields() },
    change: () => form.body(),
  });
}
