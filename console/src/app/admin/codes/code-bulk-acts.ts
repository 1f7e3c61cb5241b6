import type { Translate } from '../../core/i18n/i18n';
import type { BulkChanges } from '../../design/bulk/bulk-changes';
import type { BulkAct } from '../../design/table/bulk-bar';

interface CodeBulk {
  readonly bulk: Pick<BulkChanges<unknown>, 'open'>;
  readonly t: Translate;
}

function setStatus({ bulk, t }: CodeBulk, status: 'active' | 'disabled'): Promise<void> {
  const isOff = status === 'disabled';
  return bulk.open({
    heading: (count) => t(isOff ? 'codes.disableManyTitle' : 'codes.enableManyTitle', { count }),
    text: t(isOff ? 'codes.disableManyText' : 'codes.enableManyText'),
    action: t(isOff ? 'action.disable' : 'action.enable'),
    destructive: isOff,
    change: () => ({ status }),
  });
}

function remove({ bulk, t }: CodeBulk): Promise<void> {
  return bulk.open({
    heading: (count) => t('codes.deleteManyTitle', { count }),
    text: t('codes.deleteManyText'),
    action: t('keys.delete'),
    destructive: true,
    isFinal: true,
    change: () => ({ delete: true }),
  });
}

/** Returns the changes that selected codes can have, of credit or invitations. */
export function codeBulkActs(codes: CodeBulk): BulkAct[] {
  return [
    { label: 'action.enable', run: () => setStatus(codes, 'active') },
    { label: 'action.disable', run: () => setStatus(codes, 'disabled') },
    { label: 'keys.deleteAction', run: () => remove(codes) },
  ];
}
