import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import { I18n } from '../../core/i18n/i18n';
import { SecretReveal } from '../../design/code/secret-reveal';
import type { PreventsClose } from '../../design/dialog/dialogs';

/** The new secret of a webhook, shown this once. */
@Component({
  selector: 'weir-alert-secret-dialog',
  imports: [MatButton, MatDialogModule, SecretReveal],
  template: `
    <h2 mat-dialog-title>{{ t('alerts.secret') }}</h2>
    <mat-dialog-content>
      <weir-secret-reveal
        [secret]="secret"
        [what]="t('alerts.secret')"
        [warning]="t('alerts.secretOnce')"
      />
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton="filled" type="button" (click)="close()">{{ t('keys.stored') }}</button>
    </mat-dialog-actions>
  `,
})
export class AlertSecretDialog implements PreventsClose {
  readonly #dialog = inject<MatDialogRef<AlertSecretDialog, boolean>>(MatDialogRef);
  protected readonly secret = inject<string>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;

  preventsClose(): boolean {
    return true;
  }

  protected close(): void {
    this.#dialog.close(true);
  }
}
