import { Component, computed, inject } from '@angular/core';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type { GroupDetail } from '@weir/shared/groups';
import { PROTOCOL_IDS } from '@weir/shared/protocols';
import { Api } from '../../core/api/api';
import { fetchAll } from '../../core/api/fetch-all';
import type { Tagged } from '../../core/api/call-input';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { TextArea } from '../../design/field/text-area';
import { GroupForm } from './group-form';

export interface GroupDialogData {
  readonly group?: Tagged<GroupDetail>;
}

@Component({
  selector: 'weir-group-dialog',
  imports: [Choice, Field, FormDialog, TextArea],
  template: `
    <weir-form-dialog
      [heading]="data.group ? t('groups.editTitle') : t('groups.createTitle')"
      [save]="data.group ? t('action.save') : t('groups.create')"
      [group]="form.group"
      [action]="action"
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
  readonly #dialog = inject<MatDialogRef<GroupDialog, GroupDetail>>(MatDialogRef);
  protected readonly models = new Loadable(async () => {
    const models = await fetchAll((cursor) =>
      this.#api.call('listModels', {
        query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) },
      }),
    );
    return models.map(({ id, publicId }) => ({ value: id, label: publicId }));
  });
  protected readonly data = inject<GroupDialogData>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;
  protected readonly form = new GroupForm(this.data.group?.value);
  protected readonly action = new Action();
  protected readonly protocols = computed(() =>
    PROTOCOL_IDS.map((id) => ({
      value: id,
      label: this.t(`protocol.${id}`),
      note: this.t(`protocolTools.${id}`),
    })),
  );
  protected readonly statuses = computed(() => [
    { value: 'active', label: this.t('state.active') },
    { value: 'disabled', label: this.t('state.disabled') },
  ]);

  constructor() {
    void this.models.load();
  }

  protected async save(): Promise<void> {
    await this.action.run(async () => {
      const { group } = this.data;
      const body = this.form.body();
      const saved =
        group === undefined
          ? await this.#api.call('createGroup', { body })
          : await this.#api.call('updateGroup', {
              params: { groupId: group.value.id },
              ifMatch: group.etag,
              body,
            });
      this.#dialog.close(saved);
    });
  }
}
