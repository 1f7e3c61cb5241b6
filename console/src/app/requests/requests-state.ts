import type { RequestAdminView, RequestView } from '@weir/shared/requests';
import { nextPage, RowList, type Page } from '../core/state/row-list';
import { RequestFilters } from './request-filters';

/** A request, and what only operators are told of it. */
export type RequestRow = RequestView & Partial<Omit<RequestAdminView, keyof RequestView>>;

type Query = ReturnType<RequestFilters['query']> & ReturnType<typeof nextPage>;

/** Where the requests come from: one's own, or those of everyone. */
interface Source {
  readonly list: (query: Query) => Promise<Page<RequestRow>>;
  readonly fetch: (requestId: string) => Promise<RequestRow>;
}

export class RequestsState {
  readonly filters = new RequestFilters(() => Date.now());
  readonly list: RowList<RequestRow>;
  readonly fetch: Source['fetch'];

  constructor({ list, fetch }: Source) {
    this.list = new RowList(
      (cursor) => list({ ...this.filters.query(), ...nextPage(cursor) }),
      ({ requestId }) => requestId,
    );
    this.fetch = fetch;
  }
}
