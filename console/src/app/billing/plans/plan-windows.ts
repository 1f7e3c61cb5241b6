import { Component, inject, input } from '@angular/core';
import type { SubscriptionView, SubscriptionWindowView } from '@weir/shared/money/subscriptions';
import { decimal, shareOf } from '../../core/format/decimal';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Meter } from '../../design/text/meter';
import { Money } from '../../design/text/money';
import { Time } from '../../design/text/time';

/** A plan's allowances as they stand: how much of each window is used and when it starts over. */
@Component({
  selector: 'weir-plan-windows',
  imports: [Meter, Money, Time],
  template: `
    <div class="split">
      <p class="strong">{{ subscription().planName }}</p>
      <p class="small soft">
        {{ subscription().renews ? t('plans.renewsAt') : t('plans.endsAt') }}
        <weir-time [at]="subscription().endsAt" as="day" />
      </p>
    </div>
    <div class="grid windows">
      @for (window of subscription().windows; track window.window) {
        <div class="stack-tight">
          <p class="split small">
            <span class="window">{{ windowName(window) }}</span>
            <span class="soft"
              ><weir-money [usd]="window.usedUsd" /> / <weir-money [usd]="window.limitUsd"
            /></span>
          </p>
          <weir-meter [share]="share(window)" [label]="words(window)" />
          <p class="small soft">{{ t('plans.resets') }} <weir-time [at]="window.resetsAt" /></p>
        </div>
      }
    </div>
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      gap: var(--weir-gap-3);
    }

    .window::first-letter {
      text-transform: uppercase;
    }
  `,
})
export class PlanWindows {
  readonly #formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;
  readonly subscription = input.required<SubscriptionView>();

  protected windowName({ window }: SubscriptionWindowView): string {
    return this.t(`window.${window}`);
  }

  protected share({ usedUsd, limitUsd }: SubscriptionWindowView): number {
    return shareOf(decimal(usedUsd), decimal(limitUsd));
  }

  protected words({ window, usedUsd, limitUsd }: SubscriptionWindowView): string {
    return this.t('plans.used', {
      window: this.t(`window.${window}`),
      used: this.#formatter.usd(usedUsd),
      limit: this.#formatter.usd(limitUsd),
    });
  }
}
