import {
  Component,
  computed,
  DOCUMENT,
  effect,
  inject,
  input,
  signal,
  untracked,
} from '@angular/core';
import { MatButton } from '@angular/material/button';
import { Router } from '@angular/router';
import type { RequestView } from '@weir/shared/requests';
import { Api } from '../core/api/api';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { untilIdle } from '../core/state/until-idle';
import { Dialogs } from '../design/dialog/dialogs';
import { EmptyState } from '../design/feedback/empty-state';
import { Toasts } from '../design/feedback/toasts';
import { Filter } from '../design/field/filter';
import { Pills } from '../design/field/pills';
import { SearchBox } from '../design/field/search-box';
import { Page } from '../design/page/page';
import { Cell } from '../design/table/cell';
import type { Column } from '../design/table/column';
import { DataTable } from '../design/table/data-table';
import { Chip } from '../design/text/chip';
import { Time } from '../design/text/time';
import { isRequestId, openRequest } from './open-request';
import { OUTCOMES, REQUEST_CODES, REQUEST_RANGES } from './request-filters';
import { RequestDialog } from './request-dialog';
import { requestTone } from './request-words';
import { RequestsState } from './requests-state';

/** Every request of one's own, also those that were refused or failed. */
@Component({
  selector: 'weir-requests',
  imports: [Cell, Chip, DataTable, EmptyState, Filter, MatButton, Page, Pills, SearchBox, Time],
  templateUrl: './requests.html',
})
export class Requests {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #router = inject(Router);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly state = new RequestsState(inject(Api));
  protected readonly toneOf = requestTone;
  protected readonly idOf = ({ requestId }: RequestView): string => requestId;
  protected readonly codeOptions = REQUEST_CODES.map((value) => ({ value, label: value }));
  protected readonly sought = signal('');

  /** Query parameter: a request to open. */
  readonly request = input<string>();

  protected readonly columns = computed((): readonly Column[] => [
    { id: 'time', header: this.t('record.time'), width: '8.75rem', narrow: 'note' },
    { id: 'model', header: this.t('record.model'), width: '1.4fr', narrow: 'title' },
    { id: 'key', header: this.t('record.key'), width: '1fr', narrow: 'hidden', wideOnly: true },
    { id: 'outcome', header: this.t('record.status'), width: '1.4fr', narrow: 'detail' },
    {
      id: 'status',
      header: this.t('requests.http'),
      width: '5rem',
      align: 'end',
      narrow: 'hidden',
      wideOnly: true,
    },
    {
      id: 'duration',
      header: this.t('record.latency'),
      width: '6rem',
      align: 'end',
      narrow: 'value',
    },
  ]);
  protected readonly ranges = computed(() =>
    REQUEST_RANGES.map((value) => ({ value, label: this.t(`requests.range.${value}`) })),
  );
  protected readonly outcomes = computed(() =>
    OUTCOMES.map((value) => ({ value, label: this.t(`requests.outcome.${value}`) })),
  );
  protected readonly keyOptions = computed(() =>
    (this.state.keys.value() ?? []).map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly modelOptions = computed(() =>
    (this.state.models.value() ?? []).map((id) => ({ value: id, label: id })),
  );

  constructor() {
    void this.state.keys.load();
    // The whole price list, only to choose a model by.
    void untilIdle(inject(DOCUMENT)).then(() => this.state.models.load());
    effect(() => {
      this.state.filters.query();
      untracked(() => void this.state.list.load());
    });
    effect(() => {
      const requestId = this.request() ?? this.sought();
      if (isRequestId(requestId)) untracked(() => void this.#openById(requestId));
    });
  }

  protected show(request: RequestView): void {
    void this.#dialogs.open(RequestDialog, { data: request, wide: true });
  }

  async #openById(requestId: string): Promise<void> {
    await openRequest(requestId, {
      dialogs: this.#dialogs,
      toasts: this.#toasts,
      router: this.#router,
      fetch: (id) => this.state.fetch(id),
    });
    this.sought.set('');
  }
}
