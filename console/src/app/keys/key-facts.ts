import { Component, inject, input } from '@angular/core';
import type { KeyView } from '@weir/shared/people/keys';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { Money } from '../design/text/money';
import { Time } from '../design/text/time';

/** The limits of a key and what it has spent of them. */
@Component({
  selector: 'weir-key-facts',
  imports: [Money, Time],
  template: `
    @let one = key();
    <section class="card stack">
      <h2>{{ t('key.limits') }}</h2>
      <dl class="facts">
        <dt>{{ t('keys.group') }}</dt>
        <dd>{{ one.groupName }}</dd>
        @for (budget of budgets(); track budget.label) {
          <dt>{{ t(budget.label) }}</dt>
          <dd>
            <weir-money [usd]="budget.spentUsd" />
            <span class="soft">
              @if (budget.limitUsd !== null) {
                / <weir-money [usd]="budget.limitUsd" />
              } @else {
                · {{ t('key.noLimit') }}
              }
            </span>
          </dd>
        }
        <dt>{{ t('key.rates') }}</dt>
        <dd>{{ rates() }}</dd>
        <dt>{{ t('key.models') }}</dt>
        <dd class="wraps">{{ one.modelAllowlist.join(', ') || t('key.allModels') }}</dd>
        <dt>{{ t('key.addresses') }}</dt>
        <dd class="wraps">{{ one.ipAllowlist.join(', ') || t('key.allAddresses') }}</dd>
        <dt>{{ t('key.expires') }}</dt>
        <dd>
          @if (one.expiresAt; as at) {
            <weir-time [at]="at" as="moment" />
          } @else {
            {{ t('key.never') }}
          }
        </dd>
        <dt>{{ t('content.log') }}</dt>
        <dd data-testid="content-log">
          @if (one.contentLog; as log) {
            {{ t('content.on', { count: log.days }) }}
          } @else {
            {{ t('content.off') }}
          }
        </dd>
        <dt>{{ t('keys.lastUsed') }}</dt>
        <dd>
          @if (one.lastUsedAt; as at) {
            <weir-time [at]="at" />
          } @else {
            {{ t('keys.neverUsed') }}
          }
        </dd>
        <dt>{{ t('key.created') }}</dt>
        <dd><weir-time [at]="one.createdAt" as="day" /></dd>
      </dl>
    </section>
  `,
  styles: `
    .wraps {
      overflow-wrap: anywhere;
    }
  `,
})
export class KeyFacts {
  protected readonly t = inject(I18n).t;
  readonly #formatter = inject(Formatter);
  readonly key = input.required<KeyView>();

  protected budgets() {
    const { spend, budgetDayUsd, budgetMonthUsd, budgetTotalUsd } = this.key();
    return [
      { label: 'key.spentToday', spentUsd: spend.dayUsd, limitUsd: budgetDayUsd },
      { label: 'key.spentMonth', spentUsd: spend.monthUsd, limitUsd: budgetMonthUsd },
      { label: 'key.spentTotal', spentUsd: spend.totalUsd, limitUsd: budgetTotalUsd },
    ] as const;
  }

  protected rates(): string {
    const { rpm, tpm, concurrencyMax } = this.key();
    const parts = [
      rpm === null ? '' : this.t('key.rpm', { count: this.#formatter.number(rpm) }),
      tpm === null ? '' : this.t('key.tpm', { count: this.#formatter.number(tpm) }),
      concurrencyMax === null
        ? ''
        : this.t('key.atOnce', { count: this.#formatter.number(concurrencyMax) }),
    ].filter((part) => part !== '');
    return parts.join(' · ') || this.t('key.noLimit');
  }
}
