import { Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { Router, RouterLink } from '@angular/router';
import type { RequestAdminView } from '@weir/shared/requests';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { Toasts } from '../../design/feedback/toasts';
import { Filter } from '../../design/field/filter';
import { Pills } from '../../design/field/pills';
import { SearchBox } from '../../design/field/search-box';
import { Page } from '../../design/page/page';
import { Cell } from '../../design/table/cell';
import type { Column } from '../../design/table/column';
import { DataTable } from '../../design/table/data-table';
import { Chip } from '../../design/text/chip';
import { Name } from '../../design/text/name';
import { Time } from '../../design/text/time';
import { isRequestId, openRequest } from '../../requests/open-request';
import { OUTCOMES, REQUEST_CODES, REQUEST_RANGES } from '../../requests/request-filters';
import { RequestDialog } from '../../requests/request-dialog';
import { requestTone } from '../../requests/request-words';
import { AdminRequestsState } from '../../requests/requests-state';
import { idFrom } from '../../usage/usage-filters';
import { AccountFilter } from '../accounts/account-filter';

/** Every request of everyone, with what its upstreams said. */
@Component({
  selector: 'weir-admin-requests',
  imports: [
    AccountFilter,
    Cell,
    Chip,
    DataTable,
    EmptyState,
    Filter,
    MatButton,
    Name,
    Page,
    Pills,
    RouterLink,
    SearchBox,
    Time,
  ],
  templateUrl: './requests.html',
})
export class AdminRequests {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #router = inject(Router);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly state = new AdminRequestsState(inject(Api));
  protected readonly toneOf = requestTone;
  protected readonly idOf = ({ requestId }: RequestAdminView): string => requestId;
  protected readonly codeOptions = REQUEST_CODES.map((value) => ({ value, label: value }));
  protected readonly sought = signal('');

  /** Query parameters: a request to open, an account, channel or key to look at, a code. */
  readonly request = input<string>();
  readonly account = input<string>();
  readonly channel = input<string>();
  readonly key = input<string>();
  readonly code = input<string>();

  protected readonly columns = computed((): readonly Column[] => [
    { id: 'time', header: this.t('record.time'), width: '8.75rem', narrow: 'note' },
    { id: 'model', header: this.t('record.model'), width: '1.4fr', narrow: 'title' },
    { id: 'account', header: this.t('record.account'), width: '1.2fr', narrow: 'hidden' },
    {
      id: 'channel',
      header: this.t('record.channel'),
      width: '1fr',
      narrow: 'hidden',
      wideOnly: true,
    },
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
  protected readonly channelOptions = computed(() =>
    (this.state.channels.value() ?? []).map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly modelOptions = computed(() =>
    (this.state.models.value() ?? []).map((id) => ({ value: id, label: id })),
  );

  constructor() {
    void this.state.channels.load();
    void this.state.models.load();
    const { filters } = this.state;
    effect(() => filters.accountId.set(idFrom(this.account())));
    effect(() => filters.channelId.set(idFrom(this.channel())));
    effect(() => filters.keyId.set(idFrom(this.key())));
    effect(() => filters.code.set(this.code() ?? ''));
    effect(() => {
      filters.query();
      untracked(() => void this.state.list.load());
    });
    effect(() => {
      const requestId = this.request() ?? this.sought();
      if (isRequestId(requestId)) untracked(() => void this.#openById(requestId));
    });
  }

  /** The address says what is shown, so that it can be passed on. */
  protected only(name: 'account' | 'channel' | 'code' | 'key', value: string): void {
    void this.#router.navigate([], {
      queryParams: { [name]: value === '' ? null : value },
      queryParamsHandling: 'merge',
    });
  }

  protected clear(): void {
    this.state.filters.clear();
    void this.#router.navigate([]);
  }

  protected show(request: RequestAdminView): void {
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
