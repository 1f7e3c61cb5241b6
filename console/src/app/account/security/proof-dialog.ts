import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import type { PreventsClose } from '../../design/dialog/dialogs';
import { Field } from '../../design/field/field';
import { Form } from '../../design/field/form';
import { RecoveryCodes } from './recovery-codes';
import { SecondFactorProofForm, type ProofPurpose } from './second-factor-setup';

/** Asks for both factors: before the second one is taken away, or before new recovery codes. */
@Component({
  selector: 'weir-proof-dialog',
  imports: [Field, Form, MatButton, MatDialogModule, RecoveryCodes],
  template: `
    <h2 mat-dialog-title>
      {{ form.purpose === 'remove' ? t('secondFactor.removeTitle') : t('secondFactor.renew') }}
    </h2>
    <mat-dialog-content class="stack">
      @if (form.recoveryCodes(); as codes) {
        <weir-recovery-codes [codes]="codes" />
      } @else {
        <p>
          {{
            form.purpose === 'remove' ? t('secondFactor.removeHint') : t('secondFactor.renewHint')
          }}
        </p>
        <weir-form
          #fields
          [group]="form.group"
          [action]="form.action"
          [label]="t('secondFactor.title')"
          (accepted)="submit()"
        >
          <weir-field
            type="password"
            autocomplete="current-password"
            [control]="form.controls.password"
            [label]="t('login.password')"
          />
          <weir-field
            autocomplete="one-time-code"
            [control]="form.controls.code"
            [label]="t('login.code')"
            [hint]="t('login.codeHint')"
            [mono]="true"
          />
          <button formActions matButton="filled" type="submit" [disabled]="form.action.busy()">
            {{ form.purpose === 'remove' ? t('secondFactor.remove') : t('secondFactor.renew') }}
          </button>
        </weir-form>
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton type="button" (click)="close()">
        {{ form.recoveryCodes() ? t('keys.stored') : t('action.cancel') }}
      </button>
    </mat-dialog-actions>
  `,
})
export class ProofDialog implements PreventsClose {
  readonly #dialog = inject<MatDialogRef<ProofDialog, boolean>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly form = new SecondFactorProofForm(
    inject(Api),
    inject<ProofPurpose>(MAT_DIALOG_DATA),
  );

  preventsClose(): boolean {
    return this.form.recoveryCodes() !== undefined;
  }

  protected async submit(): Promise<void> {
    const done = await this.form.submit();
    if (done && this.form.purpose === 'remove') this.#dialog.close(true);
  }

  protected close(): void {
    this.#dialog.close(this.form.recoveryCodes() !== undefined);
  }
}
