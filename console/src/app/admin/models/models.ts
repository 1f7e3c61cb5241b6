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
import { BulkChanges } from '../../design/bulk/bulk-changes';
import { BulkBar } from '../../design/table/bulk-bar';
import { ImportDialog } from './import-dialog';
import { InlinePrice } from './inline-price';
import { ModelDialog } from './model-dialog';
import { modelBulkActs } from './model-bulk-acts';
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
  readonly #api = inject(Api);
  protected readonly state = new ModelsState(this.#api);
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
      this.state.order();
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
