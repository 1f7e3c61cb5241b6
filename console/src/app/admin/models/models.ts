import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { MODEL_SORTS, type ModelView } from '@weir/shared/models';
import { Activities } from '../../activity/activities';
import { ActivityCells } from '../../activity/activity-cells';
import { ACTIVITY_COLUMNS } from '../../activity/activity-columns';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { namedOptions, statusOptions } from '../../core/i18n/options';
import { Address } from '../../core/state/address';
import { Dialogs } from '../../design/dialog/dialogs';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { orderFrom } from '../../design/table/sort-order';
import { BulkBar, type BulkAct } from '../../design/table/bulk-bar';
import { BulkGroupsDialog } from './bulk-groups-dialog';
import { BulkPriceDialog, type BulkPriceDialogData } from './bulk-price-dialog';
import { ImportDialog } from './import-dialog';
import { InlinePrice } from './inline-price';
import { ModelActions } from './model-actions';
import { ModelsState } from './models-state';

const COLUMNS: readonly Column[] = [
  { id: 'model', header: 'models.model', width: '2fr', narrow: 'title', sort: 'name' },
  { id: 'status', header: 'keys.status', width: '6rem', narrow: 'value', sort: 'status' },
  ACTIVITY_COLUMNS.requests,
  ACTIVITY_COLUMNS.errors,
  ACTIVITY_COLUMNS.firstByte,
  ACTIVITY_COLUMNS.spend,
  ACTIVITY_COLUMNS.hours,
  {
    id: 'price',
    header: 'catalog.price',
    width: '13rem',
    align: 'end',
    narrow: 'detail',
    sort: 'price',
  },
  { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
];

@Component({
  selector: 'weir-admin-models',
  imports: [ActivityCells, BulkBar, InlinePrice, TABLE_PAGE],
  templateUrl: './models.html',
})
export class AdminModels {
  readonly #dialogs = inject(Dialogs);
  protected readonly address = inject(Address);
  protected readonly t = inject(I18n).t;
  readonly #api = inject(Api);
  protected readonly state = new ModelsState(this.#api);
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
  protected readonly acts: readonly BulkAct[] = [
    { label: 'action.enable', run: () => this.#setStatus('active') },
    { label: 'action.disable', run: () => this.#setStatus('disabled') },
    { label: 'bulk.groups', run: () => this.#openBulk(BulkGroupsDialog) },
    { label: 'bulk.price', run: () => this.#openBulk(BulkPriceDialog) },
    { label: 'keys.deleteAction', run: () => this.#deleteSelected() },
  ];

  /** Query parameter: what to look for at first. */
  readonly search = input<string>();
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();

  constructor() {
    effect(() => this.state.search.set(this.search() ?? ''));
    effect(() => this.state.order.set(orderFrom(this.sort(), MODEL_SORTS, 'order')));
    void this.state.groups.load();
    effect(() => {
      this.state.filters();
      untracked(() => void this.state.list.load());
    });
  }

  protected async create(): Promise<void> {
    const saved = await this.actions.open(null);
    if (saved === undefined) return;
    this.state.list.prepend(saved);
    // A model without a price cannot be served, so that comes next.
    await this.actions.prices(saved);
  }

  protected async import(): Promise<void> {
    const done = await this.#dialogs.open<null, boolean>(ImportDialog, { data: null, wide: true });
    if (done === true) await this.state.list.load();
  }

  async #setStatus(status: ModelView['status']): Promise<void> {
    const { selection } = this.state;
    const count = selection.rows().length;
    const isOff = status === 'disabled';
    await this.#dialogs.confirmMany({
      selection,
      heading: this.t(isOff ? 'bulk.disableTitle' : 'bulk.enableTitle', { count }),
      text: this.t(isOff ? 'bulk.disableText' : 'bulk.enableText'),
      action: this.t(isOff ? 'action.disable' : 'action.enable'),
      destructive: isOff,
      work: ({ id }) => this.state.change(id, { status }),
    });
  }

  async #deleteSelected(): Promise<void> {
    const { selection } = this.state;
    const count = selection.rows().length;
    await this.#dialogs.confirmMany({
      selection,
      heading: this.t('bulk.deleteTitle', { count }),
      text: this.t('catalog.deleteModelText'),
      action: this.t('keys.delete'),
      name: String(count),
      destructive: true,
      work: (model) => this.state.delete(model),
    });
  }

  #openBulk(
    dialog: typeof BulkPriceDialog | typeof BulkGroupsDialog,
  ): Promise<boolean | undefined> {
    const data = { selection: this.state.selection, state: this.state };
    data.selection.forgetFailures();
    return this.#dialogs.open<BulkPriceDialogData, boolean>(dialog, { data });
  }
}
