import type { BulkAct } from '../../design/table/bulk-bar';
import type { ModelBulk } from './model-form-acts';

function setStatus({ bulk, t }: ModelBulk, status: 'active' | 'disabled'): Promise<void> {
  const isOff = status === 'disabled';
  return bulk.open({
    heading: (count) => t(isOff ? 'bulk.disableTitle' : 'bulk.enableTitle', { count }),
    text: t(isOff ? 'bulk.disableText' : 'bulk.enableText'),
    action: t(isOff ? 'action.disable' : 'action.enable'),
    destructive: isOff,
    change: () => ({ status }),
  });
}

function remove({ bulk, t }: ModelBulk): Promise<void> {
  return bulk.open({
    heading: (count) => t('bulk.deleteTitle', { count }),
    text: t('catalog.deleteModelText'),
    action: t('keys.delete'),
    destructive: true,
    isFinal: true,
    change: () => ({ delete: true }),
  });
}

/**
 * Returns the changes that selected models can have. Forms are loaded when one is opened.
 */
export function modelBulkActs(models: ModelBulk): BulkAct[] {
  return [
    { label: 'action.enable', run: () => setStatus(models, 'active') },
    { label: 'action.disable', run: () => setStatus(models, 'disabled') },
    {
      label: 'bulk.groups',
      run: async () => (await import('./model-form-acts')).setGroups(models),
    },
    { label: 'bulk.price', run: async () => (await import('./model-form-acts')).setPrices(models) },
    { label: 'keys.deleteAction', run: () => remove(models) },
  ];
}
