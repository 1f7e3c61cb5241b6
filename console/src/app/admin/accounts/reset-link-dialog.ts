import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import { I18n } from '../../core/i18n/i18n';
import { SecretReveal } from '../../design/code/secret-reveal';
import type { PreventsClose } from '../../design/dialog/dialogs';

/** The link to choose a password by, where there is no mail: the administrator hands it on. */
@Component({
  selector: 'weir-reset-link-dialog',
  imports: [MatButton, MatDialogModule, SecretReveal],
  template: `
    <h2 mat-dialog-title>{{ t('users.resetPassword') }}</h2>
    <mat-dialog-content>
      <weir-secret-reveal
        [secret]="link"
        [what]="t('users.resetLink')"
        [warning]="t('users.handOn')"
      />
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton="filled" type="button" (click)="close()">{{ t('keys.stored') }}</button>
    </mat-dialog-actions>
  `,
})
export class ResetLinkDialog implements PreventsClose {
  readonly #dialog = inject<MatDialogRef<ResetLinkDialog, boolean>>(MatDialogRef);
  protected readonly link = inject<string>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;

  preventsClose(): boolean {
    return true;
  }

  protected close(): void {
    this.#dialog.close(true);
  }
}
