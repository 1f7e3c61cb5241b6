import type { BulkAct } from '../design/table/bulk-bar';
import type { KeyBulk } from './key-form-acts';

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

/**
 * Returns the changes that selected keys can have, one's own or anyone's. Forms are loaded when one
 * is opened: the list of keys needs none.
 */
export function keyActs(keys: KeyBulk): BulkAct[] {
  return [
    { label: 'action.enable', run: () => setStatus(keys, 'active') },
    { label: 'action.disable', run: () => setStatus(keys, 'disabled') },
    {
      label: 'keys.groupAction',
      run: async () => (await import('./key-form-acts')).setGroup(keys),
    },
    {
      label: 'keys.limitsAction',
      run: async () => (await import('./key-form-acts')).setLimits(keys),
    },
    { label: 'keys.deleteAction', run: () => remove(keys) },
  ];
}
