import type { RequestAdminView, RequestView } from '@weir/shared/requests';
import { nextPage, RowList, type Page } from '../core/state/row-list';
import { RequestFilters } from './request-filters';

/** A request, and what only operators are told of it. */
export type RequestRow = RequestView & Partial<Omit<RequestAdminView, keyof RequestView>>;

type Query = ReturnType<RequestFilters['query']> & ReturnType<typeof nextPage>;

export class RequestsState {
  readonly filters = new RequestFilters(() => Date.now());
  readonly list: RowList<RequestRow>;

  /** @param list Fetches one's own requests, or those of everyone. */
  constructor({ list }: { readonly list: (query: Query) => Promise<Page<RequestRow>> }) {
    this.list = new RowList(
      (cursor) => list({ ...this.filters.query(), ...nextPage(cursor) }),
      ({ requestId }) => requestId,
    );
  }
}
