import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { MatButton, MatIconButton } from '@angular/material/button';
import { MatMenuModule } from '@angular/material/menu';
import { Router, RouterLink } from '@angular/router';
import type { KeyView } from '@weir/shared/keys';
import { Api } from '../core/api/api';
import { failureOf } from '../core/api/api-failure';
import { I18n } from '../core/i18n/i18n';
import { Dialogs } from '../design/dialog/dialogs';
import { EmptyState } from '../design/feedback/empty-state';
import { Toasts } from '../design/feedback/toasts';
import { Filter } from '../design/field/filter';
import { SearchBox } from '../design/field/search-box';
import { Icon } from '../design/icon/icon';
import { Page } from '../design/page/page';
import { Cell } from '../design/table/cell';
import type { Column } from '../design/table/column';
import { DataTable } from '../design/table/data-table';
import { Chip } from '../design/text/chip';
import { Money } from '../design/text/money';
import { Time } from '../design/text/time';
import type { KeyDialogData } from './key-dialog';
import { keyState, works } from './key-status';
import { KeysState } from './keys-state';

@Component({
  selector: 'weir-keys',
  imports: [
    Cell,
    Chip,
    DataTable,
    EmptyState,
    Filter,
    Icon,
    MatButton,
    MatIconButton,
    MatMenuModule,
    Money,
    Page,
    RouterLink,
    SearchBox,
    Time,
  ],
  templateUrl: './keys.html',
})
export class Keys {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #router = inject(Router);
  protected readonly t = inject(I18n).t;
  protected readonly state = new KeysState(inject(Api));
  protected readonly keyState = keyState;
  protected readonly works = works;
  protected readonly idOf = ({ id }: KeyView): string => id;

  /** Query parameter: `new` opens the form for a key. */
  readonly open = input<string>();
  /** Query parameter: what to look for at first. */
  readonly search = input<string>();

  protected readonly columns = computed((): readonly Column[] => [
    { id: 'name', header: this.t('keys.name'), width: '2.2fr', narrow: 'title' },
    { id: 'group', header: this.t('keys.group'), width: '1.2fr', narrow: 'hidden', wideOnly: true },
    { id: 'status', header: this.t('keys.status'), width: '6.5rem', narrow: 'detail' },
    {
      id: 'spend',
      header: this.t('keys.spendMonth'),
      width: '7.5rem',
      align: 'end',
      narrow: 'value',
    },
    { id: 'used', header: this.t('keys.lastUsed'), width: '7.5rem', narrow: 'note' },
    { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
  ]);
  protected readonly statusOptions = computed(() => [
    { value: 'active', label: this.t('state.active') },
    { value: 'disabled', label: this.t('state.disabled') },
  ]);
  protected readonly filtered = computed(
    () => this.state.search() !== '' || this.state.status() !== '',
  );

  constructor() {
    effect(() => {
      this.state.search();
      this.state.status();
      untracked(() => void this.state.list.load());
    });
    effect(() => this.state.search.set(this.search() ?? ''));
    effect(() => {
      if (this.open() === 'new') untracked(() => void this.create());
    });
  }

  protected async create(): Promise<void> {
    await this.#reportingFailure(async () => {
      const { KeyDialog } = await import('./key-dialog');
      const created = await this.#dialogs.open<KeyDialogData, KeyView>(KeyDialog, {
        data: {},
        wide: true,
      });
      if (created !== undefined) this.state.onCreated(created);
    });
    if (this.open() === undefined) return;
    await this.#router.navigate([], {
      queryParams: { open: null },
      queryParamsHandling: 'merge',
      // Back must not open it again.
      replaceUrl: true,
    });
  }

  protected async edit(key: KeyView): Promise<void> {
    await this.#reportingFailure(async () => {
      const [{ KeyDialog }, tagged] = await Promise.all([
        import('./key-dialog'),
        this.state.fetch(key.id),
      ]);
      const updated = await this.#dialogs.open<KeyDialogData, KeyView>(KeyDialog, {
        data: { key: tagged },
        wide: true,
      });
      if (updated === undefined) return;
      this.state.onChanged(updated);
      this.#toasts.info(this.t('keys.saved'));
    });
  }

  protected async rotate(key: KeyView): Promise<void> {
    await this.#reportingFailure(async () => {
      const { RotateDialog } = await import('./rotate-dialog');
      const rotated = await this.#dialogs.open<KeyView, KeyView>(RotateDialog, { data: key });
      if (rotated !== undefined) this.state.onChanged(rotated);
    });
  }

  protected async toggle(key: KeyView): Promise<void> {
    const status = key.status === 'active' ? 'disabled' : 'active';
    await this.#reportingFailure(async () => {
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

  protected clearFilters(): void {
    this.state.search.set('');
    this.state.status.set('');
  }

  async #reportingFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }
}
