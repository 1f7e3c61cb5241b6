import type { GroupView } from '@weir/shared/groups';
import type { Translate } from '../core/i18n/i18n';
import type { ChoiceOption } from '../design/field/choice';

/** A group to choose for a key. Which one a key belongs to cannot be changed later: what it costs is said before. */
export function groupOption(group: GroupView, t: Translate): ChoiceOption {
  const { id, name, modelsCount, multiplier, status } = group;
  return {
    value: id,
    label: name,
    note: `× ${multiplier} · ${t('keys.groupModels', { count: modelsCount })}`,
    disabled: status === 'disabled',
  };
}

/** What the operator says of the chosen group; of one without a description, and before, what a group is for. */
export function groupHint(group: GroupView | undefined, t: Translate): string {
  const description = group?.description ?? '';
  return description === '' ? t('keys.groupHint') : description;
}
