import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { KEY_SORTS, type KeyView } from '@weir/shared/keys';
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
import { keyActs } from './key-acts';
import type { KeyBatchDialogData } from './key-batch-dialog';
import { givesValues, keyState, works } from './key-status';
import { KeysState } from './keys-state';

const COLUMNS: readonly Column[] = [
  { id: 'name', header: 'keys.name', width: '2.2fr', narrow: 'title', sort: 'name' },
  { id: 'group', header: 'keys.group', width: '1.2fr', wideOnly: true },
  { id: 'status', header: 'keys.status', width: '6.5rem', narrow: 'detail' },
  {
    id: 'spend',
    header: 'keys.spendMonth',
    width: '7.5rem',
    align: 'end',
    narrow: 'value',
    sort: '-spend',
  },
  { id: 'used', header: 'keys.lastUsed', width: '7.5rem', narrow: 'note', sort: '-used' },
  { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
];

@Component({
  selector: 'weir-keys',
  imports: [BulkBar, TABLE_PAGE],
  templateUrl: './keys.html',
})
export class Keys {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #api = inject(Api);
  protected readonly address = inject(Address);
  protected readonly t = inject(I18n).t;
  protected readonly state = new KeysState(this.#api);
  readonly #groups = fetchOptions(async () => {
    const { data } = await this.#api.call('listGroups');
    return { data: data.filter(({ open, status }) => open && status === 'active') };
  });
  protected readonly keyState = keyState;
  protected readonly works = works;
  readonly #session = inject(Session);

  /** Query parameter: `new` opens the form for a key. */
  readonly open = input<string>();
  /** Query parameter: what to look for at first. */
  readonly search = input<string>();
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();

  protected readonly columns = COLUMNS;
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
    effect(() => {
      this.state.filters();
      this.state.order();
      untracked(() => void this.state.list.load());
    });
    effect(() => this.state.search.set(this.search() ?? ''));
    effect(() => this.state.order.set(orderFrom(this.sort(), KEY_SORTS, '-created')));
    effect(() => {
      if (this.open() === 'new') untracked(() => void this.create());
    });
  }

  protected async create(): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { KeyDialog } = await import('./key-dialog');
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
      const { KeyBatchDialog } = await import('./key-batch-dialog');
      const done = await this.#dialogs.open<KeyBatchDialogData, boolean>(KeyBatchDialog, {
        data: { forAccount: false },
        wide: true,
      });
      if (done === true) await this.state.list.load();
    });
  }

  protected async edit(key: KeyView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const [{ KeyDialog }, tagged] = await Promise.all([
        import('./key-dialog'),
        this.state.fetch(key.id),
      ]);
      const updated = await this.#dialogs.open<Tagged<KeyView> | null, KeyView>(KeyDialog, {
        data: tagged,
        wide: true,
      });
      if (updated === undefined) return;
      this.state.onChanged(updated);
      this.#toasts.info(this.t('keys.saved'));
    });
  }

  protected async setUp(key: KeyView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { KeySetupDialog } = await import('./key-setup-dialog');
      await this.#dialogs.open<KeyView, undefined>(KeySetupDialog, { data: key, wide: true });
    });
  }

  protected async rotate(key: KeyView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { RotateDialog } = await import('./rotate-dialog');
      const rotated = await this.#dialogs.open<KeyView, KeyView>(RotateDialog, { data: key });
      if (rotated !== undefined) this.state.onChanged(rotated);
    });
  }

  protected async toggle(key: KeyView): Promise<void> {
    const status = key.status === 'active' ? 'disabled' : 'active';
    await this.#toasts.reporting(async () => {
      await this.state.setStatus(key, status);
      this.#toasts.info(
        this.t(status === 'disabled' ? 'keys.nowDisabled' : 'keys.nowActive', { name: key.name }),
      );
    });
  }

  protected async delete(key: KeyView): Promise<void> {
    const deleted = await this.#dialogs.confirm({
      heading: this.t('keys.deleteTitle'),
      text: this.t('keys.deleteText'),
      action: this.t('keys.delete'),
      name: key.name,
      destructive: true,
      work: () => this.state.delete(key),
    });
    if (deleted) this.#toasts.info(this.t('keys.deleted', { name: key.name }));
  }

  protected isOwn(key: KeyView): boolean {
    return givesValues(key, this.#session.membership()?.memberId);
  }

  protected clearFilters(): void {
    this.state.search.set('');
    this.state.status.set('');
  }
}
