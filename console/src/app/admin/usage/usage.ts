import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { Router, RouterLink } from '@angular/router';
import { USAGE_STATUSES } from '@weir/shared/usage-record';
import type { UsageRecordAdminView } from '@weir/shared/usage';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { Toasts } from '../../design/feedback/toasts';
import { Filter } from '../../design/field/filter';
import { Pills } from '../../design/field/pills';
import { Icon } from '../../design/icon/icon';
import { Page } from '../../design/page/page';
import { Cell } from '../../design/table/cell';
import type { Column } from '../../design/table/column';
import { DataTable } from '../../design/table/data-table';
import { Chip } from '../../design/text/chip';
import { Money } from '../../design/text/money';
import { Name } from '../../design/text/name';
import { Time } from '../../design/text/time';
import { RangeFilter } from '../../usage/range-filter';
import { RecordDialog } from '../../usage/record-dialog';
import { RECORD_STATUS } from '../../usage/record-words';
import { UsageChart } from '../../usage/usage-chart';
import { idFrom } from '../../usage/usage-filters';
import { AccountFilter } from '../accounts/account-filter';
import { AdminUsageState, type AdminSplitBy } from './usage-state';

@Component({
  selector: 'weir-admin-usage',
  imports: [
    Name,
    AccountFilter,
    Cell,
    Chip,
    DataTable,
    EmptyState,
    Filter,
    Icon,
    MatButton,
    Money,
    Page,
    Pills,
    RangeFilter,
    RouterLink,
    Time,
    UsageChart,
  ],
  templateUrl: './usage.html',
})
export class AdminUsage {
  readonly #api = inject(Api);
  readonly #toasts = inject(Toasts);
  readonly #dialogs = inject(Dialogs);
  readonly #router = inject(Router);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly state = new AdminUsageState(this.#api, this.formatter.today);
  protected readonly statusWords = RECORD_STATUS;
  protected readonly idOf = ({ requestId }: UsageRecordAdminView): string => requestId;

  /** Query parameter: one account only. */
  readonly account = input<string>();
  /** Query parameter: the request whose bill is opened. */
  readonly record = input<string>();

  protected readonly columns = computed((): readonly Column[] => [
    { id: 'time', header: this.t('record.time'), width: '10.5rem', narrow: 'note' },
    { id: 'model', header: this.t('record.model'), width: '1.6fr', narrow: 'title' },
    { id: 'account', header: this.t('record.account'), width: '1.4fr', narrow: 'hidden' },
    {
      id: 'channel',
      header: this.t('record.channel'),
      width: '1fr',
      narrow: 'hidden',
      wideOnly: true,
    },
    {
      id: 'status',
      header: this.t('record.status'),
      width: '8.5rem',
      narrow: 'hidden',
      wideOnly: true,
    },
    {
      id: 'tokens',
      header: this.t('record.tokens'),
      width: '8rem',
      align: 'end',
      narrow: 'detail',
    },
    { id: 'cost', header: this.t('record.cost'), width: '6.5rem', align: 'end', narrow: 'value' },
  ]);
  protected readonly splits = computed((): { value: AdminSplitBy; label: string }[] => [
    { value: 'model', label: this.t('usage.byModel') },
    { value: 'account', label: this.t('usage.byAccount') },
    { value: 'group', label: this.t('usage.byGroup') },
  ]);
  protected readonly modelOptions = computed(() =>
    (this.state.models.value() ?? []).map((id) => ({ value: id, label: id })),
  );
  protected readonly groupOptions = computed(() =>
    (this.state.groups.value() ?? []).map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly channelOptions = computed(() =>
    (this.state.channels.value() ?? []).map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly statusOptions = computed(() =>
    USAGE_STATUSES.map((value) => ({ value, label: this.t(RECORD_STATUS[value].key) })),
  );
  protected readonly exportAddress = computed(() => this.state.exportAddress());

  constructor() {
    this.state.load();
    effect(() => this.state.accountId.set(idFrom(this.account())));
    effect(() => {
      const requestId = this.record();
      if (requestId !== undefined) untracked(() => void this.#openById(requestId));
    });
    effect(() => {
      this.state.query();
      untracked(() => void this.state.list.load());
    });
    effect(() => {
      this.state.query();
      this.state.filters.dayQuery();
      this.state.by();
      untracked(() => void this.state.days.load());
    });
  }

  async #openById(requestId: string): Promise<void> {
    try {
      const data = await this.#api.call('getUsageRecord', { params: { requestId } });
      await this.#dialogs.open(RecordDialog, { data, wide: true });
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
    await this.#router.navigate([], {
      queryParams: { record: null },
      queryParamsHandling: 'merge',
      // Back must not open it again.
      replaceUrl: true,
    });
  }

  /** The address says whose usage is shown, so that it can be passed on. */
  protected only(account: string): void {
    void this.#router.navigate([], {
      queryParams: { account: account === '' ? null : account },
      queryParamsHandling: 'merge',
    });
  }

  protected show(record: UsageRecordAdminView): void {
    void this.#dialogs.open(RecordDialog, { data: record, wide: true });
  }
}
