import { Component, computed, inject, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import { MatDialogModule } from '@angular/material/dialog';
import type { KeyCreated, KeyView } from '@weir/shared/keys';
import type { PricingModel } from '@weir/shared/prices';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Site } from '../core/session/site';
import { Loadable } from '../core/state/loadable';
import { SecretReveal } from '../design/code/secret-reveal';
import type { PreventsClose } from '../design/dialog/dialogs';
import { FORM_DIALOG } from '../design/dialog/form-parts';
import { ResourceDialog } from '../design/resource/resource-dialog';
import { presetModel } from '../models/preset-model';
import { ToolSetups } from '../start/tool-setups-view';
import { FreshKeys } from './fresh-keys';
import { groupHint, groupOption } from './group-words';
import { KeyForm } from './key-form';
import { withoutValue } from './without-value';

/** Makes or edits a key. A new key's value stands here once, with what to do with it. */
@Component({
  selector: 'weir-key-dialog',
  imports: [FORM_DIALOG, MatButton, MatDialogModule, SecretReveal, ToolSetups],
  templateUrl: './key-dialog.html',
  styles: `
    details > summary {
      padding: var(--weir-gap-2) 0;
      font-weight: 600;
      cursor: pointer;
    }

    details > p {
      margin-bottom: var(--weir-gap-3);
    }
  `,
})
export class KeyDialog implements PreventsClose {
  readonly #api = inject(Api);
  readonly #fresh = inject(FreshKeys);
  readonly #site = inject(Site);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new ResourceDialog<KeyView>();
  protected readonly form = new KeyForm(this.dialog.seen);
  protected readonly created = signal<KeyCreated | undefined>(undefined);
  protected readonly pricing = new Loadable(() => this.#api.call('getPricing'));
  protected readonly groups = new Loadable(async () => (await this.#api.call('listGroups')).data);
  readonly #groupId = toSignal(this.form.controls.groupId.valueChanges, {
    initialValue: this.form.controls.groupId.value,
  });

  protected readonly groupOptions = computed(() =>
    (this.groups.value() ?? []).map((group) => groupOption(group, this.t)),
  );
  protected readonly groupHint = computed(() => {
    const group = this.groups.value()?.find(({ id }) => id === this.#groupId());
    return groupHint(group, this.t);
  });
  readonly #models = computed(() => this.#idsOf(this.#groupId()));
  protected readonly modelOptions = computed(() => {
    const offered = this.#models();
    // Before the models are there, every one of the key would seem to be gone.
    const gone = this.pricing.value() === undefined ? [] : this.form.modelsGone(offered);
    return [
      ...offered.map((publicId) => ({ value: publicId, label: publicId })),
      ...gone.map((publicId) => ({
        value: publicId,
        label: publicId,
        note: this.t('keys.modelGone'),
      })),
    ];
  });
  /** A model the new key can use, for the examples. */
  protected readonly firstModel = computed(() => {
    const groupId = this.#groupId();
    const allowed = this.created()?.modelAllowlist ?? [];
    const models = this.#modelsOf(groupId).filter(
      ({ publicId }) => allowed.length === 0 || allowed.includes(publicId),
    );
    const wanted = this.#site.settings()?.defaultModel ?? '';
    return presetModel(models, { wanted, groupId })?.publicId;
  });

  constructor() {
    void this.pricing.load();
    void this.groups.load().then(() => this.#chooseOnlyGroup());
    this.form.controls.groupId.valueChanges.subscribe((groupId) => {
      this.form.changeGroup(groupId, this.#idsOf(groupId));
    });
  }

  #modelsOf(groupId: string): PricingModel[] {
    return (this.pricing.value()?.models ?? []).filter(({ groups }) =>
      groups.some((group) => group.groupId === groupId),
    );
  }

  #idsOf(groupId: string): string[] {
    return this.#modelsOf(groupId).map(({ publicId }) => publicId);
  }

  /** With a single group there is nothing to choose. */
  #chooseOnlyGroup(): void {
    const usable = (this.groups.value() ?? []).filter(({ status }) => status === 'active');
    const { groupId } = this.form.controls;
    const [only] = usable;
    if (usable.length === 1 && only !== undefined && groupId.value === '') {
      groupId.setValue(only.id);
    }
  }

  preventsClose(): boolean {
    return this.created() !== undefined;
  }

  protected save(): Promise<void> {
    return this.dialog.save(
      async () => {
        const created = await this.#api.call('createKey', { body: this.form.createBody() });
        this.#fresh.remember(created.id, created.value);
        this.created.set(created);
        return undefined;
      },
      ({ id: keyId }, ifMatch) =>
        this.#api.call('updateKey', { params: { keyId }, ifMatch, body: this.form.updateBody() }),
    );
  }

  protected finish(created: KeyCreated): void {
    this.dialog.close(withoutValue(created));
  }
}
