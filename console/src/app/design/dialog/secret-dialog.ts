import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import { I18n, type PlainKey } from '../../core/i18n/i18n';
import { SecretReveal } from '../code/secret-reveal';
import type { PreventsClose } from './dialogs';

export interface Secret {
  readonly heading: PlainKey;
  readonly what: PlainKey;
  readonly warning: PlainKey;
  readonly secret: string;
}

/** Shows a secret this once: it is closed by who has stored it. */
@Component({
  selector: 'weir-secret-dialog',
  imports: [MatButton, MatDialogModule, SecretReveal],
  template: `
    <h2 mat-dialog-title>{{ t(about.heading) }}</h2>
    <mat-dialog-content>
      <weir-secret-reveal
        [secret]="about.secret"
        [what]="t(about.what)"
        [warning]="t(about.warning)"
      />
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton="filled" type="button" (click)="close()">{{ t('keys.stored') }}</button>
    </mat-dialog-actions>
  `,
})
export class SecretDialog implements PreventsClose {
  readonly #dialog = inject<MatDialogRef<SecretDialog, boolean>>(MatDialogRef);
  protected readonly about = inject<Secret>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;

  preventsClose(): boolean {
    return true;
  }

  protected close(): void {
    this.#dialog.close(true);
  }
}
