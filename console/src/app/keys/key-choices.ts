import { computed } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import type { GroupView } from '@weir/shared/catalog/groups';
import type { PricingModel } from '@weir/shared/prices/prices';
import type { ApiPort } from '../core/api/call-input';
import type { Translate } from '../core/i18n/i18n';
import { Loadable } from '../core/state/loadable';
import { groupHint, groupOption } from './group-words';
import type { KeyForm } from './forms/key-form';

/** What there is to choose from in a form of keys. Needs an injection context. */
export class KeyChoices {
  readonly #form: KeyForm;
  readonly pricing;
  readonly groups;
  readonly groupId;
  readonly groupOptions;
  readonly groupHint;
  readonly modelOptions;

  constructor(api: ApiPort, form: KeyForm, t: Translate) {
    this.#form = form;
    this.pricing = new Loadable(() => api.call('getPricing'));
    this.groups = new Loadable(async () => (await api.call('listGroups')).data);
    const { groupId } = form.controls;
    this.groupId = toSignal(groupId.valueChanges, { initialValue: groupId.value });
    this.groupOptions = computed(() => [
      ...this.#usable().map((group) => groupOption(group, t)),
      ...this.#lostGroup(t),
    ]);
    this.groupHint = computed(() => {
      const group = this.groups.value()?.find(({ id }) => id === this.groupId());
      return groupHint(group, t);
    });
    this.modelOptions = computed(() => this.#modelOptions(t));
    void this.pricing.load();
    void this.groups.load().then(() => this.#chooseOnlyGroup());
    groupId.valueChanges.subscribe((id) => form.changeGroup(id, this.#idsOf(id)));
  }

  /** Administrators are sent all groups, and their account has keys like any other. */
  #usable(): GroupView[] {
    return (this.groups.value() ?? []).filter(({ open }) => open);
  }

  /** The group of a key whose account may not use it any more. */
  #lostGroup(t: Translate) {
    const { lostGroup } = this.#form;
    if (lostGroup === undefined) return [];
    const note = t('keys.groupClosed');
    return [{ value: lostGroup.id, label: lostGroup.name, note, disabled: true }];
  }

  modelsOf(groupId: string): PricingModel[] {
    return (this.pricing.value()?.models ?? []).filter(({ groups }) =>
      groups.some((group) => group.groupId === groupId),
    );
  }

  #idsOf(groupId: string): string[] {
    return this.modelsOf(groupId).map(({ publicId }) => publicId);
  }

  #modelOptions(t: Translate) {
    const offered = this.#idsOf(this.groupId());
    // Before the models are there, every one of the key would seem to be gone.
    const gone = this.pricing.value() === undefined ? [] : this.#form.modelsGone(offered);
    return [
      ...offered.map((publicId) => ({ value: publicId, label: publicId })),
      ...gone.map((publicId) => ({ value: publicId, label: publicId, note: t('keys.modelGone') })),
    ];
  }

  /** With a single group there is nothing to choose. */
  #chooseOnlyGroup(): void {
    const usable = this.#usable().filter(({ status }) => status === 'active');
    const { groupId } = this.#form.controls;
    const [only] = usable;
    if (usable.length === 1 && only !== undefined && groupId.value === '') {
      groupId.setValue(only.id);
    }
  }
}
