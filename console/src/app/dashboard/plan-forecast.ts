import { Component, computed, inject, input } from '@angular/core';
import type { SubscriptionView } from '@weir/shared/money/subscriptions';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { usedUpAt } from './forecast';

/** The allowances of a plan that do not last until they start over, at the pace so far. */
@Component({
  selector: 'weir-plan-forecast',
  template: `
    @for (line of lines(); track line) {
      <p class="small warn">{{ line }}</p>
    }
  `,
  styles: `
    :host:empty {
      display: none;
    }
  `,
})
export class PlanForecast {
  readonly #t = inject(I18n).t;
  readonly #formatter = inject(Formatter);
  readonly subscription = input.required<SubscriptionView>();

  protected readonly lines = computed(() =>
    this.subscription().windows.flatMap((window) => {
      const atMs = usedUpAt(window, Date.now());
      if (atMs === undefined) return [];
      const words = { window: this.#t(`window.${window.window}`) };
      if (Number(window.usedUsd) >= Number(window.limitUsd)) {
        const until = this.#formatter.moment(window.resetsAt);
        return [this.#t('forecast.planUsedUp', { ...words, until })];
      }
      const at = this.#formatter.moment(new Date(atMs).toISOString());
      return [this.#t('forecast.planRunsOut', { ...words, at })];
    }),
  );
}
