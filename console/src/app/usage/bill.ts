import { Component, computed, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { PriceLine } from '@weir/shared/watch/usage';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { Note } from '../design/feedback/note';
import { Money } from '../design/text/money';
import type { UsageRow } from './usage-row';

/** The bill of one request: each line of its cost, the sum, and what it was taken from. */
@Component({
  selector: 'weir-bill',
  imports: [Money, Note, RouterLink],
  templateUrl: './bill.html',
  host: { class: 'stack' },
  styles: `
    tfoot th,
    tfoot td {
      font-weight: 650;
      color: var(--weir-text);
      border-top: 1px solid var(--weir-outline);
    }
  `,
})
export class Bill {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  readonly record = input.required<UsageRow>();
  /** The prices of the operator's catalog, not those of the public list. */
  readonly isOperator = input(false);
  protected readonly priceAddress = computed(() =>
    this.isOperator() ? '/admin/models' : '/models',
  );
  /** Sources that gave nothing are left out. */
  protected readonly sources = computed(() => {
    const { fromBalanceUsd, fromSubscriptionUsd, uncollectedUsd } = this.record();
    return (
      [
        ['record.fromBalance', fromBalanceUsd],
        ['record.fromSubscription', fromSubscriptionUsd],
        ['record.uncollected', uncollectedUsd],
      ] as const
    ).filter(([, usd]) => usd !== '0');
  });

  /** A quantity as people say it, such as "3 images 1024x1536 high" or "42.3 s". */
  protected quantityOf({ part, quantity, variant = '' }: PriceLine): string {
    if (part === 'second') return this.t('record.seconds', { count: quantity / 1_000 });
    if (part === 'character') return this.t('record.characters', { count: quantity });
    if (part === 'search_unit') return this.t('record.searchUnits', { count: quantity });
    if (part !== 'image') return this.formatter.number(quantity);
    return `${this.t('record.images', { count: quantity })} ${variant}`.trim();
  }
}
