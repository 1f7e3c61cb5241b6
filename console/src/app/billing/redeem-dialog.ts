import { Component, inject, viewChild } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import type { PreventsClose } from '../design/dialog/dialogs';
import { Note } from '../design/feedback/note';
import { Field } from '../design/field/field';
import { Form } from '../design/field/form';
import { Money } from '../design/text/money';
import { RedeemForm } from './redeem-form';

@Component({
  selector: 'weir-redeem-dialog',
  imports: [Field, Form, MatButton, MatDialogModule, Money, Note],
  template: `
    <h2 mat-dialog-title>{{ t('billing.redeemTitle') }}</h2>
    <mat-dialog-content>
      @if (form.redeemed(); as redeemed) {
        <weir-note tone="good">
          @if (redeemed.amountUsd; as usd) {
            {{ t('billing.redeemedAmount') }} <weir-money class="strong" [usd]="usd" />
          } @else if (redeemed.group; as group) {
            {{ t('billing.redeemedGroup', { group: group.name }) }}
          } @else {
            {{ t('billing.redeemedPlan', { plan: redeemed.subscription?.planName ?? '' }) }}
          }
        </weir-note>
      } @else {
        <weir-form
          [group]="form.group"
          [action]="form.action"
          [label]="t('billing.redeemTitle')"
          (accepted)="form.submit()"
        >
          <weir-field
            name="code"
            placeholder="ABCDE-FGHJK-MNPQR-STUVW"
            [control]="form.controls.code"
            [label]="t('billing.code')"
            [hint]="t('billing.codeHint')"
            [mono]="true"
          />
        </weir-form>
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      @if (form.redeemed()) {
        <button matButton="filled" type="button" data-testid="done" (click)="close()">
          {{ t('action.done') }}
        </button>
      } @else {
        <button matButton type="button" mat-dialog-close>{{ t('action.cancel') }}</button>
        <button
          matButton="filled"
          type="button"
          data-testid="redeem-submit"
          [disabled]="form.action.busy()"
          (click)="fields()?.submit()"
        >
          {{ t('billing.redeem') }}
        </button>
      }
    </mat-dialog-actions>
  `,
})
export class RedeemDialog implements PreventsClose {
  readonly #dialog = inject<MatDialogRef<RedeemDialog, boolean>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly fields = viewChild(Form);
  protected readonly form = new RedeemForm(inject(Api));

  preventsClose(): boolean {
    return this.form.redeemed() !== undefined;
  }

  protected close(): void {
    this.#dialog.close(true);
  }
}
