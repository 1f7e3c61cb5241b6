import type { KeyView } from '@weir/shared/keys';
import { PAGE_LIMIT_MAX } from '@weir/shared/pages';
import type { RequestAdminView, RequestView } from '@weir/shared/requests';
import type { ApiPort } from '../core/api/call-input';
import { fetchAll } from '../core/api/fetch-all';
import { Loadable } from '../core/state/loadable';
import { nextPage, RowList } from '../core/state/row-list';
import { RequestFilters } from './request-filters';

/** A customer's own requests. */
export class RequestsState {
  readonly #api: ApiPort;
  readonly filters = new RequestFilters(() => Date.now());
  readonly list: RowList<RequestView>;
  readonly keys: Loadable<readonly KeyView[]>;
  readonly models: Loadable<readonly string[]>;

  constructor(api: ApiPort) {
    this.#api = api;
    this.list = new RowList((cursor) =>
      api.call('listOwnRequests', { query: { ...this.filters.query(), ...nextPage(cursor) } }),
    );
    this.keys = new Loadable(() =>
      fetchAll((cursor) =>
        api.call('listKeys', {
          query: { limit: PAGE_LIMIT_MAX, ...(cursor === undefined ? {} : { cursor }) },
        }),
      ),
    );
    this.models = modelsOf(api);
  }

  fetch(requestId: string): Promise<RequestView> {
    return this.#api.call('getOwnRequest', { params: { requestId } });
  }
}

/** The requests of everyone. */
export class AdminRequestsState {
  readonly #api: ApiPort;
  readonly filters = new RequestFilters(() => Date.now());
  readonly list: RowList<RequestAdminView>;
  readonly models: Loadable<readonly string[]>;
  readonly channels: Loadable<readonly { readonly id: string; readonly name: string }[]>;

  constructor(api: ApiPort) {
    this.#api = api;
    this.list = new RowList((cursor) =>
      api.call('listRequests', { query: { ...this.filters.query(), ...nextPage(cursor) } }),
    );
    this.models = modelsOf(api);
    this.channels = new Loadable(async () => (await api.call('listChannels')).data);
  }

  fetch(requestId: string): Promise<RequestAdminView> {
    return this.#api.call('getRequest', { params: { requestId } });
  }
}

function modelsOf(api: ApiPort): Loadable<readonly string[]> {
  return new Loadable(async () =>
    (await api.call('getPricing')).models.map(({ publicId }) => publicId),
  );
}
