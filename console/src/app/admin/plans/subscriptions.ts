import { Component, computed, inject, input } from '@angular/core';
import {
  SUBSCRIPTION_SORTS,
  SUBSCRIPTION_STATUSES,
  type SubscriptionView,
} from '@weir/shared/money/subscriptions';
import { Api } from '../../core/api/api';
import type { Tagged } from '../../core/api/call-input';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { keyIn } from '../../core/i18n/options';
import { filteredList } from '../../core/state/filtered-list';
import { OperationKeys } from '../../core/state/operation-keys';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import type { RowAct } from '../../design/table/row-menu';
import type { Tone } from '../../design/text/chip';
import { AccountFilter } from '../accounts/finder/account-filter';
import { GrantDialog, type GrantDialogData } from '../accounts/credit/grant-dialog';
import { Address } from '../../core/state/address';
import { addressChoice, addressId } from '../../core/state/address-value';
import { orderFrom } from '../../design/table/sort-order';
import { FilterBar } from '../../views/filter-bar';
import { PLAN_LINKS } from './plan-links';
import { SubscriptionDialog } from './subscription-dialog';

const TONES: Readonly<Record<SubscriptionView['status'], Tone>> = {
  active: 'good',
  cancelled: 'warn',
  ended: 'plain',
};

const COLUMNS: readonly Column[] = [
  { id: 'plan', header: 'accounts.plan', width: '1.4fr', narrow: 'title', sort: 'plan' },
  { id: 'account', header: 'accounts.account', width: '2fr', narrow: 'note' },
  { id: 'status', header: 'keys.status', width: '7rem', narrow: 'value' },
  {
    ...{ id: 'ends', header: 'subscriptions.endsAt', width: '12.5rem', narrow: 'detail' },
    sort: 'ends',
  },
  { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
];

@Component({
  selector: 'weir-subscriptions',
  imports: [AccountFilter, FilterBar, TABLE_PAGE],
  template: `
    <weir-page [heading]="t('nav.plans')" [intro]="t('subscriptions.intro')">
      <weir-sub-nav [label]="t('nav.plans')" [links]="links" />
      <button pageAction matButton="filled" type="button" (click)="grant()">
        {{ t('accounts.grant') }}
      </button>
      <weir-filter-bar list="subscriptions">
        <weir-account-filter [(value)]="accountId" />
        <weir-filter chip [label]="t('state.any')" [options]="statuses()" [(value)]="status" />
      </weir-filter-bar>
      <weir-data-table
        [label]="t('subscriptions.title')"
        [list]="list"
        [columns]="columns"
        [order]="order()"
        (orderChange)="address.say('sort', $event)"
      >
        <ng-template weirCell="plan" [weirCellRows]="list.rows()" let-subscription>
          <span class="strong">{{ subscription.planName }}</span>
        </ng-template>
        <ng-template weirCell="account" [weirCellRows]="list.rows()" let-subscription>
          <a [routerLink]="['/admin/accounts', subscription.accountId]"
            ><weir-name [value]="subscription.accountName"
          /></a>
        </ng-template>
        <ng-template weirCell="status" [weirCellRows]="list.rows()" let-subscription>
          <weir-chip [tone]="tones[subscription.status]">{{
            t(statusKey(subscription.status))
          }}</weir-chip>
        </ng-template>
        <ng-template weirCell="ends" [weirCellRows]="list.rows()" let-subscription>
          {{ subscription.renews ? t('plans.renewsAt') : t('plans.endsAt') }}
          <weir-time [at]="subscription.endsAt" as="day" />
        </ng-template>
        <ng-template weirCell="actions" [weirCellRows]="list.rows()" let-subscription>
          @if (subscription.status === 'active') {
            <weir-row-menu [row]="subscription" [name]="subscription.planName" [acts]="acts" />
          }
        </ng-template>
        <weir-empty-state icon="plans" [heading]="t('subscriptions.none')" />
      </weir-data-table>
    </weir-page>
  `,
})
export class Subscriptions {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #keys = inject(OperationKeys);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly links = PLAN_LINKS;
  protected readonly tones = TONES;
  protected readonly statusKey = keyIn('subscription');
  protected readonly address = inject(Address);
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();
  protected readonly order = computed(() => orderFrom(this.sort(), SUBSCRIPTION_SORTS, '-created'));
  protected readonly status = addressChoice('status', SUBSCRIPTION_STATUSES);
  protected readonly accountId = addressId('account');
  protected readonly statuses = optionsOf(SUBSCRIPTION_STATUSES, this.statusKey);
  protected readonly list = filteredList(
    () => ({ status: this.status(), accountId: this.accountId(), sort: this.order() }),
    (query) => this.#api.call('listSubscriptions', { query }),
  );
  protected readonly acts: readonly RowAct<SubscriptionView>[] = [
    { label: 'subscriptions.edit', run: (subscription) => this.edit(subscription) },
    { label: 'subscriptions.stop', run: (subscription) => this.stop(subscription) },
  ];
  protected readonly columns = COLUMNS;

  protected async grant(): Promise<void> {
    const granted = await this.#dialogs.open<GrantDialogData, boolean>(GrantDialog, { data: {} });
    if (granted === true || this.#keys.hasPending()) await this.list.load();
  }

  protected async edit(subscription: SubscriptionView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const params = { subscriptionId: subscription.id };
      // As it is now: the list may be older than a renewal.
      const data = await this.#api.callTagged('getSubscription', { params });
      const updated = await this.#dialogs.open<Tagged<SubscriptionView>, SubscriptionView>(
        SubscriptionDialog,
        { data },
      );
      if (updated !== undefined) this.list.replace(updated);
    });
  }

  protected async stop(subscription: SubscriptionView): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t('subscriptions.stopTitle'),
      text: this.t('subscriptions.stopText', { plan: subscription.planName }),
      action: this.t('subscriptions.stop'),
      destructive: true,
      work: async () => {
        const updated = await this.#api.call('updateSubscription', {
          params: { subscriptionId: subscription.id },
          // To stop is one status: it means whatever is there.
          ifMatch: '*',
          body: { status: 'cancelled' },
        });
        this.list.replace(updated);
      },
    });
  }
}
