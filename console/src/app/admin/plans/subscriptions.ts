import { Component, computed, effect, inject, signal, untracked } from '@angular/core';
import { MatButton, MatIconButton } from '@angular/material/button';
import { MatMenuModule } from '@angular/material/menu';
import { RouterLink } from '@angular/router';
import { SUBSCRIPTION_STATUSES, type SubscriptionView } from '@weir/shared/subscriptions';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import type { Tagged } from '../../core/api/call-input';
import { I18n } from '../../core/i18n/i18n';
import { OperationKeys } from '../../core/state/operation-keys';
import { RowList } from '../../core/state/row-list';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { Toasts } from '../../design/feedback/toasts';
import { Filter } from '../../design/field/filter';
import { Icon } from '../../design/icon/icon';
import { Page } from '../../design/page/page';
import { SubNav } from '../../design/page/sub-nav';
import { Cell } from '../../design/table/cell';
import type { Column } from '../../design/table/column';
import { DataTable } from '../../design/table/data-table';
import { Chip, type Tone } from '../../design/text/chip';
import { Name } from '../../design/text/name';
import { Time } from '../../design/text/time';
import { AccountFilter } from '../accounts/account-filter';
import { GrantDialog, type GrantDialogData } from '../accounts/grant-dialog';
import { planAdminLinks } from './plan-links';
import { SubscriptionDialog } from './subscription-dialog';

const TONES: Readonly<Record<SubscriptionView['status'], Tone>> = {
  active: 'good',
  cancelled: 'warn',
  ended: 'plain',
};

@Component({
  selector: 'weir-subscriptions',
  imports: [
    Name,
    AccountFilter,
    Cell,
    Chip,
    DataTable,
    EmptyState,
    Filter,
    Icon,
    MatButton,
    MatIconButton,
    MatMenuModule,
    Page,
    RouterLink,
    SubNav,
    Time,
  ],
  template: `
    <weir-page [heading]="t('nav.plans')" [intro]="t('subscriptions.intro')">
      <button pageAction matButton="filled" type="button" (click)="grant()">
        {{ t('accounts.grant') }}
      </button>
      <weir-sub-nav [label]="t('nav.plans')" [links]="links()" />
      <div class="cluster">
        <weir-account-filter [(value)]="accountId" />
        <weir-filter [label]="t('state.any')" [options]="statuses()" [(value)]="status" />
      </div>
      <weir-data-table
        [label]="t('subscriptions.title')"
        [list]="list"
        [columns]="columns()"
        [trackBy]="idOf"
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
            <button
              matIconButton
              type="button"
              class="row-button"
              [matMenuTriggerFor]="menu"
              [attr.aria-label]="t('action.more', { name: subscription.planName })"
            >
              <weir-icon name="more" />
            </button>
            <mat-menu #menu="matMenu" xPosition="before">
              <button mat-menu-item type="button" (click)="edit(subscription)">
                {{ t('subscriptions.edit') }}
              </button>
              <button mat-menu-item type="button" (click)="stop(subscription)">
                {{ t('subscriptions.stop') }}
              </button>
            </mat-menu>
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
  protected readonly links = planAdminLinks();
  protected readonly tones = TONES;
  protected readonly status = signal('');
  protected readonly accountId = signal('');
  protected readonly idOf = ({ id }: SubscriptionView): string => id;
  protected readonly statuses = computed(() =>
    SUBSCRIPTION_STATUSES.map((value) => ({ value, label: this.t(this.statusKey(value)) })),
  );
  protected readonly list = new RowList<SubscriptionView>((cursor) => {
    const status = SUBSCRIPTION_STATUSES.find((known) => known === this.status());
    const accountId = this.accountId();
    return this.#api.call('listSubscriptions', {
      query: {
        ...(cursor === undefined ? {} : { cursor }),
        ...(status === undefined ? {} : { status }),
        ...(accountId === '' ? {} : { accountId }),
      },
    });
  });
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'plan', header: this.t('accounts.plan'), width: '1.4fr', narrow: 'title' },
    { id: 'account', header: this.t('accounts.account'), width: '2fr', narrow: 'note' },
    { id: 'status', header: this.t('keys.status'), width: '7rem', narrow: 'value' },
    { id: 'ends', header: this.t('subscriptions.endsAt'), width: '10.5rem', narrow: 'detail' },
    { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
  ]);

  constructor() {
    effect(() => {
      this.status();
      this.accountId();
      untracked(() => void this.list.load());
    });
  }

  protected statusKey<Status extends string>(status: Status): `subscription.${Status}` {
    return `subscription.${status}`;
  }

  protected async grant(): Promise<void> {
    const granted = await this.#dialogs.open<GrantDialogData, boolean>(GrantDialog, { data: {} });
    if (granted === true || this.#keys.hasPending()) await this.list.load();
  }

  protected async edit(subscription: SubscriptionView): Promise<void> {
    try {
      const params = { subscriptionId: subscription.id };
      // As it is now: the list may be older than a renewal.
      const data = await this.#api.callTagged('getSubscription', { params });
      const updated = await this.#dialogs.open<Tagged<SubscriptionView>, SubscriptionView>(
        SubscriptionDialog,
        { data },
      );
      if (updated !== undefined) this.list.replace(({ id }) => id === updated.id, updated);
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
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
        this.list.replace(({ id }) => id === updated.id, updated);
      },
    });
  }
}
