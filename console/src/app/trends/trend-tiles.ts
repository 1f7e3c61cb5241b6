import type { Overview } from '@weir/shared/watch/overview';
import type { DashboardView } from '@weir/shared/watch/dashboard';
import type { MoneyTrend, Trend } from '@weir/shared/watch/trends';
import type { Formatter } from '../core/format/formatter';
import type { PlainKey } from '../core/i18n/i18n';

/** A figure as its tile shows it. */
export interface TrendTileView {
  readonly id: string;
  readonly name: PlainKey;
  readonly shown: string;
  readonly value: number | null;
  readonly weekBefore: number | null;
  /** The figure of the week before, as `shown`. */
  readonly before: string;
  readonly points: readonly (number | null)[];
  readonly isShare: boolean;
  readonly better: 'more' | 'less' | null;
}

const PERCENT = 100;

/**
 * The hours that are over: the running one would draw a fall at the end of every line. Only where
 * all else is empty, as on the first day, it is all there is.
 */
function hoursOver<Point extends number | null>(points: readonly Point[]): readonly Point[] {
  const over = points.slice(0, -1);
  return over.some((point) => point !== null && point !== 0) ? over : points;
}

interface TileWords {
  readonly name: PlainKey;
  readonly better?: 'more' | 'less';
  readonly isShare?: boolean;
}

/** Makes the tiles of figures, in the reader's language. */
export class TrendTiles {
  readonly #formatter: Formatter;

  constructor(formatter: Formatter) {
    this.#formatter = formatter;
  }

  /** Figures of requests: everyone's, or those of one account. */
  ofTraffic(trends: DashboardView['trends']): TrendTileView[] {
    const { requests, errorPercent, firstByteMsP50, streamTokensPerSecond, spend } = trends;
    return [
      this.#count('requests', requests, { name: 'trend.requests' }),
      this.#percent('errors', errorPercent, { name: 'trend.errors', better: 'less' }),
      this.#figure('firstByte', firstByteMsP50, {
        ...{ name: 'trend.firstByte', better: 'less' },
        show: (ms) => this.#formatter.duration(ms),
      }),
      this.#figure('tokens', streamTokensPerSecond, {
        ...{ name: 'trend.tokens', better: 'more' },
        show: (rate) => this.#formatter.number(rate),
      }),
      this.#money('spend', spend, { name: 'trend.spend' }),
    ];
  }

  /** The eight figures of an operator; seven where margins may not be seen. */
  ofEverything(trends: Overview['trends']): TrendTileView[] {
    const { marginPercent, credits, activeAccounts } = trends;
    return [
      ...this.ofTraffic(trends),
      ...(marginPercent === null
        ? []
        : [
            {
              ...this.#percent('margin', marginPercent, { name: 'trend.margin', better: 'more' }),
              // Days, of which the running one has its share as any other.
              points: marginPercent.points,
            },
          ]),
      this.#money('credits', credits, { name: 'trend.credits' }),
      this.#count('active', activeAccounts, { name: 'trend.active' }),
    ];
  }

  #figure(
    id: string,
    { value, weekBefore, points }: Trend,
    { name, better, isShare, show }: TileWords & { readonly show: (value: number) => string },
  ): TrendTileView {
    const words = (figure: number | null) => (figure === null ? '–' : show(figure));
    return {
      ...{ id, name, value, weekBefore, points: hoursOver(points) },
      ...{ shown: words(value), before: words(weekBefore) },
      ...{ isShare: isShare ?? false, better: better ?? null },
    };
  }

  #count(id: string, trend: Trend, words: TileWords): TrendTileView {
    const show = (count: number) => this.#formatter.compact(Math.round(count));
    return this.#figure(id, trend, { ...words, show });
  }

  #percent(id: string, trend: Trend, words: TileWords): TrendTileView {
    const show = (percent: number) => this.#formatter.percent(percent / PERCENT);
    return this.#figure(id, trend, { ...words, isShare: true, show });
  }

  #money(id: string, { value, weekBefore, points }: MoneyTrend, words: TileWords): TrendTileView {
    return {
      ...{ id, name: words.name, points: hoursOver(points), isShare: false, better: null },
      ...{ value: Number(value), weekBefore: weekBefore === null ? null : Number(weekBefore) },
      shown: this.#formatter.usd(value),
      before: weekBefore === null ? '' : this.#formatter.usd(weekBefore),
    };
  }
}
