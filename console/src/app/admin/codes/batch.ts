import { Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import {
  REDEMPTION_CODE_SORTS,
  REDEMPTION_STATUSES,
  type RedemptionBatchView,
  type RedemptionCodeView,
} from '@weir/shared/money/redemption-codes';
import { Api } from '../../core/api/api';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { keyIn } from '../../core/i18n/options';
import { Address } from '../../core/state/address';
import { filteredList } from '../../core/state/filtered-list';
import { Loadable } from '../../core/state/loadable';
import { Selection } from '../../core/state/selection';
import { BulkChanges } from '../../design/bulk/bulk-changes';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { TABLE_PAGE } from '../../design/page/page-parts';
import { BulkBar } from '../../design/table/bulk-bar';
import type { Column } from '../../design/table/column';
import { orderFrom } from '../../design/table/sort-order';
import type { Tone } from '../../design/text/chip';
import { codeBulkActs } from './code-bulk-acts';

const TONES: Readonly<Record<RedemptionCodeView['status'], Tone>> = {
  active: 'good',
  disabled: 'plain',
  redeemed: 'brand',
  expired: 'warn',
};

const COLUMNS: readonly Column[] = [
  { id: 'hint', header: 'billing.code', width: '1fr', narrow: 'title' },
  { id: 'worth', header: 'codes.worth', width: '1fr', narrow: 'note' },
  { id: 'status', header: 'keys.status', width: '8rem', narrow: 'value', sort: 'status' },
  { id: 'by', header: 'codes.redeemedAt', width: '1.4fr', narrow: 'detail' },
  { id: 'actions', header: '', width: '6rem', align: 'end', narrow: 'actions' },
];

/** The codes of a batch, and who redeemed them. */
@Component({
  selector: 'weir-batch',
  imports: [BulkBar, TABLE_PAGE],
  template: `
    <weir-page [heading]="batch.value()?.name ?? t('codes.codes')" [intro]="redeemed()">
      <weir-back-link pageBack to="/admin/codes" [label]="t('codes.batches')" />
      <a pageAction matButton="outlined" download [href]="exportAddress()">
        <weir-icon matButtonIcon name="download" />{{ t('action.export') }}
      </a>
      @if (batch.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="batch.load()" />
      }
      <weir-filter [label]="t('state.any')" [options]="statuses()" [(value)]="status" />
      <weir-bulk-bar [selection]="selection" [acts]="acts" />
      <weir-data-table
        [selection]="selection"
        [label]="t('codes.codes')"
        [list]="list"
        [columns]="columns"
        [order]="order()"
        (orderChange)="address.say('sort', $event)"
      >
        <ng-template weirCell="hint" [weirCellRows]="list.rows()" let-code>
          <code>…{{ code.hint }}</code>
        </ng-template>
        <ng-template weirCell="worth" [weirCellRows]="list.rows()" let-code>
          @if (code.amountUsd; as usd) {
            <weir-money [usd]="usd" />
          } @else {
            {{ batch.value()?.planName ?? t('codes.plan') }}
          }
        </ng-template>
        <ng-template weirCell="status" [weirCellRows]="list.rows()" let-code>
          <weir-chip [tone]="tones[code.status]">{{ t(statusKey(code.status)) }}</weir-chip>
        </ng-template>
        <ng-template weirCell="by" [weirCellRows]="list.rows()" let-code>
          @if (code.redeemedByAccountId; as accountId) {
            <a [routerLink]="['/admin/accounts', accountId]">
              @if (code.redeemedAt; as at) {
                <weir-time [at]="at" />
              }
            </a>
          }
        </ng-template>
        <ng-template weirCell="actions" [weirCellRows]="list.rows()" let-code>
          @if (code.status === 'active' || code.status === 'disabled') {
            <button
              matButton
              type="button"
              [attr.aria-label]="
                t(code.status === 'active' ? 'keys.disableNamed' : 'keys.enableNamed', {
                  name: code.hint,
                })
              "
              (click)="toggle(code)"
            >
              {{ code.status === 'active' ? t('action.disable') : t('action.enable') }}
            </button>
          }
        </ng-template>
        <weir-empty-state icon="codes" [heading]="t('codes.noneFound')" />
      </weir-data-table>
    </weir-page>
  `,
})
export class Batch {
  readonly #api = inject(Api);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly tones = TONES;
  protected readonly statusKey = keyIn('code');
  protected readonly status = signal<RedemptionCodeView['status'] | ''>('');

  /** Route parameter. */
  readonly batchId = input.required<string>();
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();
  protected readonly address = inject(Address);
  protected readonly order = computed(() =>
    orderFrom(this.sort(), REDEMPTION_CODE_SORTS, '-created'),
  );

  protected readonly statuses = optionsOf(REDEMPTION_STATUSES, this.statusKey);
  protected readonly exportAddress = computed(() =>
    this.#api.addressOf('exportRedemptionBatch', { params: { batchId: this.batchId() } }),
  );
  protected readonly batch = new Loadable<RedemptionBatchView>(() =>
    this.#api.call('getRedemptionBatch', { params: { batchId: this.batchId() } }),
  );
  protected readonly redeemed = computed(() => {
    const batch = this.batch.value();
    if (batch === undefined) return '';
    return this.t('codes.redeemedOf', { redeemed: batch.redeemedCount, count: batch.count });
  });
  protected readonly list = filteredList(
    () => ({ batchId: this.batchId(), status: this.status(), sort: this.order() }),
    (query) => this.#api.call('listRedemptionCodes', { query }),
  );
  protected readonly columns = COLUMNS;
  protected readonly selection = new Selection(this.list, {
    idOf: ({ id }) => id,
    nameOf: ({ hint }) => hint,
  });
  protected readonly acts = codeBulkActs({
    t: this.t,
    bulk: new BulkChanges<RedemptionCodeView>({
      dialogs: inject(Dialogs),
      toasts: this.#toasts,
      selection: this.selection,
      list: this.list,
      filters: () => ({ batchId: this.batchId(), status: this.status() }),
      send: ({ body, dryRun }, idempotencyKey) =>
        this.#api.call('changeRedemptionCodesInBulk', {
          body: { ...body, dryRun },
          idempotencyKey,
        }),
    }),
  });

  constructor() {
    effect(() => {
      this.batchId();
      untracked(() => {
        this.batch.clear();
        void this.batch.load();
      });
    });
  }

  protected async toggle(code: RedemptionCodeView): Promise<void> {
    const status = code.status === 'active' ? 'disabled' : 'active';
    await this.#toasts.reporting(async () => {
      const updated = await this.#api.call('updateRedemptionCode', {
        params: { redemptionCodeId: code.id },
        body: { status },
      });
      this.list.replace(updated);
    });
  }
}
