import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { CopyButton } from '../../design/code/copy-button';
import type { PreventsClose } from '../../design/dialog/dialogs';
import { Field } from '../../design/field/field';
import { Form } from '../../design/field/form';
import { QrCode } from './qr-code';
import { RecoveryCodes } from './recovery-codes';
import { SecondFactorSetup } from './second-factor-setup';

@Component({
  selector: 'weir-second-factor-dialog',
  imports: [CopyButton, Field, Form, MatButton, MatDialogModule, QrCode, RecoveryCodes],
  template: `
    <h2 mat-dialog-title>{{ t('secondFactor.setUp') }}</h2>
    <mat-dialog-content>
      @if (setup.recoveryCodes(); as codes) {
        <weir-recovery-codes [codes]="codes" />
      } @else if (setup.enrolment(); as enrolment) {
        <div class="stack">
          <p>{{ t('secondFactor.scan') }}</p>
          <div class="cluster">
            <weir-qr-code [text]="enrolment.uri" />
            <div class="stack-tight by-hand">
              <span class="small soft">{{ t('secondFactor.byHand') }}</span>
              <span class="cluster">
                <code data-testid="totp-secret">{{ enrolment.secret }}</code>
                <weir-copy-button [text]="enrolment.secret" [what]="t('secondFactor.secret')" />
              </span>
            </div>
          </div>
          <weir-form
            #code
            [group]="setup.codeGroup"
            [action]="setup.confirm"
            [label]="t('secondFactor.setUp')"
            (accepted)="setup.submitCode()"
          >
            <weir-field
              name="code"
              autocomplete="one-time-code"
              inputmode="numeric"
              [control]="setup.codeControls.code"
              [label]="t('secondFactor.code')"
              [mono]="true"
            />
            <button formActions matButton="filled" type="submit" [disabled]="setup.confirm.busy()">
              {{ t('secondFactor.turnOn') }}
            </button>
          </weir-form>
        </div>
      } @else {
        <weir-form
          [group]="setup.passwordGroup"
          [action]="setup.begin"
          [label]="t('secondFactor.setUp')"
          (accepted)="setup.submitPassword()"
        >
          <p>{{ t('secondFactor.hint') }}</p>
          <weir-field
            type="password"
            name="password"
            autocomplete="current-password"
            [control]="setup.passwordControls.password"
            [label]="t('login.password')"
          />
          <button formActions matButton="filled" type="submit" [disabled]="setup.begin.busy()">
            {{ t('action.next') }}
          </button>
        </weir-form>
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      @if (setup.recoveryCodes()) {
        <button matButton="filled" type="button" (click)="close()">
          {{ t('keys.stored') }}
        </button>
      } @else {
        <button matButton type="button" mat-dialog-close>{{ t('action.cancel') }}</button>
      }
    </mat-dialog-actions>
  `,
  styles: `
    .by-hand {
      flex: 1 1 12rem;
      min-width: 0;
    }
  `,
})
export class SecondFactorDialog implements PreventsClose {
  readonly #dialog = inject<MatDialogRef<SecondFactorDialog, boolean>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly setup = new SecondFactorSetup(inject(Api));

  preventsClose(): boolean {
    return this.setup.recoveryCodes() !== undefined;
  }

  protected close(): void {
    this.#dialog.close(true);
  }
}
