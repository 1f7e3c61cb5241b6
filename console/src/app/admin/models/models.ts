import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { MODEL_SORTS, type ModelView } from '@weir/shared/models';
import { Api } from '../../core/api/api';
import type { Tagged } from '../../core/api/call-input';
import { I18n } from '../../core/i18n/i18n';
import { namedOptions, statusOptions } from '../../core/i18n/options';
import { Address } from '../../core/state/address';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { orderFrom } from '../../design/table/sort-order';
import { BulkBar, type BulkAct } from '../../design/table/bulk-bar';
import { BulkGroupsDialog } from './bulk-groups-dialog';
import { BulkPriceDialog, type BulkPriceDialogData } from './bulk-price-dialog';
import { ImportDialog } from './import-dialog';
import { InlinePrice } from './inline-price';
import { ModelDialog } from './model-dialog';
import { ModelsState } from './models-state';
import { PricesDialog } from './prices-dialog';

const COLUMNS: readonly Column[] = [
  { id: 'model', header: 'models.model', width: '2fr', narrow: 'title', sort: 'name' },
  { id: 'groups', header: 'catalog.groups', width: '1.4fr', narrow: 'note', wideOnly: true },
  { id: 'status', header: 'keys.status', width: '7rem', narrow: 'value', sort: 'status' },
  {
    id: 'price',
    header: 'catalog.price',
    width: '14.5rem',
    align: 'end',
    narrow: 'detail',
    sort: 'price',
  },
  { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
];

@Component({
  selector: 'weir-admin-models',
  imports: [BulkBar, InlinePrice, TABLE_PAGE],
  templateUrl: './models.html',
})
export class AdminModels {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly address = inject(Address);
  protected readonly t = inject(I18n).t;
  protected readonly state = new ModelsState(inject(Api));
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

  protected groupNames(model: ModelView): string {
    const groups = this.state.groups.value() ?? [];
    return groups
      .filter(({ id }) => model.groupIds.includes(id))
      .map(({ name }) => name)
      .join(', ');
  }

  protected async create(): Promise<void> {
    const saved = await this.#openModel(null);
    if (saved === undefined) return;
    this.state.list.prepend(saved);
    // A model without a price cannot be served, so that comes next.
    await this.prices(saved);
  }

  protected async edit(model: ModelView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const saved = await this.#openModel(await this.state.fetch(model.id));
      if (saved === undefined) return;
      this.state.list.replace(saved);
      this.#toasts.info(this.t('catalog.saved', { name: saved.publicId }));
    });
  }

  #openModel(data: Tagged<ModelView> | null): Promise<ModelView | undefined> {
    return this.#dialogs.open<Tagged<ModelView> | null, ModelView>(ModelDialog, {
      data,
      wide: true,
    });
  }

  protected async prices(model: ModelView): Promise<void> {
    await this.#dialogs.open<ModelView, undefined>(PricesDialog, { data: model, wide: true });
    await this.state.refresh(model.id);
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

  protected async delete(model: ModelView): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t('catalog.deleteModelTitle'),
      text: this.t('catalog.deleteModelText'),
      action: this.t('keys.delete'),
      name: model.publicId,
      destructive: true,
      work: () => this.state.delete(model),
    });
  }
}
