import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { KEY_SORTS, type KeyView } from '@weir/shared/people/keys';
import { Activities } from '../activity/activities';
import { ActivityCells } from '../activity/activity-cells';
import { ACTIVITY_COLUMNS } from '../activity/activity-columns';
import { Api } from '../core/api/api';
import type { Tagged } from '../core/api/call-input';
import { I18n } from '../core/i18n/i18n';
import { fetchOptions, statusOptions } from '../core/i18n/options';
import { Session } from '../core/session/session';
import { Address } from '../core/state/address';
import { Dialogs } from '../design/dialog/dialogs';
import { Toasts } from '../design/feedback/toasts';
import { TABLE_PAGE } from '../design/page/page-parts';
import { BulkChanges } from '../design/bulk/bulk-changes';
import { orderFrom } from '../design/table/sort-order';
import { BulkBar } from '../design/table/bulk-bar';
import type { Column } from '../design/table/column';
import { addressChoice, addressSearch } from '../core/state/address-value';
import { FilterBar } from '../views/filter-bar';
import { KeyActions } from './key-actions';
import { keyActs } from './key-acts';
import type { KeyBatchDialogData } from './dialogs/key-batch-dialog';
import { givesValues, keyState, works } from './key-status';
import { KeysState } from './keys-state';

const COLUMNS: readonly Column[] = [
  { id: 'name', header: 'keys.name', width: '2.2fr', narrow: 'title', sort: 'name' },
  { id: 'group', header: 'keys.group', width: 'minmax(5.75rem, 1fr)', wideOnly: true },
  { id: 'status', header: 'keys.status', width: '5.5rem', narrow: 'detail' },
  ACTIVITY_COLUMNS.requests,
  ACTIVITY_COLUMNS.errors,
  ACTIVITY_COLUMNS.firstByte,
  ACTIVITY_COLUMNS.hours,
  {
    id: 'spend',
    header: 'keys.spendMonth',
    width: '6.5rem',
    align: 'end',
    narrow: 'value',
    sort: '-spend',
  },
  {
    ...{ id: 'used', header: 'keys.lastUsed', width: '6.5rem', narrow: 'note' },
    ...{ wideOnly: true, sort: '-used' },
  },
  { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
];

@Component({
  selector: 'weir-keys',
  imports: [ActivityCells, BulkBar, FilterBar, TABLE_PAGE],
  templateUrl: './keys.html',
})
export class Keys {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #api = inject(Api);
  protected readonly address = inject(Address);
  protected readonly t = inject(I18n).t;
  protected readonly state = new KeysState(this.#api, {
    search: addressSearch('search'),
    status: addressChoice('status', ['active', 'disabled']),
  });
  readonly #groups = fetchOptions(async () => {
    const { data } = await this.#api.call('listGroups');
    return { data: data.filter(({ open, status }) => open && status === 'active') };
  });
  protected readonly keyState = keyState;
  protected readonly works = works;
  readonly #session = inject(Session);
  protected readonly mayKeepContent = this.#session.may('setContentLog');

  /** Query parameter: `new` opens the form for a key. */
  readonly open = input<string>();
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();

  protected readonly columns = COLUMNS;
  protected readonly activities = new Activities(this.state.list.rows, (ids) =>
    this.#api.call('listOwnKeyActivities', { query: { ids } }),
  );
  protected readonly actions = new KeyActions(this.state);
  protected readonly acts = keyActs({
    groups: () => this.#groups.value() ?? [],
    t: this.t,
    bulk: new BulkChanges<KeyView>({
      dialogs: this.#dialogs,
      toasts: this.#toasts,
      selection: this.state.selection,
      list: this.state.list,
      filters: () => this.state.filters(),
      send: ({ body, dryRun }, idempotencyKey) =>
        this.#api.call('changeOwnKeysInBulk', { body: { ...body, dryRun }, idempotencyKey }),
    }),
  });
  protected readonly statusOptions = statusOptions();
  protected readonly filtered = computed(
    () => this.state.search() !== '' || this.state.status() !== '',
  );

  constructor() {
    effect(() => this.state.order.set(orderFrom(this.sort(), KEY_SORTS, '-created')));
    effect(() => {
      this.state.filters();
      this.state.order();
      untracked(() => void this.state.list.load());
    });
    effect(() => {
      if (this.open() === 'new') untracked(() => void this.create());
    });
  }

  protected async create(): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { KeyDialog } = await import('./dialogs/key-dialog');
      const created = await this.#dialogs.open<Tagged<KeyView> | null, KeyView>(KeyDialog, {
        data: null,
        wide: true,
      });
      if (created !== undefined) this.state.onCreated(created);
    });
    if (this.open() === undefined) return;
    await this.address.forget('open');
  }

  protected async createSeveral(): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { KeyBatchDialog } = await import('./dialogs/key-batch-dialog');
      const done = await this.#dialogs.open<KeyBatchDialogData, boolean>(KeyBatchDialog, {
        data: { forAccount: false },
        wide: true,
      });
      if (done === true) await this.state.list.load();
    });
  }

  protected memberId(): string | undefined {
    return this.#session.membership()?.memberId;
  }

  protected isOwn(key: KeyView): boolean {
    return givesValues(key, this.memberId());
  }

  protected clearFilters(): void {
    this.state.search.set('');
    this.state.status.set('');
  }
}
