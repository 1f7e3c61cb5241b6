import { Component, inject } from '@angular/core';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Session } from '../core/session/session';
import { FORM_DIALOG } from '../design/dialog/form-parts';
import { DialogWork } from '../design/resource/resource-dialog';
import { OpenAccountForm } from './open-account-form';

/** Opens a further account, and begins in it. */
@Component({
  selector: 'weir-open-account-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="t('memberships.createTitle')"
      [save]="t('memberships.create')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="open()"
    >
      <weir-field
        [control]="form.controls.name"
        [label]="t('account.name')"
        [hint]="t('memberships.nameHint')"
      />
    </weir-form-dialog>
  `,
})
export class OpenAccountDialog {
  readonly #api = inject(Api);
  readonly #session = inject(Session);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork();
  protected readonly form = new OpenAccountForm();

  protected open(): Promise<void> {
    const body = this.form.body();
    return this.dialog.run(async () => {
      await this.#api.call('createOwnAccount', { body });
      this.#session.beginIn('/members');
      return true;
    });
  }
}
