import type { GroupView } from '@weir/shared/catalog/groups';
import { toolsFor } from '../core/i18n/protocol-words';
import type { Translate } from '../core/i18n/i18n';
import type { ChoiceOption } from '../design/field/choice';

/** A group to choose for a key, with what it costs. */
export function groupOption(group: GroupView, t: Translate): ChoiceOption {
  const { id, name, modelsCount, multiplier, protocols, status } = group;
  const tools = toolsFor(protocols, t);
  const note = `× ${multiplier} · ${t('keys.groupModels', { count: modelsCount })}`;
  return {
    value: id,
    label: name,
    note: tools === null ? note : `${note} · ${tools}`,
    disabled: status === 'disabled',
  };
}

/**
 * What the operator says of the chosen group; of one without a description, and before, what a
 * group is for.
 */
export function groupHint(group: GroupView | undefined, t: Translate): string {
  const description = group?.description ?? '';
  const hint = description === '' ? t('keys.groupHint') : description;
  const tools = group === undefined ? null : toolsFor(group.protocols, t);
  return tools === null ? hint : `${tools}. ${hint}`;
}
