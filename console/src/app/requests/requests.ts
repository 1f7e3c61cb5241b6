import { Component, inject } from '@angular/core';
import { PAGE_LIMIT_MAX } from '@weir/shared/pages';
import { Api } from '../core/api/api';
import { fetchAll } from '../core/api/fetch-all';
import { I18n } from '../core/i18n/i18n';
import { fetchOptions } from '../core/i18n/options';
import { Address } from '../core/state/address';
import { Filter } from '../design/field/filter';
import type { Column } from '../design/table/column';
import { REQUEST_LINKS } from './request-links';
import { RequestLog } from './request-log';
import { RequestsState } from './requests-state';

const COLUMNS: readonly Column[] = [
  { id: 'time', header: 'record.time', width: '10.5rem', narrow: 'note' },
  { id: 'model', header: 'record.model', width: '1.4fr', narrow: 'title' },
  { id: 'key', header: 'record.key', width: '1fr', wideOnly: true },
  { id: 'outcome', header: 'record.status', width: 'minmax(9.25rem, 1.2fr)', narrow: 'detail' },
  { id: 'status', header: 'requests.http', width: '5rem', align: 'end', wideOnly: true },
  { id: 'duration', header: 'record.latency', width: '5rem', align: 'end', narrow: 'value' },
];

/** Every request of one's own. */
@Component({
  selector: 'weir-requests',
  imports: [Filter, RequestLog],
  template: `
    <weir-request-log
      heading="requests.title"
      intro="requests.intro"
      [columns]="columns"
      [links]="links"
      [state]="state"
    >
      <weir-filter
        [label]="t('usage.anyKey')"
        [options]="keys.value() ?? []"
        [value]="state.filters.keyId()"
        (valueChange)="address.say('key', $event)"
      />
    </weir-request-log>
  `,
})
export class Requests {
  readonly #api = inject(Api);
  protected readonly address = inject(Address);
  protected readonly t = inject(I18n).t;
  protected readonly columns = COLUMNS;
  protected readonly links = REQUEST_LINKS;
  protected readonly state = new RequestsState({
    list: (query) => this.#api.call('listOwnRequests', { query }),
  });
  protected readonly keys = fetchOptions(async () => ({
    data: await fetchAll((cursor) =>
      this.#api.call('listKeys', { query: { limit: PAGE_LIMIT_MAX, cursor } }),
    ),
  }));
}
