import { signal } from '@angular/core';
import type { MarginDimension, MarginQuery, MarginView } from '@weir/shared/prices/margins';
import type { ApiPort } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';
import { UsageFilters } from '../../usage/usage-filters';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The state of the margin page: profit by parts of the usage. */
export class MarginState {
  readonly #api: ApiPort;
  readonly filters: UsageFilters;
  readonly accountId = signal('');
  readonly channelId = signal('');
  readonly by = signal<MarginDimension>('model');
  readonly view: Loadable<MarginView>;
  readonly models: Loadable<readonly string[]>;
  readonly channels: Loadable<readonly Named[]>;

  constructor(api: ApiPort, today: () => string) {
    this.#api = api;
    this.filters = new UsageFilters(today);
    this.view = new Loadable(() => api.call('getMargins', { query: this.query() }));
    this.models = new Loadable(async () =>
      (await api.call('listModelNames')).data.map(({ publicId }) => publicId),
    );
    this.channels = new Loadable(async () => (await api.call('listChannelNames')).data);
  }

  /** The same for the page and the file. */
  query(): MarginQuery {
    const model = this.filters.model();
    const channelId = this.channelId();
    const accountId = this.accountId();
    return {
      ...this.filters.days(),
      by: this.by(),
      ...(model === '' ? {} : { model }),
      ...(channelId === '' ? {} : { channelId }),
      ...(accountId === '' ? {} : { accountId }),
    };
  }

  load(): void {
    void this.models.load();
    void this.channels.load();
  }

  exportAddress(): string {
    return this.#api.addressOf('exportMargins', { query: this.query() });
  }
}
