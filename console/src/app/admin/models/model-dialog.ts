import { Component, computed, inject } from '@angular/core';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import { MODEL_CAPABILITIES, type ModelView } from '@weir/shared/models';
import { Api } from '../../core/api/api';
import type { Tagged } from '../../core/api/call-input';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { TextArea } from '../../design/field/text-area';
import { ModelForm } from './model-form';

export interface ModelDialogData {
  readonly model?: Tagged<ModelView>;
}

@Component({
  selector: 'weir-model-dialog',
  imports: [Choice, Field, FormDialog, TextArea],
  template: `
    <weir-form-dialog
      [heading]="data.model ? t('catalog.editModel') : t('catalog.createModel')"
      [save]="data.model ? t('action.save') : t('catalog.addModel')"
      [group]="form.group"
      [action]="action"
      (accepted)="save()"
    >
      <div class="fields">
        <weir-field
          class="whole"
          [mono]="true"
          [control]="form.controls.publicId"
          [label]="t('catalog.publicId')"
          [hint]="t('catalog.publicIdHint')"
        />
        <weir-field
          [optional]="true"
          [control]="form.controls.displayName"
          [label]="t('catalog.displayName')"
          [hint]="t('catalog.displayNameHint')"
        />
        <weir-field
          [optional]="true"
          [control]="form.controls.vendor"
          [label]="t('catalog.vendor')"
        />
        <weir-field
          inputmode="numeric"
          [control]="form.controls.contextTokensMax"
          [label]="t('catalog.contextTokensMax')"
        />
        <weir-field
          inputmode="numeric"
          [control]="form.controls.outputTokensMax"
          [label]="t('catalog.outputTokensMax')"
        />
        <weir-choice
          class="whole"
          [many]="true"
          [control]="form.controls.capabilities"
          [label]="t('catalog.capabilities')"
          [options]="capabilities()"
        />
        <weir-choice
          class="whole"
          [many]="true"
          [control]="form.controls.groupIds"
          [label]="t('catalog.groups')"
          [hint]="t('catalog.groupsHint')"
          [options]="groups"
        />
        <weir-choice
          [control]="form.controls.status"
          [label]="t('keys.status')"
          [options]="statuses()"
        />
        <weir-field
          inputmode="numeric"
          [control]="form.controls.sortOrder"
          [label]="t('catalog.sortOrder')"
          [hint]="t('catalog.sortOrderHint')"
        />
        <weir-text-area
          class="whole"
          [rows]="2"
          [optional]="true"
          [control]="form.controls.description"
          [label]="t('groups.description')"
        />
      </div>
    </weir-form-dialog>
  `,
})
export class ModelDialog {
  readonly #api = inject(Api);
  readonly #dialog = inject<MatDialogRef<ModelDialog, ModelView>>(MatDialogRef);
  protected readonly groups = new Loadable(async () =>
    (await this.#api.call('listGroups')).data.map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly data = inject<ModelDialogData>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;
  protected readonly form = new ModelForm(this.data.model?.value);
  protected readonly action = new Action();
  protected readonly capabilities = computed(() =>
    MODEL_CAPABILITIES.map((value) => ({ value, label: this.t(`capability.${value}`) })),
  );
  protected readonly statuses = computed(() => [
    { value: 'active', label: this.t('state.active') },
    { value: 'disabled', label: this.t('state.disabled') },
  ]);

  constructor() {
    void this.groups.load();
  }

  protected async save(): Promise<void> {
    await this.action.run(async () => {
      const { model } = this.data;
      const body = this.form.body();
      const saved =
        model === undefined
          ? await this.#api.call('createModel', { body })
          : await this.#api.call('updateModel', {
              params: { modelId: model.value.id },
              ifMatch: model.etag,
              body,
            });
      this.#dialog.close(saved);
    });
  }
}
