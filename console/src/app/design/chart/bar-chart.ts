import {
  Component,
  computed,
  DestroyRef,
  type ElementRef,
  afterNextRender,
  inject,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { I18n } from '../../core/i18n/i18n';
import { axisOf, largestStack } from './axis';
import { barShape, seriesAt, stepsOf } from './bar-chart-shape';
import { seriesColor, type BarData } from './bar-series';

/** A bar that was pressed: places in the data. */
export interface PickedBar {
  readonly category: number;
  readonly series: number;
}

/**
 * Stacked bars. The drawing is for people who see; everyone gets the same figures as a table, one
 * press away. Lines, bars and texts take their colours from the style sheet, so that they follow
 * the theme.
 */
@Component({
  selector: 'weir-bar-chart',
  templateUrl: './bar-chart.html',
  styleUrl: './bar-chart.scss',
})
export class BarChart {
  protected readonly t = inject(I18n).t;
  protected readonly plot = viewChild.required<ElementRef<HTMLElement>>('plot');
  readonly data = input.required<BarData>();
  readonly label = input.required<string>();
  /** The name of the categories, such as days. */
  readonly category = input.required<string>();
  readonly format = input.required<(value: number) => string>();
  /** Next to a step of the axis; steps have so many decimals. */
  readonly formatStep = input.required<(value: number, decimals: number) => string>();
  /** True if a press on a bar leads to something. */
  readonly pickable = input(false);
  /** A bar was pressed. The table below is for people who use no mouse. */
  readonly picked = output<PickedBar>();
  /** True if the values have no fractions. */
  readonly whole = input(false);

  readonly #size = signal({ width: 0, height: 0 });
  /** The pointer's place in the drawing. */
  readonly #pointer = signal<{ readonly x: number; readonly y: number } | null>(null);
  protected readonly isTableOpen = signal(false);

  readonly #axis = computed(() => axisOf(largestStack(this.data().series), this.whole()));
  protected readonly steps = computed(() =>
    stepsOf(this.#axis()).map(({ value, top }) => ({
      top: `${String(top * 100)}%`,
      text: this.formatStep()(value, this.#axis().decimals),
    })),
  );
  /** Undefined until the drawing's size is known. */
  protected readonly shape = computed(() => {
    const size = this.#size();
    return size.width === 0 ? undefined : barShape(this.data(), size, this.#axis().max);
  });
  /** The category under the pointer, with the figures of its tooltip. */
  protected readonly hovered = computed(() => {
    const [pointer, shape] = [this.#pointer(), this.shape()];
    if (pointer === null || shape === undefined) return undefined;
    const { categories, series } = this.data();
    const index = Math.floor(pointer.x / shape.slotPx);
    const name = categories[index];
    if (name === undefined) return undefined;
    const { width } = this.#size();
    const [left, right] = [index * shape.slotPx, (index + 1) * shape.slotPx];
    const isRight = pointer.x > width / 2;
    return {
      ...{ index, name, x: left },
      // Next to its bars, on the side that has more space, and no wider than that.
      tip: {
        left: isRight ? null : right,
        right: isRight ? width - left : null,
        widthMax: isRight ? left : width - right,
      },
      series: this.#seriesAt(index, pointer.y),
      lines: series.map((one, place) => ({
        ...{ name: one.name, color: seriesColor(place) },
        value: this.format()(one.values[index] ?? 0),
      })),
    };
  });
  /** The bar under the pointer. */
  protected readonly picks = computed((): PickedBar | undefined => {
    const { index, series } = this.hovered() ?? {};
    return index === undefined || series == null ? undefined : { category: index, series };
  });
  protected readonly rows = computed(() => {
    const { categories, series } = this.data();
    const format = this.format();
    return categories.map((name, index) => ({
      name,
      values: series.map(({ values }) => format(values[index] ?? 0)),
    }));
  });

  protected readonly colorOf = seriesColor;

  constructor() {
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const observer = new ResizeObserver(([entry]) => {
        if (entry !== undefined) this.#size.set(entry.contentRect);
      });
      observer.observe(this.plot().nativeElement);
      destroyed.onDestroy(() => observer.disconnect());
    });
  }

  protected point({ offsetX: x, offsetY: y }: MouseEvent): void {
    this.#pointer.set({ x, y });
  }

  protected leave(): void {
    this.#pointer.set(null);
  }

  protected pick(): void {
    const bar = this.picks();
    if (bar !== undefined) this.picked.emit(bar);
  }

  #seriesAt(category: number, y: number): number | null {
    const value = (1 - y / this.#size().height) * this.#axis().max;
    return seriesAt(this.data(), category, value);
  }
}
