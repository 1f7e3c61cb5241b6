import { Component, inject, input } from '@angular/core';
import type { SubscriptionView } from '@weir/shared/money/subscriptions';
import { I18n } from '../../core/i18n/i18n';
import { keyIn } from '../../core/i18n/options';
import { Chip } from '../../design/text/chip';
import { Time } from '../../design/text/time';

/** Plans that run no more, a line each: their allowances pay for nothing. */
@Component({
  selector: 'weir-past-plans',
  imports: [Chip, Time],
  template: `
    <section class="card card-flush">
      <h2 class="card-head">{{ t('plans.past') }}</h2>
      <div class="rows top-line">
        @for (subscription of subscriptions(); track subscription.id) {
          <div class="split">
            <span>{{ subscription.planName }}</span>
            <span class="cluster">
              <span class="small soft">
                <weir-time [at]="subscription.startedAt" as="day" /> –
                <weir-time [at]="subscription.endsAt" as="day" />
              </span>
              <weir-chip>{{ t(statusKey(subscription.status)) }}</weir-chip>
            </span>
          </div>
        }
      </div>
    </section>
  `,
  styles: `
    :host {
      display: block;
    }
  `,
})
export class PastPlans {
  protected readonly t = inject(I18n).t;
  protected readonly statusKey = keyIn('subscription');
  readonly subscriptions = input.required<readonly SubscriptionView[]>();
}
