import { Component, inject, input } from '@angular/core';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';

/** Input and output, the part of a price that distinguishes it from others. */
interface ShownPrice {
  readonly inputUsd: string;
  readonly outputUsd: string;
}

export interface PriceChange {
  readonly name: string;
  /** The source of the price; '' if it is obvious. */
  readonly source: string;
  readonly before: ShownPrice | null;
  readonly after: ShownPrice;
}

/** Prices as they are, and as they would become. */
@Component({
  selector: 'weir-price-changes',
  template: `
    <div class="scroll-x" tabindex="0" role="region" [attr.aria-label]="t('bulk.preview')">
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{{ t('models.model') }}</th>
            <th scope="col" class="end">{{ t('models.input') }}</th>
            <th scope="col" class="end">{{ t('models.output') }}</th>
          </tr>
        </thead>
        <tbody>
          @for (change of changes(); track change.name) {
            <tr data-testid="price-change">
              <th scope="row" class="wraps">
                <span class="mono">{{ change.name }}</span>
                @if (change.source) {
                  <span class="source soft">{{ change.source }}</span>
                }
              </th>
              <td class="end numeric">
                {{ arrow(change.before?.inputUsd, change.after.inputUsd) }}
              </td>
              <td class="end numeric">
                {{ arrow(change.before?.outputUsd, change.after.outputUsd) }}
              </td>
            </tr>
          }
        </tbody>
      </table>
    </div>
  `,
  styles: `
    .scroll-x {
      max-height: 22rem;
      overflow-y: auto;
    }

    .source {
      display: block;
      font-weight: 400;
    }
  `,
})
export class PriceChanges {
  readonly #formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;
  readonly changes = input.required<readonly PriceChange[]>();

  protected arrow(before: string | undefined, after: string): string {
    const then = this.#formatter.price(after);
    if (before === after) return then;
    return `${before === undefined ? '–' : this.#formatter.price(before)} → ${then}`;
  }
}
