import { Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import {
  REDEMPTION_STATUSES,
  type RedemptionBatchView,
  type RedemptionCodeView,
} from '@weir/shared/redemption-codes';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import { I18n } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { RowList } from '../../core/state/row-list';
import { EmptyState } from '../../design/feedback/empty-state';
import { FailureNote } from '../../design/feedback/failure-note';
import { Toasts } from '../../design/feedback/toasts';
import { Filter } from '../../design/field/filter';
import { Icon } from '../../design/icon/icon';
import { BackLink } from '../../design/page/back-link';
import { Page } from '../../design/page/page';
import { Cell } from '../../design/table/cell';
import type { Column } from '../../design/table/column';
import { DataTable } from '../../design/table/data-table';
import { Chip, type Tone } from '../../design/text/chip';
import { Money } from '../../design/text/money';
import { Time } from '../../design/text/time';

const TONES: Readonly<Record<RedemptionCodeView['status'], Tone>> = {
  active: 'good',
  disabled: 'plain',
  redeemed: 'brand',
  expired: 'warn',
};

/** The codes of a batch, and who redeemed them. */
@Component({
  selector: 'weir-batch',
  imports: [
    BackLink,
    Cell,
    Chip,
    DataTable,
    EmptyState,
    FailureNote,
    Filter,
    Icon,
    MatButton,
    Money,
    Page,
    RouterLink,
    Time,
  ],
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
      <weir-data-table
        [label]="t('codes.codes')"
        [list]="list"
        [columns]="columns()"
        [trackBy]="idOf"
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
  protected readonly status = signal('');
  protected readonly idOf = ({ id }: RedemptionCodeView): string => id;

  /** Route parameter. */
  readonly batchId = input.required<string>();

  protected readonly statuses = computed(() =>
    REDEMPTION_STATUSES.map((value) => ({ value, label: this.t(this.statusKey(value)) })),
  );
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
  protected readonly list = new RowList<RedemptionCodeView>((cursor) => {
    const status = REDEMPTION_STATUSES.find((known) => known === this.status());
    return this.#api.call('listRedemptionCodes', {
      query: {
        batchId: this.batchId(),
        ...(cursor === undefined ? {} : { cursor }),
        ...(status === undefined ? {} : { status }),
      },
    });
  });
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'hint', header: this.t('billing.code'), width: '1fr', narrow: 'title' },
    { id: 'worth', header: this.t('codes.worth'), width: '1fr', narrow: 'note' },
    { id: 'status', header: this.t('keys.status'), width: '8rem', narrow: 'value' },
    { id: 'by', header: this.t('codes.redeemedAt'), width: '1.4fr', narrow: 'detail' },
    { id: 'actions', header: '', width: '6rem', align: 'end', narrow: 'actions' },
  ]);

  constructor() {
    effect(() => {
      this.batchId();
      untracked(() => {
        this.batch.clear();
        void this.batch.load();
      });
    });
    effect(() => {
      this.batchId();
      this.status();
      untracked(() => void this.list.load());
    });
  }

  protected statusKey<Status extends string>(status: Status): `code.${Status}` {
    return `code.${status}`;
  }

  protected async toggle(code: RedemptionCodeView): Promise<void> {
    const status = code.status === 'active' ? 'disabled' : 'active';
    try {
      const updated = await this.#api.call('updateRedemptionCode', {
        params: { redemptionCodeId: code.id },
        body: { status },
      });
      this.list.replace(({ id }) => id === updated.id, updated);
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }
}
