import type { KeyView } from '@weir/shared/keys';
import type { Translate } from '../core/i18n/i18n';
import type { Selection } from '../core/state/selection';
import type { Confirmation } from '../design/dialog/confirm-dialog';
import type { Dialogs } from '../design/dialog/dialogs';
import type { BulkAct } from '../design/table/bulk-bar';

interface KeyWork<Key> {
  readonly selection: Selection<Key>;
  readonly setStatus: (key: Key, status: 'active' | 'disabled') => Promise<void>;
  readonly delete: (key: Key) => Promise<void>;
}

/** What can be done with all selected keys, one's own or anyone's. */
export function keyActs<Key>(work: KeyWork<Key>, dialogs: Dialogs, t: Translate): BulkAct[] {
  const { selection } = work;
  const ask = (status: KeyView['status'], done: (key: Key) => Promise<void>): Promise<boolean> =>
    dialogs.confirmMany({
      ...confirmation(status, selection.rows().length, t),
      selection,
      work: done,
    });
  return [
    { label: 'action.enable', run: () => ask('active', (key) => work.setStatus(key, 'active')) },
    {
      label: 'action.disable',
      run: () => ask('disabled', (key) => work.setStatus(key, 'disabled')),
    },
    { label: 'keys.deleteAction', run: () => ask('deleted', (key) => work.delete(key)) },
  ];
}

/** What is asked before all selected keys get another status. Deleting asks for their number. */
function confirmation(
  status: KeyView['status'],
  count: number,
  t: Translate,
): Omit<Confirmation, 'work'> {
  if (status === 'active') {
    return {
      heading: t('keys.enableManyTitle', { count }),
      text: t('keys.enableManyText'),
      action: t('action.enable'),
    };
  }
  if (status === 'disabled') {
    return {
      heading: t('keys.disableManyTitle', { count }),
      text: t('keys.disableManyText'),
      action: t('action.disable'),
      destructive: true,
    };
  }
  return {
    heading: t('keys.deleteManyTitle', { count }),
    text: t('keys.deleteManyText'),
    action: t('keys.delete'),
    name: String(count),
    destructive: true,
  };
}
