import { Component, computed, inject, input } from '@angular/core';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { Sparkline } from '../design/chart/sparkline';
import { Skeleton } from '../design/feedback/skeleton';
import { changeOf, type TrendChange } from './trend-change';

/** A figure of a day with its course, and how it differs from the week before. */
@Component({
  selector: 'weir-trend-tile',
  imports: [Skeleton, Sparkline],
  host: { class: 'card' },
  template: `
    <p class="name">{{ name() }}</p>
    @if (waiting()) {
      <weir-skeleton width="6rem" height="1.6rem" />
      <weir-skeleton width="8rem" height="0.9rem" />
      <weir-skeleton height="2rem" />
    } @else {
      <p class="figure numeric"><ng-content /></p>
      <p class="change small" data-testid="change">
        @if (change(); as change) {
          <span
            class="numeric"
            [class.good]="change.tone === 'good'"
            [class.bad]="change.tone === 'bad'"
            >{{ words(change) }}</span
          >
          <span class="soft"> {{ t('trend.than', { before: before() }) }}</span>
        } @else {
          <span class="soft">{{ none() }}</span>
        }
      </p>
      <weir-sparkline [points]="points()" />
    }
  `,
  styles: `
    :host {
      display: grid;
      grid-row: span 4;
      grid-template-rows: subgrid;
      row-gap: 2px;
      min-width: 0;
      padding: var(--weir-gap-4) var(--weir-gap-4) var(--weir-gap-3);
    }

    .name {
      color: var(--weir-text-soft);
      font-size: 0.8125rem;
      font-weight: 550;
    }

    .figure {
      font-size: 1.5rem;
      line-height: 2rem;
      font-weight: 650;
      letter-spacing: -0.02em;
    }

    .change {
      min-height: 1.25rem;
    }

    weir-sparkline {
      align-self: end;
      margin-top: var(--weir-gap-2);
    }

    @media (width < 600px) {
      :host {
        padding: var(--weir-gap-3);
      }

      .figure {
        font-size: 1.25rem;
        line-height: 1.625rem;
      }
    }
  `,
})
export class TrendTile {
  readonly #formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;
  readonly name = input.required<string>();
  readonly waiting = input(false);
  readonly value = input<number | null>(null);
  /** Null where nothing was measured then; `hasBefore` says whether anything was kept. */
  readonly weekBefore = input<number | null>(null);
  readonly hasBefore = input(false);
  /** The figure of the week before, as the figure itself is shown. */
  readonly before = input('');
  readonly points = input<readonly (number | null)[]>([]);
  /** A share changes by points, everything else by percent. */
  readonly isShare = input(false);
  /** The direction that is good; most figures have none. */
  readonly better = input<'more' | 'less' | null>(null);

  protected readonly change = computed(() =>
    changeOf(this.value(), this.weekBefore(), { isShare: this.isShare(), better: this.better() }),
  );
  protected readonly none = computed(() =>
    this.t(this.hasBefore() ? 'trend.nothingThen' : 'trend.noWeekBefore'),
  );

  protected words({ amount, sign }: TrendChange): string {
    const shown = this.isShare()
      ? this.t('trend.points', { points: this.#formatter.number(Math.round(amount * 10) / 10) })
      : this.#formatter.percent(amount);
    return `${sign}${shown}`;
  }
}
