import { Component, computed, inject } from '@angular/core';
import { FormGroup } from '@angular/forms';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import { ModelUpdate } from '@weir/shared/models';
import { several } from '../../core/forms/controls';
import { I18n } from '../../core/i18n/i18n';
import { namedOptions } from '../../core/i18n/options';
import { Action } from '../../core/state/action';
import { FormDialog } from '../../design/dialog/form-dialog';
import { RowFailures } from '../../design/feedback/row-failures';
import { Choice } from '../../design/field/choice';
import type { BulkPriceDialogData } from './bulk-price-dialog';

/** Puts several models into groups, and takes them out of all others. */
@Component({
  selector: 'weir-bulk-groups-dialog',
  imports: [Choice, FormDialog, RowFailures],
  template: `
    <weir-form-dialog
      [heading]="t('bulk.groupsTitle', { count: about.selection.rows().length })"
      [save]="t('bulk.groupsSave')"
      [group]="group"
      [action]="action"
      (accepted)="move()"
    >
      <weir-choice
        [many]="true"
        [control]="groupIds"
        [label]="t('catalog.groups')"
        [placeholder]="t('catalog.noGroup')"
        [hint]="t('bulk.groupsHint')"
        [options]="options()"
        [madeFrom]="about.state.groups"
      />
      <weir-row-failures [failures]="about.selection.failures()" />
    </weir-form-dialog>
  `,
})
export class BulkGroupsDialog {
  readonly #dialog = inject<MatDialogRef<BulkGroupsDialog, boolean>>(MatDialogRef);
  protected readonly about = inject<BulkPriceDialogData>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;
  protected readonly action = new Action();
  protected readonly groupIds = several(ModelUpdate.properties.groupIds, []);
  protected readonly group = new FormGroup({ groupIds: this.groupIds });
  protected readonly options = computed(() => namedOptions(this.about.state.groups.value()));

  protected async move(): Promise<void> {
    const { selection, state } = this.about;
    const groupIds = [...this.groupIds.value];
    const done = await this.action.run(() =>
      selection.forEach(({ id }) => state.change(id, { groupIds })),
    );
    if (done && selection.failures().length === 0) this.#dialog.close(true);
  }
}
