import { Component, computed, DOCUMENT, effect, inject, input, untracked } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { Router } from '@angular/router';
import { USAGE_STATUSES } from '@weir/shared/usage-record';
import type { UsageRecordView } from '@weir/shared/usage';
import { Api } from '../core/api/api';
import { failureOf } from '../core/api/api-failure';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { untilIdle } from '../core/state/until-idle';
import { Dialogs } from '../design/dialog/dialogs';
import { EmptyState } from '../design/feedback/empty-state';
import { Toasts } from '../design/feedback/toasts';
import { Filter } from '../design/field/filter';
import { Pills } from '../design/field/pills';
import { Icon } from '../design/icon/icon';
import { Page } from '../design/page/page';
import { Cell } from '../design/table/cell';
import type { Column } from '../design/table/column';
import { DataTable } from '../design/table/data-table';
import { Chip } from '../design/text/chip';
import { Money } from '../design/text/money';
import { Time } from '../design/text/time';
import { RangeFilter } from './range-filter';
import { RECORD_STATUS } from './record-words';
import { UsageChart } from './usage-chart';
import { idFrom } from './usage-filters';
import { UsageState, type SplitBy } from './usage-state';

@Component({
  selector: 'weir-usage',
  imports: [
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
    Time,
    UsageChart,
  ],
  templateUrl: './usage.html',
})
export class Usage {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #router = inject(Router);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly state = new UsageState(inject(Api), this.formatter.today);
  protected readonly statusWords = RECORD_STATUS;
  protected readonly idOf = ({ requestId }: UsageRecordView): string => requestId;

  /** Query parameters: a key to look at, a record to open. */
  readonly key = input<string>();
  readonly record = input<string>();

  protected readonly columns = computed((): readonly Column[] => [
    { id: 'time', header: this.t('record.time'), width: '10.5rem', narrow: 'note' },
    { id: 'model', header: this.t('record.model'), width: '1.6fr', narrow: 'title' },
    { id: 'key', header: this.t('record.key'), width: '1.6fr', narrow: 'hidden', wideOnly: true },
    { id: 'status', header: this.t('record.status'), width: '8rem', narrow: 'hidden' },
    {
      id: 'tokens',
      header: this.t('record.tokens'),
      width: '8rem',
      align: 'end',
      narrow: 'detail',
    },
    {
      id: 'latency',
      header: this.t('record.latency'),
      width: '5.5rem',
      align: 'end',
      narrow: 'hidden',
      wideOnly: true,
    },
    { id: 'cost', header: this.t('record.cost'), width: '6.5rem', align: 'end', narrow: 'value' },
  ]);
  protected readonly splits = computed((): { value: SplitBy; label: string }[] => [
    { value: 'model', label: this.t('usage.byModel') },
    { value: 'key', label: this.t('usage.byKey') },
  ]);
  protected readonly keyOptions = computed(() => this.state.keyOptions(this.t('usage.otherKey')));
  protected readonly modelOptions = computed(() =>
    (this.state.models.value() ?? []).map((id) => ({ value: id, label: id })),
  );
  protected readonly statusOptions = computed(() =>
    USAGE_STATUSES.map((value) => ({ value, label: this.t(RECORD_STATUS[value].key) })),
  );
  protected readonly exportAddress = computed(() => this.state.exportAddress());

  constructor() {
    void this.state.keys.load();
    // The whole price list, only to choose a model by.
    void untilIdle(inject(DOCUMENT)).then(() => this.state.models.load());
    effect(() => this.state.filters.keyId.set(idFrom(this.key())));
    effect(() => {
      this.state.filters.recordQuery();
      untracked(() => void this.state.list.load());
    });
    effect(() => {
      this.state.filters.dayQuery();
      this.state.by();
      untracked(() => void this.state.days.load());
    });
    effect(() => {
      const requestId = this.record();
      if (requestId !== undefined) untracked(() => void this.#openById(requestId));
    });
  }

  /** The address says which key's usage is shown, so that it can be passed on. */
  protected only(key: string): void {
    void this.#router.navigate([], {
      queryParams: { key: key === '' ? null : key },
      queryParamsHandling: 'merge',
    });
  }

  protected clear(): void {
    this.state.filters.clear();
    this.only('');
  }

  protected async show(record: UsageRecordView): Promise<void> {
    try {
      const { RecordDialog } = await import('./record-dialog');
      await this.#dialogs.open(RecordDialog, { data: record, wide: true });
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }

  async #openById(requestId: string): Promise<void> {
    try {
      await this.show(await this.state.fetchRecord(requestId));
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
}
