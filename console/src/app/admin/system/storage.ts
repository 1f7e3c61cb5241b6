import { Component, inject } from '@angular/core';
import type { StorageGroup } from '@weir/shared/watch/storage';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n, type PlainKey } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { FailureNote } from '../../design/feedback/failure-note';
import { Skeleton } from '../../design/feedback/skeleton';
import { showBytes } from './show-bytes';

const GROUP_WORDS: Readonly<Record<StorageGroup, PlainKey>> = {
  usage_records: 'storage.usage_records',
  usage_sums: 'storage.usage_sums',
  request_log: 'storage.request_log',
  audit: 'storage.audit',
  money: 'storage.money',
  ledger: 'storage.ledger',
  other: 'storage.other',
};

/** The space that the database and Redis take, and how far back the oldest days go. */
@Component({
  selector: 'weir-storage',
  imports: [FailureNote, Skeleton],
  host: { class: 'card card-flush' },
  template: `
    <h2 class="card-head">{{ t('storage.title') }}</h2>
    <div class="rows top-line" data-testid="storage">
      @if (state.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="state.load()" />
      } @else if (state.value(); as now) {
        @for (group of now.database.groups; track group.group) {
          <div class="split">
            <span>{{ t(words[group.group]) }}</span>
            <span class="cluster">
              @if (group.oldest; as day) {
                <span class="small soft">{{
                  t('storage.since', { day: formatter.utcDay(day, true) })
                }}</span>
              }
              <span class="numeric">{{ bytes(group.bytes) }}</span>
            </span>
          </div>
        }
        <div class="split">
          <span class="strong">{{ t('storage.database') }}</span>
          <span class="numeric strong">{{ bytes(now.database.bytes) }}</span>
        </div>
        @for (server of now.redis; track server.name) {
          <div class="split">
            <span class="strong">{{ t('storage.redis', { name: server.name }) }}</span>
            <span class="numeric strong">{{
              server.maxBytes === null
                ? bytes(server.usedBytes)
                : t('storage.ofMax', {
                    used: bytes(server.usedBytes),
                    max: bytes(server.maxBytes),
                  })
            }}</span>
          </div>
        }
      } @else {
        <weir-skeleton height="12rem" />
      }
    </div>
  `,
  styles: `
    :host {
      display: block;
    }
  `,
})
export class Storage {
  readonly #i18n = inject(I18n);
  readonly #api = inject(Api);
  protected readonly t = this.#i18n.t;
  protected readonly formatter = inject(Formatter);
  protected readonly words = GROUP_WORDS;
  protected readonly state = new Loadable(() => this.#api.call('getStorage'));

  constructor() {
    void this.state.load();
  }

  protected bytes(value: number): string {
    return showBytes(value, this.#i18n.language());
  }
}
