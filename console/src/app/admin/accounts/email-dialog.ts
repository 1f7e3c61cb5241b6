import { Component, inject } from '@angular/core';
import type { UserView } from '@weir/shared/people/users';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { DialogWork } from '../../design/resource/resource-dialog';
import { EmailForm } from './account-forms';

/** The address that somebody logs in with. */
@Component({
  selector: 'weir-email-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="t('users.emailTitle')"
      [save]="t('users.changeEmail')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="change()"
    >
      <p class="soft">{{ t('users.emailText', { email: dialog.data.email }) }}</p>
      <weir-field type="email" [control]="form.controls.email" [label]="t('users.newEmail')" />
    </weir-form-dialog>
  `,
})
export class EmailDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<UserView>();
  protected readonly form = new EmailForm();

  protected change(): Promise<void> {
    const input = { params: { userId: this.dialog.data.id }, body: this.form.body() };
    return this.dialog.run(async () => {
      await this.#api.call('changeEmailOfUser', input);
      return true;
    });
  }
}
