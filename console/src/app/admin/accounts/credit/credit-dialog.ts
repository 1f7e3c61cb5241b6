import { Component, computed, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import type { AccountView } from '@weir/shared/people/accounts';
import { Api } from '../../../core/api/api';
import { Formatter } from '../../../core/format/formatter';
import { I18n, optionsOf } from '../../../core/i18n/i18n';
import { Loadable } from '../../../core/state/loadable';
import { Dialogs } from '../../../design/dialog/dialogs';
import { FORM_DIALOG } from '../../../design/dialog/form-parts';
import { DialogWork } from '../../../design/resource/resource-dialog';
import { Money } from '../../../design/text/money';
import { CREDIT_WORDS } from '../../../billing/credit-words';
import { CreditForm } from '../account-forms';
import { balancesAround } from './balances-around';

@Component({
  selector: 'weir-credit-dialog',
  imports: [FORM_DIALOG, Money],
  template: `
    <weir-form-dialog
      [heading]="t('accounts.creditTitle', { account: account.name })"
      [save]="t('accounts.creditSave')"
      [group]="form.group"
      [action]="dialog.action"
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
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<AccountView>();
  protected readonly account = this.dialog.data;
  protected readonly formatter = inject(Formatter);
  protected readonly form = new CreditForm();
  readonly #amount = toSignal(this.form.controls.amountUsd.valueChanges, { initialValue: '' });
  /** As it is now: requests have been paid since the page was loaded. */
  readonly #fresh = new Loadable(() =>
    this.#api.call('getAccount', { params: { accountId: this.account.id } }),
  );
  protected readonly balances = computed(() => {
    const { balance } = this.#fresh.value() ?? this.account;
    return balance === null ? undefined : balancesAround(balance, this.#amount());
  });
  protected readonly kinds = optionsOf(
    ['adjustment', 'top_up', 'refund'],
    (kind) => CREDIT_WORDS[kind],
  );

  constructor() {
    void this.#fresh.load();
  }

  protected async give(): Promise<void> {
    if (!(await this.#isMeant())) return;
    const credit = { params: { accountId: this.account.id }, body: this.form.body() };
    await this.dialog.act(
      credit,
      (idempotencyKey) => this.#api.callOnce('createCredit', { ...credit, idempotencyKey }),
      () => true,
    );
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
