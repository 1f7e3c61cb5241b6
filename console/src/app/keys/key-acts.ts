import { FormGroup } from '@angular/forms';
import type { KeyView } from '@weir/shared/keys';
import { KeyUpdate } from '@weir/shared/keys';
import { chosen } from '../core/forms/controls';
import type { Option, Translate } from '../core/i18n/i18n';
import type { BulkChanges } from '../design/bulk/bulk-changes';
import type { BulkAct } from '../design/table/bulk-bar';
import { KeyLimitsForm } from './key-limits-form';

interface KeyBulk {
  readonly bulk: BulkChanges<KeyView>;
  /** Groups that keys can be moved to. */
  readonly groups: () => readonly Option[];
  readonly t: Translate;
}

function setStatus({ bulk, t }: KeyBulk, status: 'active' | 'disabled'): Promise<void> {
  const isOff = status === 'disabled';
  return bulk.open({
    heading: (count) => t(isOff ? 'keys.disableManyTitle' : 'keys.enableManyTitle', { count }),
    text: t(isOff ? 'keys.disableManyText' : 'keys.enableManyText'),
    action: t(isOff ? 'action.disable' : 'action.enable'),
    destructive: isOff,
    change: () => ({ status }),
  });
}

function setGroup({ bulk, groups, t }: KeyBulk): Promise<void> {
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

function setLimits({ bulk, t }: KeyBulk): Promise<void> {
  const form = new KeyLimitsForm(t);
  return bulk.open({
    heading: (count) => t('keys.limitsManyTitle', { count }),
    text: t('keys.limitsManyText'),
    action: t('keys.limitsSave'),
    form: { group: form.group, fields: form.fields() },
    change: () => form.body(),
  });
}

function remove({ bulk, t }: KeyBulk): Promise<void> {
  return bulk.open({
    heading: (count) => t('keys.deleteManyTitle', { count }),
    text: t('keys.deleteManyText'),
    action: t('keys.delete'),
    destructive: true,
    isFinal: true,
    change: () => ({ delete: true }),
  });
}

/** Returns the changes that selected keys can have, one's own or anyone's. */
export function keyActs(keys: KeyBulk): BulkAct[] {
  return [
    { label: 'action.enable', run: () => setStatus(keys, 'active') },
    { label: 'action.disable', run: () => setStatus(keys, 'disabled') },
    { label: 'keys.groupAction', run: () => setGroup(keys) },
    { label: 'keys.limitsAction', run: () => setLimits(keys) },
    { label: 'keys.deleteAction', run: () => remove(keys) },
  ];
}
