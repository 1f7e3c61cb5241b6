import { Component, computed, inject } from '@angular/core';
import { GROUP_ACCESSES, type GroupDetail } from '@weir/shared/catalog/groups';
import { PROTOCOL_IDS } from '@weir/shared/catalog/protocols';
import { Api } from '../../core/api/api';
import { fetchAll } from '../../core/api/fetch-all';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { keyIn, statusOptions } from '../../core/i18n/options';
import { Loadable } from '../../core/state/loadable';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { ResourceDialog } from '../../design/resource/resource-dialog';
import { GroupForm } from './group-form';

@Component({
  selector: 'weir-group-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="dialog.seen ? t('groups.editTitle') : t('groups.createTitle')"
      [save]="dialog.seen ? t('action.save') : t('groups.create')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="save()"
    >
      <div class="fields">
        <weir-field class="whole" [control]="form.controls.name" [label]="t('keys.name')" />
        <weir-text-area
          class="whole"
          [rows]="2"
          [control]="form.controls.description"
          [label]="t('groups.description')"
          [hint]="t('groups.descriptionHint')"
        />
        <weir-choice
          class="whole"
          [many]="true"
          [control]="form.controls.modelIds"
          [label]="t('groups.models')"
          [options]="models"
        />
        <weir-choice
          class="whole"
          [many]="true"
          [control]="form.controls.protocols"
          [label]="t('groups.protocols')"
          [placeholder]="t('groups.protocolsAll')"
          [hint]="t('groups.protocolsHint')"
          [options]="protocols()"
        />
        <weir-field
          prefix="×"
          inputmode="decimal"
          [control]="form.controls.multiplier"
          [label]="t('groups.multiplier')"
          [hint]="t('groups.multiplierHint')"
        />
        <weir-choice
          [control]="form.controls.access"
          [label]="t('groups.access')"
          [hint]="t('groups.accessHint')"
          [options]="accesses()"
        />
        <weir-choice
          [control]="form.controls.status"
          [label]="t('keys.status')"
          [options]="statuses()"
        />
        <weir-field
          inputmode="numeric"
          [control]="form.controls.rpm"
          [label]="t('groups.rpm')"
          [hint]="t('groups.limitHint')"
          [placeholder]="t('field.none')"
        />
        <weir-field
          inputmode="numeric"
          [control]="form.controls.tpm"
          [label]="t('groups.tpm')"
          [hint]="t('groups.limitHint')"
          [placeholder]="t('field.none')"
        />
        <weir-field
          inputmode="numeric"
          [control]="form.controls.sortOrder"
          [label]="t('catalog.sortOrder')"
          [hint]="t('catalog.sortOrderHint')"
        />
      </div>
    </weir-form-dialog>
  `,
})
export class GroupDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new ResourceDialog<GroupDetail>();
  protected readonly form = new GroupForm(this.dialog.seen);
  protected readonly statuses = statusOptions();
  protected readonly accesses = optionsOf(GROUP_ACCESSES, keyIn('groupAccess'));
  protected readonly models = new Loadable(async () => {
    const models = await fetchAll((cursor) =>
      this.#api.call('listModels', { query: { limit: 200, cursor } }),
    );
    return models.map(({ id, publicId }) => ({ value: id, label: publicId }));
  });
  protected readonly protocols = computed(() =>
    PROTOCOL_IDS.map((id) => ({
      value: id,
      label: this.t(`protocol.${id}`),
      note: this.t(`protocolTools.${id}`),
    })),
  );

  constructor() {
    void this.models.load();
  }

  protected save(): Promise<void> {
    const body = this.form.body();
    return this.dialog.save(
      () => this.#api.call('createGroup', { body }),
      ({ id: groupId }, ifMatch) =>
        this.#api.call('updateGroup', { params: { groupId }, ifMatch, body }),
    );
  }
}
