import { Component, computed, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type { AccountView } from '@weir/shared/accounts';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { Action } from '../../core/state/action';
import { OperationKeys } from '../../core/state/operation-keys';
import { Dialogs } from '../../design/dialog/dialogs';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Toasts } from '../../design/feedback/toasts';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { Money } from '../../design/text/money';
import { CreditForm } from './account-forms';
import { balancesAround } from './balances-around';

@Component({
  selector: 'weir-credit-dialog',
  imports: [Choice, Field, FormDialog, Money],
  template: `
    <weir-form-dialog
      [heading]="t('accounts.creditTitle', { account: account.name })"
      [save]="t('accounts.creditSave')"
      [group]="form.group"
      [action]="action"
      (accepted)="give()"
    >
      <weir-field
        prefix="$"
        inputmode="text"
        [control]="form.controls.amountUsd"
        [label]="t('billing.amount')"
        [hint]="t('accounts.creditHint')"
      />
      @if (balances(); as balances) {
        <p class="balances" aria-live="polite" data-testid="balances">
          <span class="soft">{{ t('shell.balance') }}</span>
          <weir-money class="strong" [usd]="balances.before" />
          <span aria-hidden="true">→</span>
          <span class="unseen">{{ t('accounts.balanceAfter') }}</span>
          <weir-money class="strong" [class.bad]="balances.isDebt" [usd]="balances.after" />
        </p>
      }
      <weir-choice [control]="form.controls.kind" [label]="t('credit.kind')" [options]="kinds()" />
      <weir-field
        [control]="form.controls.reason"
        [label]="t('accounts.reason')"
        [hint]="t('accounts.reasonHint')"
      />
    </weir-form-dialog>
  `,
  styles: `
    .balances {
      display: flex;
      flex-wrap: wrap;
      gap: var(--weir-gap-2);
      align-items: baseline;
    }
  `,
})
export class CreditDialog {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #keys = inject(OperationKeys);
  readonly #toasts = inject(Toasts);
  readonly #dialog = inject<MatDialogRef<CreditDialog, boolean>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly account = inject<AccountView>(MAT_DIALOG_DATA);
  protected readonly formatter = inject(Formatter);
  protected readonly form = new CreditForm();
  protected readonly action = new Action();
  readonly #amount = toSignal(this.form.controls.amountUsd.valueChanges, { initialValue: '' });
  /** As it is now: requests have been paid since the page was loaded. */
  readonly #fresh = new Loadable(() =>
    this.#api.call('getAccount', { params: { accountId: this.account.id } }),
  );
  protected readonly balances = computed(() => {
    const { balance } = this.#fresh.value() ?? this.account;
    return balance === null ? undefined : balancesAround(balance, this.#amount());
  });
  protected readonly kinds = computed(() => [
    { value: 'adjustment', label: this.t('credit.adjustment') },
    { value: 'top_up', label: this.t('credit.topUp') },
    { value: 'refund', label: this.t('credit.refund') },
  ]);

  constructor() {
    void this.#fresh.load();
  }

  protected async give(): Promise<void> {
    if (!(await this.#isMeant())) return;
    await this.action.run(async () => {
      const credit = { params: { accountId: this.account.id }, body: this.form.body() };
      const { before } = await this.#keys.act(credit, (idempotencyKey) =>
        this.#api.callOnce('createCredit', { ...credit, idempotencyKey }),
      );
      if (before) this.#toasts.warnDoneBefore();
      this.#dialog.close(true);
    });
  }

  /** Money that has moved does not come back by itself. */
  #isMeant(): Promise<boolean> {
    const usd = this.formatter.exactUsd(this.form.body().amountUsd);
    const balances = this.balances();
    return this.#dialogs.confirm({
      heading: this.t('accounts.creditConfirm', { account: this.account.name, amount: usd }),
      text:
        balances === undefined
          ? this.t('accounts.balanceUnknown')
          : this.t('accounts.balanceChange', {
              before: this.formatter.exactUsd(balances.before),
              after: this.formatter.exactUsd(balances.after),
            }),
      action: this.t('accounts.creditSave'),
      work: () => Promise.resolve(),
    });
  }
}
