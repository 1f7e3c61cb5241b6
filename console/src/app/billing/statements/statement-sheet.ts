import { Component, inject, input } from '@angular/core';
import type { StatementView } from '@weir/shared/watch/usage';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Money } from '../../design/text/money';
import { Time } from '../../design/text/time';
import { CREDIT_WORDS } from '../credit-words';

/** One account's month on a sheet: what came in, what was used, what is left. */
@Component({
  selector: 'weir-statement-sheet',
  imports: [Money, Time],
  template: `
    <section class="card stack">
      <h2>{{ statement().accountName }}</h2>
      <dl class="facts">
        <dt>{{ t('statement.opening') }}</dt>
        <dd><weir-money [usd]="statement().openingBalanceUsd" [whole]="true" /></dd>
        <dt>{{ t('statement.credited') }}</dt>
        <dd><weir-money [usd]="statement().creditsUsd" [whole]="true" /></dd>
        <dt>{{ t('statement.used') }}</dt>
        <dd><weir-money [usd]="statement().usageUsd" [whole]="true" /></dd>
        @if (statement().fromSubscriptionUsd !== '0') {
          <dt>{{ t('statement.fromPlans') }}</dt>
          <dd><weir-money [usd]="statement().fromSubscriptionUsd" [whole]="true" /></dd>
        }
        @if (statement().uncollectedUsd !== '0') {
          <dt>{{ t('record.uncollected') }}</dt>
          <dd><weir-money [usd]="statement().uncollectedUsd" [whole]="true" /></dd>
        }
        <dt class="strong">{{ t('statement.closing') }}</dt>
        <dd class="strong">
          <weir-money [usd]="statement().closingBalanceUsd" [whole]="true" />
        </dd>
      </dl>
    </section>
    <section class="card card-flush">
      <h2 class="card-head">{{ t('statement.usage') }}</h2>
      <div class="scroll-x" tabindex="0" role="region" [attr.aria-label]="t('statement.usage')">
        <table class="plain-table">
          <thead>
            <tr>
              <th scope="col">{{ t('record.model') }}</th>
              <th scope="col" class="end wide-only">{{ t('usage.measure.requests') }}</th>
              <th scope="col" class="end wide-only">{{ t('models.input') }}</th>
              <th scope="col" class="end wide-only">{{ t('models.output') }}</th>
              <th scope="col" class="end">{{ t('record.cost') }}</th>
            </tr>
          </thead>
          <tbody>
            @for (line of statement().usage; track line.model) {
              <tr>
                <th scope="row">
                  <span class="mono">{{ line.model }}</span>
                  <span class="narrow-only small soft">
                    {{ t('dashboard.requests', { count: line.requests }) }} ·
                    <span class="nowrap"
                      >{{ formatter.number(line.inputTokens) }} →
                      {{ formatter.number(line.outputTokens) }}</span
                    >
                  </span>
                </th>
                <td class="end numeric wide-only">{{ formatter.number(line.requests) }}</td>
                <td class="end numeric wide-only">{{ formatter.number(line.inputTokens) }}</td>
                <td class="end numeric wide-only">{{ formatter.number(line.outputTokens) }}</td>
                <td class="end"><weir-money [usd]="line.costUsd" [whole]="true" /></td>
              </tr>
            } @empty {
              <tr>
                <td colspan="5" class="soft">{{ t('usage.none') }}</td>
              </tr>
            }
          </tbody>
        </table>
      </div>
    </section>
    <section class="card card-flush">
      <h2 class="card-head">{{ t('billing.movements') }}</h2>
      <div class="rows top-line">
        @for (credit of statement().credits; track credit.sequence) {
          <div class="split">
            <span>
              <span class="strong">{{ t(creditWords[credit.kind]) }}</span>
              <span class="small soft"> · {{ credit.reason }}</span>
            </span>
            <span>
              <span class="small soft"><weir-time [at]="credit.createdAt" as="second" /></span>
              &nbsp; <weir-money [usd]="credit.amountUsd" [whole]="true" />
            </span>
          </div>
        } @empty {
          <p class="soft">{{ t('billing.noMovements') }}</p>
        }
      </div>
    </section>
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      gap: var(--weir-gap-5);
    }

    .narrow-only {
      display: none;
    }

    @media screen and (width < 600px) {
      .wide-only {
        display: none;
      }

      .narrow-only {
        display: block;
        font-weight: 400;
      }
    }

    .plain-table th:first-child,
    .plain-table td:first-child {
      padding-inline-start: var(--weir-gap-5);
    }

    .plain-table th:last-child,
    .plain-table td:last-child {
      padding-inline-end: var(--weir-gap-5);
    }
  `,
})
export class StatementSheet {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly creditWords = CREDIT_WORDS;
  readonly statement = input.required<StatementView>();
}
