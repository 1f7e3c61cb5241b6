import type { KeyView } from '@weir/shared/keys';
import type { Translate } from '../core/i18n/i18n';
import type { Confirmation } from '../design/dialog/confirm-dialog';

/** What is asked before all selected keys get another status. Deleting asks for their number. */
export function manyWords(
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
