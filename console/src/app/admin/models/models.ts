import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { MODEL_SORTS, type ModelView } from '@weir/shared/catalog/models';
import { Activities } from '../../activity/activities';
import { ActivityCells } from '../../activity/activity-cells';
import { ACTIVITY_COLUMNS } from '../../activity/activity-columns';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { namedOptions, statusOptions } from '../../core/i18n/options';
import { Address } from '../../core/state/address';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { orderFrom } from '../../design/table/sort-order';
import { BulkChanges } from '../../design/bulk/bulk-changes';
import { BulkBar } from '../../design/table/bulk-bar';
import { addressChoice, addressId, addressSearch } from '../../core/state/address-value';
import { FilterBar } from '../../views/filter-bar';
import { InlinePrice } from './prices/inline-price';
import { ModelActions } from './model-actions';
import { modelBulkActs } from './model-bulk-acts';
import { ModelsState } from './models-state';

const COLUMNS: readonly Column[] = [
  {
    id: 'model',
    header: 'models.model',
    width: 'minmax(7rem, 2fr)',
    narrow: 'title',
    sort: 'name',
  },
  { id: 'status', header: 'keys.status', width: '5.25rem', narrow: 'value', sort: 'status' },
  ACTIVITY_COLUMNS.requests,
  ACTIVITY_COLUMNS.errors,
  ACTIVITY_COLUMNS.firstByte,
  ACTIVITY_COLUMNS.spend,
  ACTIVITY_COLUMNS.hours,
  {
    id: 'price',
    header: 'catalog.priceHead',
    width: '12rem',
    align: 'end',
    narrow: 'detail',
    sort: 'price',
  },
  { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
];

@Component({
  selector: 'weir-admin-models',
  imports: [ActivityCells, BulkBar, FilterBar, InlinePrice, TABLE_PAGE],
  templateUrl: './models.html',
})
export class AdminModels {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly address = inject(Address);
  protected readonly t = inject(I18n).t;
  readonly #api = inject(Api);
  protected readonly state = new ModelsState(this.#api, {
    search: addressSearch('search'),
    status: addressChoice('status', ['active', 'disabled']),
    groupId: addressId('group'),
  });
  protected readonly actions = new ModelActions({
    fetch: (modelId) => this.state.fetch(modelId),
    delete: (model) => this.state.delete(model),
    onChanged: (model) => this.state.list.replace(model),
  });
  protected readonly activities = new Activities(this.state.list.rows, (ids) =>
    this.#api.call('listActivities', { query: { kind: 'model', ids } }),
  );
  protected readonly statuses = statusOptions();
  protected readonly groupOptions = computed(() => namedOptions(this.state.groups.value()));
  protected readonly columns = COLUMNS;
  protected readonly acts = modelBulkActs({
    api: this.#api,
    groups: this.groupOptions,
    t: this.t,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    bulk: new BulkChanges<ModelView>({
      dialogs: this.#dialogs,
      toasts: this.#toasts,
      selection: this.state.selection,
      list: this.state.list,
      filters: () => this.state.filters(),
      send: ({ body, dryRun }, idempotencyKey) =>
        this.#api.call('changeModelsInBulk', { body: { ...body, dryRun }, idempotencyKey }),
    }),
  });

  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();

  constructor() {
    effect(() => this.state.order.set(orderFrom(this.sort(), MODEL_SORTS, 'order')));
    void this.state.groups.load();
    effect(() => {
      this.state.filters();
      this.state.order();
      untracked(() => void this.state.list.load());
    });
  }

  protected async create(): Promise<void> {
    await this.#toasts.reporting(async () => {
      const saved = await this.actions.open(null);
      if (saved === undefined) return;
      this.state.list.prepend(saved);
      // A model without a price cannot be served, so that comes next.
      await this.actions.prices(saved);
    });
  }

  protected async import(): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { ImportDialog } = await import('./import/import-dialog');
      const done = await this.#dialogs.open<null, boolean>(ImportDialog, {
        data: null,
        wide: true,
      });
      if (done === true) await this.state.list.load();
    });
  }
}
