import { Component, inject } from '@angular/core';
import type { SavedViewView } from '@weir/shared/watch/saved-views';
import { I18n } from '../core/i18n/i18n';
import { FORM_DIALOG } from '../design/dialog/form-parts';
import { DialogWork } from '../design/resource/resource-dialog';
import { ViewForm } from './view-form';

export interface ViewDialogData {
  /** The view to rename; undefined for a new one. */
  readonly view: SavedViewView | undefined;
  readonly save: (name: string) => Promise<SavedViewView>;
}

/** Names a saved view. */
@Component({
  selector: 'weir-view-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="t(view ? 'views.renameTitle' : 'views.saveTitle')"
      [save]="t(view ? 'views.rename' : 'views.save')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="save()"
    >
      <weir-field
        [control]="form.controls.name"
        [label]="t('views.name')"
        [hint]="t('views.nameHint')"
      />
    </weir-form-dialog>
  `,
})
export class ViewDialog {
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<ViewDialogData, SavedViewView>();
  protected readonly view = this.dialog.data.view;
  protected readonly form = new ViewForm(this.view?.name);

  protected save(): Promise<void> {
    return this.dialog.run(() => this.dialog.data.save(this.form.name()));
  }
}
