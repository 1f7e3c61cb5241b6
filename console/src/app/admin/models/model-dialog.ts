import { Component, inject } from '@angular/core';
import { MODEL_CAPABILITIES, type ModelView } from '@weir/shared/catalog/models';
import { Api } from '../../core/api/api';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { fetchOptions, statusOptions } from '../../core/i18n/options';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { ResourceDialog } from '../../design/resource/resource-dialog';
import { ModelForm } from './model-form';

@Component({
  selector: 'weir-model-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="dialog.seen ? t('catalog.editModel') : t('catalog.createModel')"
      [save]="dialog.seen ? t('action.save') : t('catalog.addModel')"
      [group]="form.group"
      [action]="dialog.action"
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
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new ResourceDialog<ModelView>();
  protected readonly form = new ModelForm(this.dialog.seen);
  protected readonly groups = fetchOptions(() => this.#api.call('listGroups'));
  protected readonly capabilities = optionsOf(MODEL_CAPABILITIES, (name) => `capability.${name}`);
  protected readonly statuses = statusOptions();

  protected save(): Promise<void> {
    const body = this.form.body();
    return this.dialog.save(
      () => this.#api.call('createModel', { body }),
      ({ id: modelId }, ifMatch) =>
        this.#api.call('updateModel', { params: { modelId }, ifMatch, body }),
    );
  }
}
