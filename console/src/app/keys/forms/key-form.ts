import { FormGroup } from '@angular/forms';
import { KeyCreate, type KeyOwner, type KeyUpdate, type KeyView } from '@weir/shared/people/keys';
import {
  amount,
  amountOrNull,
  chosen,
  lines,
  linesOf,
  localMoment,
  moment,
  momentOrNull,
  onlyTouched,
  option,
  several,
  whole,
  wholeOrNull,
  words,
  wordsOf,
} from '../../core/forms/controls';

const rules = KeyCreate.properties;

function shown(limit: number | string | null | undefined): string {
  return limit === null || limit === undefined ? '' : String(limit);
}

/** What a person may say about a key. Nothing in a limit means no limit. */
export class KeyForm {
  readonly controls;
  readonly group;
  readonly #isNew: boolean;
  /** The key's group, where the account may not use it any more. */
  readonly lostGroup: { readonly id: string; readonly name: string } | undefined;
  /** The group that the models were chosen in. */
  #groupId: string;

  constructor(key?: KeyView, groupId = '') {
    this.#isNew = key === undefined;
    this.lostGroup =
      key?.groupState === 'closed' ? { id: key.groupId, name: key.groupName } : undefined;
    this.controls = {
      name: words(rules.name, { initial: key?.name ?? '', required: true }),
      groupId: chosen(rules.groupId, { initial: key?.groupId ?? groupId, required: true }),
      owner: option<KeyOwner>(key?.owner ?? 'member'),
      teamId: chosen(rules.teamId, { initial: key?.teamId ?? '' }),
      expiresAt: moment(rules.expiresAt, { initial: localMoment(key?.expiresAt ?? null) }),
      budgetTotalUsd: amount(rules.budgetTotalUsd, { initial: shown(key?.budgetTotalUsd) }),
      budgetDayUsd: amount(rules.budgetDayUsd, { initial: shown(key?.budgetDayUsd) }),
      budgetMonthUsd: amount(rules.budgetMonthUsd, { initial: shown(key?.budgetMonthUsd) }),
      rpm: whole(rules.rpm, { initial: shown(key?.rpm) }),
      tpm: whole(rules.tpm, { initial: shown(key?.tpm) }),
      concurrencyMax: whole(rules.concurrencyMax, { initial: shown(key?.concurrencyMax) }),
      ipAllowlist: lines(rules.ipAllowlist, { initial: (key?.ipAllowlist ?? []).join('\n') }),
      modelAllowlist: several(rules.modelAllowlist, key?.modelAllowlist ?? []),
    };
    this.#groupId = this.controls.groupId.value;
    this.group = new FormGroup(this.controls);
  }

  get isNew(): boolean {
    return this.#isNew;
  }

  /**
   * Models the key has that are no longer offered. They are to be seen, or nobody could take them
   * off.
   */
  modelsGone(offered: readonly string[]): string[] {
    return this.controls.modelAllowlist.defaultValue.filter((model) => !offered.includes(model));
  }

  /**
   * For another group: a model that it does not have would be refused, and is not there to be taken
   * off. A form that is judged again reports the same group: then gone models must stay, because a
   * list without any allows every model.
   */
  changeGroup(groupId: string, offered: readonly string[]): void {
    if (groupId === this.#groupId) return;
    this.#groupId = groupId;
    const { modelAllowlist } = this.controls;
    modelAllowlist.setValue(modelAllowlist.value.filter((model) => offered.includes(model)));
  }

  limits(): Required<Omit<KeyUpdate, 'name' | 'status' | 'groupId'>> {
    const { controls } = this;
    return {
      expiresAt: momentOrNull(controls.expiresAt),
      budgetTotalUsd: amountOrNull(controls.budgetTotalUsd),
      budgetDayUsd: amountOrNull(controls.budgetDayUsd),
      budgetMonthUsd: amountOrNull(controls.budgetMonthUsd),
      rpm: wholeOrNull(controls.rpm),
      tpm: wholeOrNull(controls.tpm),
      concurrencyMax: wholeOrNull(controls.concurrencyMax),
      ipAllowlist: linesOf(controls.ipAllowlist),
      modelAllowlist: [...controls.modelAllowlist.value],
    };
  }

  createBody(): KeyCreate {
    return {
      name: wordsOf(this.controls.name),
      groupId: this.controls.groupId.value,
      ...this.ownership(),
      ...this.limits(),
    };
  }

  /** Nothing for keys of one's own, which is what is made unless another owner is named. */
  ownership(): Pick<KeyCreate, 'owner' | 'teamId'> {
    const { owner, teamId } = this.controls;
    if (owner.value === 'member') return {};
    return { owner: owner.value, teamId: teamId.value === '' ? null : teamId.value };
  }

  updateBody(): KeyUpdate {
    const { controls } = this;
    const groupId = controls.groupId.value;
    const changed = onlyTouched(
      { name: wordsOf(controls.name), groupId, ...this.limits() },
      controls,
    );
    // Its models go with the group: those that it does not have were taken off.
    const moves = groupId !== controls.groupId.defaultValue;
    return moves ? { ...changed, modelAllowlist: [...controls.modelAllowlist.value] } : changed;
  }
}
