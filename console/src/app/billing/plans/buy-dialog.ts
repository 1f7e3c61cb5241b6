import { DOCUMENT } from '@angular/common';
import { Component, computed, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import { RouterLink } from '@angular/router';
import type { PlanView } from '@weir/shared/money/plans';
import type { SubscriptionView, SubscriptionWindowView } from '@weir/shared/money/subscriptions';
import { Api } from '../../core/api/api';
import type { Failure } from '../../core/api/api-failure';
import { compare, decimal } from '../../core/format/decimal';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { OwnAccount } from '../../core/session/own-account';
import { Site } from '../../core/session/site';
import { OperationKeys } from '../../core/state/operation-keys';
import { FailureNote } from '../../design/feedback/failure-note';
import { Note } from '../../design/feedback/note';
import { Pills } from '../../design/field/pills';
import { Switch } from '../../design/field/switch';
import { Chip } from '../../design/text/chip';
import { Money } from '../../design/text/money';
import { BuyPlan, refusalWords, type Bought, type PayWith } from './buy-plan';

export interface ToBuy {
  readonly plan: PlanView;
  /** What the purchase lengthens on terms other than the plan's. */
  readonly kept: SubscriptionView | undefined;
}

@Component({
  selector: 'weir-buy-dialog',
  imports: [Chip, FailureNote, MatButton, MatDialogModule, Money, Note, Pills, RouterLink, Switch],
  template: `
    <h2 mat-dialog-title>{{ t('plans.buyTitle', { plan: purchase.plan.name }) }}</h2>
    <mat-dialog-content class="stack" [attr.aria-busy]="purchase.action.busy()">
      <dl class="facts">
        <dt>{{ t('plans.price') }}</dt>
        <dd class="strong">
          <weir-money [usd]="purchase.plan.priceUsd" />
          <span class="soft"> / {{ t('plans.days', { count: purchase.plan.periodDays }) }}</span>
        </dd>
        <dt>{{ t('shell.balance') }}</dt>
        <dd>
          @if (account.value()?.balance; as balance) {
            <weir-money [usd]="balance.availableUsd" />
          } @else {
            –
          }
        </dd>
      </dl>
      @if (kept; as subscription) {
        <weir-note data-testid="kept-terms">
          <p>{{ t('plans.keptTerms') }}</p>
          <ul>
            @for (window of subscription.windows; track window.window) {
              <li>
                <weir-money class="strong" [usd]="window.limitUsd" />
                {{ t('plans.perWindow', { window: windowName(window) }) }}
              </li>
            }
            <li>
              {{ t('plans.paysFor') }}
              @for (group of subscription.groups; track group.id) {
                <weir-chip>{{ group.name }}</weir-chip>
              }
            </li>
          </ul>
        </weir-note>
      }
      @if (site.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="site.reload()" />
      }
      @if (site.settings()?.cardPayments) {
        <weir-pills [label]="t('plans.payWith')" [options]="ways()" [(value)]="purchase.payWith" />
      }
      @if (purchase.payWith() === 'balance') {
        <weir-switch
          [control]="purchase.renews"
          [label]="t('plans.renew')"
          [hint]="t('plans.renewHint')"
        />
      }
      @if (purchase.action.failure(); as failure) {
        <weir-failure-note [failure]="failure" [ownWords]="refusalOf(failure)" />
        @if (failure.code === 'insufficient_balance') {
          <a matButton="outlined" mat-dialog-close routerLink="/billing">{{
            t('plans.toTopUp')
          }}</a>
        }
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton type="button" mat-dialog-close>{{ t('action.cancel') }}</button>
      <button
        matButton="filled"
        type="button"
        data-testid="buy"
        [disabled]="purchase.action.busy()"
        (click)="buy()"
      >
        {{ purchase.payWith() === 'card' ? t('billing.payByCard') : t('plans.buy') }}
      </button>
    </mat-dialog-actions>
  `,
})
export class BuyDialog {
  readonly #data = inject<ToBuy>(MAT_DIALOG_DATA);
  readonly #dialog = inject<MatDialogRef<BuyDialog, Bought>>(MatDialogRef);
  readonly #location = inject(DOCUMENT).location;
  readonly #formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  protected readonly account = inject(OwnAccount);
  protected readonly purchase = new BuyPlan(inject(Api), inject(OperationKeys), this.#data.plan);
  protected readonly kept = this.#data.kept;
  protected readonly ways = computed((): { value: PayWith; label: string }[] => [
    { value: 'balance', label: this.t('plans.fromBalance') },
    { value: 'card', label: this.t('plans.byCard') },
  ]);

  constructor() {
    this.#propose();
  }

  protected refusalOf(failure: Failure): string {
    return refusalWords(failure, this.purchase.plan, { t: this.t, formatter: this.#formatter });
  }

  /** Where the balance does not cover it and cards are taken, a card is proposed. */
  #propose(): void {
    const balance = this.account.value()?.balance;
    if (balance == null || this.site.settings()?.cardPayments !== true) return;
    const isCovered =
      compare(decimal(balance.availableUsd), decimal(this.purchase.plan.priceUsd)) >= 0;
    if (!isCovered) this.purchase.payWith.set('card');
  }

  protected windowName({ window }: SubscriptionWindowView): string {
    return this.t(`window.${window}`);
  }

  protected async buy(): Promise<void> {
    const bought = await this.purchase.submit();
    if (bought === undefined) {
      // The balance that did not suffice is shown as it is now.
      if (this.purchase.action.failure()?.code === 'insufficient_balance')
        await this.account.load();
      return;
    }
    if (bought.kind === 'to_pay' && bought.order.checkoutUrl !== null) {
      this.#location.assign(bought.order.checkoutUrl);
      return;
    }
    this.#dialog.close(bought);
  }
}
