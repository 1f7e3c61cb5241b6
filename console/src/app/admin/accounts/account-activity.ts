import { Component, effect, inject, input, signal, untracked } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { RequestAdminView } from '@weir/shared/watch/requests';
import type { UsageDayView } from '@weir/shared/watch/usage';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { FailureNote } from '../../design/feedback/failure-note';
import { Chip } from '../../design/text/chip';
import { Time } from '../../design/text/time';
import { UsageChart } from '../../usage/usage-chart';
import { lastDays, type Measure } from '../../usage/usage-days';

const CHART_DAYS = 30;
const REQUESTS_SHOWN = 10;

/** The spend of an account, and its latest requests. */
@Component({
  selector: 'weir-account-activity',
  imports: [Chip, FailureNote, RouterLink, Time, UsageChart],
  host: { class: 'stack' },
  template: `
    <weir-usage-chart
      [heading]="t('accounts.activity')"
      [days]="days"
      [range]="range"
      [(measure)]="measure"
    />
    <section class="card card-flush">
      <div class="card-head split">
        <h2>{{ t('accounts.requests') }}</h2>
        <a routerLink="/admin/requests" [queryParams]="{ account: accountId() }">{{
          t('accounts.allRequests')
        }}</a>
      </div>
      @if (requests.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="requests.load()" />
      }
      <div class="rows top-line">
        @for (request of requests.value(); track request.requestId) {
          <div class="split">
            <a class="row-link" [routerLink]="['/requests', request.requestId]"
              ><code>{{ request.model ?? '–' }}</code></a
            >
            <span class="cluster small">
              @if (request.code; as code) {
                <weir-chip tone="bad">{{ code }}</weir-chip>
              }
              <span class="soft numeric">{{ formatter.duration(request.durationMs) }}</span>
              <weir-time class="soft" [at]="request.createdAt" as="second" />
            </span>
          </div>
        } @empty {
          @if (requests.value()) {
            <p class="soft">{{ t('accounts.noRequests') }}</p>
          }
        }
      </div>
    </section>
  `,
})
export class AccountActivity {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  readonly accountId = input.required<string>();

  protected readonly measure = signal<Measure>('cost');
  protected readonly range = lastDays(CHART_DAYS, Date.parse(this.formatter.today()));
  protected readonly days = new Loadable<readonly UsageDayView[]>(async () => {
    const query = { ...this.range, accountId: this.accountId(), by: 'model' as const };
    return (await this.#api.call('listUsageDays', { query })).data;
  });
  protected readonly requests = new Loadable<readonly RequestAdminView[]>(async () => {
    const query = { accountId: this.accountId(), limit: REQUESTS_SHOWN };
    return (await this.#api.call('listRequests', { query })).data;
  });

  constructor() {
    effect(() => {
      this.accountId();
      untracked(() => {
        void this.days.load();
        void this.requests.load();
      });
    });
  }
}
