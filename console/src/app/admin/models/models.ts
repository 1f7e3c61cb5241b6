import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { MatButton, MatIconButton } from '@angular/material/button';
import { MatMenuModule } from '@angular/material/menu';
import type { ModelView } from '@weir/shared/models';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import { I18n } from '../../core/i18n/i18n';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { Toasts } from '../../design/feedback/toasts';
import { Filter } from '../../design/field/filter';
import { SearchBox } from '../../design/field/search-box';
import { Icon } from '../../design/icon/icon';
import { Page } from '../../design/page/page';
import { Cell } from '../../design/table/cell';
import type { Column } from '../../design/table/column';
import { DataTable } from '../../design/table/data-table';
import { Chip } from '../../design/text/chip';
import { Time } from '../../design/text/time';
import { BulkBar } from '../../design/table/bulk-bar';
import { BulkGroupsDialog } from './bulk-groups-dialog';
import { BulkPriceDialog, type BulkPriceDialogData } from './bulk-price-dialog';
import { ImportDialog } from './import-dialog';
import { InlinePrice } from './inline-price';
import { ModelDialog, type ModelDialogData } from './model-dialog';
import { ModelsState } from './models-state';
import { PricesDialog } from './prices-dialog';

@Component({
  selector: 'weir-admin-models',
  imports: [
    BulkBar,
    Cell,
    Chip,
    DataTable,
    EmptyState,
    Filter,
    Icon,
    InlinePrice,
    MatButton,
    MatIconButton,
    MatMenuModule,
    Page,
    SearchBox,
    Time,
  ],
  templateUrl: './models.html',
})
export class AdminModels {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly state = new ModelsState(inject(Api));
  protected readonly nameOf = ({ publicId }: ModelView): string => publicId;
  protected readonly idOf = ({ id }: ModelView): string => id;
  protected readonly statuses = computed(() => [
    { value: 'active', label: this.t('state.active') },
    { value: 'disabled', label: this.t('state.disabled') },
  ]);
  protected readonly groupOptions = computed(() =>
    (this.state.groups.value() ?? []).map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'model', header: this.t('models.model'), width: '2fr', narrow: 'title' },
    {
      id: 'groups',
      header: this.t('catalog.groups'),
      width: '1.4fr',
      narrow: 'note',
      wideOnly: true,
    },
    { id: 'status', header: this.t('keys.status'), width: '7rem', narrow: 'value' },
    {
      id: 'price',
      header: this.t('catalog.price'),
      width: '14.5rem',
      align: 'end',
      narrow: 'detail',
    },
    { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
  ]);

  /** Query parameter: what to look for at first. */
  readonly search = input<string>();

  constructor() {
    effect(() => this.state.search.set(this.search() ?? ''));
    void this.state.groups.load();
    effect(() => {
      this.state.search();
      this.state.status();
      this.state.groupId();
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
    const saved = await this.#openModel({});
    if (saved === undefined) return;
    this.state.list.prepend(saved);
    // A model without a price cannot be served, so that comes next.
    await this.prices(saved);
  }

  protected async edit(model: ModelView): Promise<void> {
    try {
      const saved = await this.#openModel({ model: await this.state.fetch(model.id) });
      if (saved === undefined) return;
      this.state.list.replace(({ id }) => id === saved.id, saved);
      this.#toasts.info(this.t('catalog.saved', { name: saved.publicId }));
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }

  #openModel(data: ModelDialogData): Promise<ModelView | undefined> {
    return this.#dialogs.open<ModelDialogData, ModelView>(ModelDialog, { data, wide: true });
  }

  protected async prices(model: ModelView): Promise<void> {
    await this.#dialogs.open<ModelView, undefined>(PricesDialog, { data: model, wide: true });
    await this.state.refresh(model.id);
  }

  protected async import(): Promise<void> {
    const done = await this.#dialogs.open<null, boolean>(ImportDialog, { data: null, wide: true });
    if (done === true) await this.state.list.load();
  }

  protected async setStatus(status: ModelView['status']): Promise<void> {
    const { selection } = this.state;
    const count = selection.rows().length;
    const isOff = status === 'disabled';
    await this.#dialogs.confirm({
      heading: this.t(isOff ? 'bulk.disableTitle' : 'bulk.enableTitle', { count }),
      text: this.t(isOff ? 'bulk.disableText' : 'bulk.enableText'),
      action: this.t(isOff ? 'action.disable' : 'action.enable'),
      destructive: isOff,
      work: () => selection.forEach(({ id }) => this.state.change(id, { status })),
    });
  }

  protected async deleteSelected(): Promise<void> {
    const { selection } = this.state;
    const count = selection.rows().length;
    await this.#dialogs.confirm({
      heading: this.t('bulk.deleteTitle', { count }),
      text: this.t('catalog.deleteModelText'),
      action: this.t('keys.delete'),
      name: String(count),
      destructive: true,
      work: () => selection.forEach((model) => this.state.delete(model)),
    });
  }

  protected async changePrices(): Promise<void> {
    await this.#openBulk(BulkPriceDialog);
  }

  protected async changeGroups(): Promise<void> {
    await this.#openBulk(BulkGroupsDialog);
  }

  #openBulk(
    dialog: typeof BulkPriceDialog | typeof BulkGroupsDialog,
  ): Promise<boolean | undefined> {
    const data = { selection: this.state.selection, state: this.state };
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
