import { signal } from '@angular/core';
import type { RequestAdminView, RequestSort, RequestView } from '@weir/shared/watch/requests';
import type { UsageDayView } from '@weir/shared/watch/usage';
import { Loadable } from '../core/state/loadable';
import { nextPage, RowList, type Page } from '../core/state/row-list';
import type { Measure } from '../usage/usage-days';
import { RequestFilters } from './request-filters';

/** A request, and what only operators are told of it. */
export type RequestRow = RequestView & Partial<Omit<RequestAdminView, keyof RequestView>>;

type Query = ReturnType<RequestFilters['query']> &
  ReturnType<typeof nextPage> & { readonly sort: RequestSort };
type ChartQuery<By> = NonNullable<ReturnType<RequestFilters['chartQuery']>> & { readonly by: By };

interface Source<By> {
  /** Fetches one's own requests, or those of everyone. */
  readonly list: (query: Query) => Promise<Page<RequestRow>>;
  readonly days: (query: ChartQuery<By>) => Promise<{ readonly data: readonly UsageDayView[] }>;
  /** The address of the bills of these requests as a file. */
  readonly exportAddress: (query: ReturnType<RequestFilters['billQuery']>) => string;
  /** The address of the chart's days as a file, with all parts that they are split into. */
  readonly daysAddress?: (query: ChartQuery<By>) => string;
  readonly today: () => string;
}

/** Requests, their usage per day, and what both are narrowed by. */
export class RequestsState<By extends string> {
  readonly #source: Source<By | 'model'>;
  readonly filters: RequestFilters;
  readonly order = signal<RequestSort>('-created');
  readonly measure = signal<Measure>('cost');
  readonly by = signal<By | 'model'>('model');
  readonly list: RowList<RequestRow>;
  readonly days: Loadable<readonly UsageDayView[]>;

  constructor(source: Source<By | 'model'>) {
    this.#source = source;
    this.filters = new RequestFilters(() => Date.now(), source.today);
    this.list = new RowList(
      (cursor) => source.list({ ...this.filters.query(), sort: this.order(), ...nextPage(cursor) }),
      ({ requestId }) => requestId,
    );
    this.days = new Loadable(async () => {
      const query = this.filters.chartQuery();
      if (query === undefined) return [];
      const { data } = await source.days({ ...query, by: this.by() });
      return this.filters.sinceSlot(data);
    });
  }

  /** Undefined where there is no chart, or no such file of it. */
  daysAddress(): string | undefined {
    const query = this.filters.chartQuery();
    return query && this.#source.daysAddress?.({ ...query, by: this.by() });
  }

  exportAddress(): string {
    return this.#source.exportAddress(this.filters.billQuery());
  }
}
