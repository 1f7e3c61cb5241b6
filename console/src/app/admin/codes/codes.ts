import { Component, computed, inject, input } from '@angular/core';
import {
  REDEMPTION_BATCH_SORTS,
  type RedemptionBatchView,
} from '@weir/shared/money/redemption-codes';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Address } from '../../core/state/address';
import { filteredList } from '../../core/state/filtered-list';
import { Dialogs } from '../../design/dialog/dialogs';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { orderFrom } from '../../design/table/sort-order';
import { BatchDialog } from './batch-dialog';
import { CODE_LINKS } from './code-links';

const COLUMNS: readonly Column[] = [
  { id: 'name', header: 'codes.name', width: '2fr', narrow: 'title', sort: 'name' },
  { id: 'worth', header: 'codes.worth', width: '1fr', narrow: 'value' },
  { id: 'used', header: 'codes.used', width: '10rem', narrow: 'note' },
  { id: 'expires', header: 'keys.expiresAt', width: '8rem', wideOnly: true },
  {
    id: 'created',
    header: 'codes.createdAt',
    width: '7.5rem',
    narrow: 'detail',
    sort: '-created',
  },
  { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
];

@Component({
  selector: 'weir-codes',
  imports: [TABLE_PAGE],
  template: `
    <weir-page [heading]="t('nav.codes')" [intro]="t('codes.intro')">
      <weir-sub-nav [label]="t('nav.codes')" [links]="links" />
      <button pageAction matButton="filled" type="button" data-testid="create" (click)="create()">
        <weir-icon matButtonIcon name="plus" />{{ t('codes.create') }}
      </button>
      <weir-data-table
        [label]="t('codes.batches')"
        [list]="list"
        [columns]="columns"
        [order]="order()"
        (orderChange)="address.say('sort', $event)"
      >
        <ng-template weirCell="name" [weirCellRows]="list.rows()" let-batch>
          <a class="row-link two-lines" [routerLink]="['/admin/codes', batch.id]">{{
            batch.name
          }}</a>
        </ng-template>
        <ng-template weirCell="worth" [weirCellRows]="list.rows()" let-batch>
          @if (batch.amountUsd; as usd) {
            <weir-money [usd]="usd" />
          } @else {
            {{ batch.planName }}
          }
        </ng-template>
        <ng-template weirCell="used" [weirCellRows]="list.rows()" let-batch>{{
          t('codes.redeemedOf', { redeemed: batch.redeemedCount, count: batch.count })
        }}</ng-template>
        <ng-template weirCell="expires" [weirCellRows]="list.rows()" let-batch>
          @if (batch.expiresAt; as at) {
            <weir-time [at]="at" as="day" />
          } @else {
            <span class="soft">{{ t('codes.never') }}</span>
          }
        </ng-template>
        <ng-template weirCell="created" [weirCellRows]="list.rows()" let-batch>
          <weir-time [at]="batch.createdAt" />
        </ng-template>
        <ng-template weirCell="actions" [weirCellRows]="list.rows()" let-batch>
          <button
            matIconButton
            type="button"
            class="row-button"
            [matMenuTriggerFor]="menu"
            [attr.aria-label]="t('action.more', { name: batch.name })"
          >
            <weir-icon name="more" />
          </button>
          <mat-menu #menu="matMenu" xPosition="before">
            <a mat-menu-item download [href]="exportAddress(batch)">
              <weir-icon name="download" />{{ t('action.export') }}
            </a>
            <button mat-menu-item type="button" (click)="setStatus(batch, 'disabled')">
              <weir-icon name="pause" />{{ t('codes.disableAll') }}
            </button>
            <button mat-menu-item type="button" (click)="setStatus(batch, 'active')">
              <weir-icon name="play" />{{ t('codes.enableAll') }}
            </button>
          </mat-menu>
        </ng-template>
        <weir-empty-state icon="codes" [heading]="t('codes.none')" [hint]="t('codes.noneHint')">
          <button matButton="filled" type="button" (click)="create()">
            {{ t('codes.create') }}
          </button>
        </weir-empty-state>
      </weir-data-table>
    </weir-page>
  `,
})
export class Codes {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  protected readonly t = inject(I18n).t;
  protected readonly links = CODE_LINKS;
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();
  protected readonly address = inject(Address);
  protected readonly order = computed(() =>
    orderFrom(this.sort(), REDEMPTION_BATCH_SORTS, '-created'),
  );
  protected readonly list = filteredList(
    () => ({ sort: this.order() }),
    (query) => this.#api.call('listRedemptionBatches', { query }),
  );
  protected readonly columns = COLUMNS;

  protected exportAddress(batch: RedemptionBatchView): string {
    return this.#api.addressOf('exportRedemptionBatch', { params: { batchId: batch.id } });
  }

  protected async create(): Promise<void> {
    await this.#dialogs.open<null, boolean>(BatchDialog, { data: null });
    await this.list.load();
  }

  protected async setStatus(
    batch: RedemptionBatchView,
    status: 'active' | 'disabled',
  ): Promise<void> {
    const off = status === 'disabled';
    await this.#dialogs.confirm({
      heading: this.t(off ? 'codes.disableTitle' : 'codes.enableTitle'),
      text: this.t(off ? 'codes.disableText' : 'codes.enableText', { name: batch.name }),
      action: this.t(off ? 'codes.disableAll' : 'codes.enableAll'),
      destructive: off,
      work: async () => {
        const updated = await this.#api.call('updateRedemptionBatch', {
          params: { batchId: batch.id },
          body: { status },
        });
        this.list.replace(updated);
      },
    });
  }
}
