import { FormGroup } from '@angular/forms';
import { GroupCreate, type GroupAccess, type GroupDetail } from '@weir/shared/catalog/groups';
import { PROTOCOL_IDS } from '@weir/shared/catalog/protocols';
import {
  amount,
  amountOf,
  option,
  several,
  whole,
  wholeOrNothing,
  wholeOrNull,
  words,
  wordsOf,
} from '../../core/forms/controls';

const rules = GroupCreate.properties;

function shown(limit: number | null | undefined): string {
  return limit === null || limit === undefined ? '' : String(limit);
}

export class GroupForm {
  readonly controls;
  readonly group;

  constructor(group?: GroupDetail) {
    this.controls = {
      name: words(rules.name, { initial: group?.name ?? '', required: true }),
      description: words(rules.description, { initial: group?.description ?? '' }),
      multiplier: amount(rules.multiplier, { initial: group?.multiplier ?? '1', required: true }),
      rpm: whole(rules.rpm, { initial: shown(group?.rpm) }),
      tpm: whole(rules.tpm, { initial: shown(group?.tpm) }),
      status: option<'active' | 'disabled'>(group?.status ?? 'active'),
      access: option<GroupAccess>(group?.access ?? 'public'),
      sortOrder: whole(rules.sortOrder, { initial: shown(group?.sortOrder) }),
      protocols: several(rules.protocols, group?.protocols ?? []),
      modelIds: several(rules.modelIds, group?.modelIds ?? []),
    };
    this.group = new FormGroup(this.controls);
  }

  /** The same for a new group and for a change. */
  body(): GroupCreate {
    const { controls } = this;
    const chosen = controls.protocols.value;
    const protocols = PROTOCOL_IDS.filter((id) => chosen.includes(id));
    const sortOrder = wholeOrNothing(controls.sortOrder);
    return {
      name: wordsOf(controls.name),
      description: wordsOf(controls.description),
      multiplier: amountOf(controls.multiplier),
      rpm: wholeOrNull(controls.rpm),
      tpm: wholeOrNull(controls.tpm),
      status: controls.status.value,
      access: controls.access.value,
      ...(sortOrder === undefined ? {} : { sortOrder }),
      // None chosen: all, also those of later versions.
      protocols: protocols.length === 0 ? null : protocols,
      modelIds: [...controls.modelIds.value],
    };
  }
}
