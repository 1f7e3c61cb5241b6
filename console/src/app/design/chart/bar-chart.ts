import {
  afterRenderEffect,
  Component,
  computed,
  DestroyRef,
  DOCUMENT,
  type ElementRef,
  inject,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import type { EChartsType } from 'echarts/core';
import { I18n } from '../../core/i18n/i18n';
import { untilIdle } from '../../core/state/until-idle';
import { Theme } from '../../core/theme/theme';
import type { BarData } from './bar-series';
import { chartColors, seriesColor } from './chart-colors';
import type { BarLook } from './draw-bars';

/** A bar that was pressed: places in the data. */
export interface PickedBar {
  readonly category: number;
  readonly series: number;
}

/**
 * Stacked bars. The drawing is for people who see; everyone gets the same figures as a table, one
 * press away. ECharts is loaded with the first chart, once the page has everything else: it is two
 * thirds as large as a whole first page.
 */
@Component({
  selector: 'weir-bar-chart',
  template: `
    <div #canvas class="canvas" role="img" [attr.aria-label]="label()"></div>
    @if (data().series.length > 1) {
      <ul class="legend small soft" aria-hidden="true">
        @for (one of data().series; track one.name; let index = $index) {
          <li><i [style.background]="colorOf(index)"></i>{{ one.name }}</li>
        }
      </ul>
    }
    <details>
      <summary class="small soft">{{ t('chart.asTable') }}</summary>
      <div class="scroll-x" tabindex="0" role="region" [attr.aria-label]="label()">
        <table class="plain-table">
          <thead>
            <tr>
              <th scope="col">{{ category() }}</th>
              @for (one of data().series; track one.name) {
                <th scope="col" class="end">{{ one.name }}</th>
              }
            </tr>
          </thead>
          <tbody>
            @for (row of rows(); track row.name) {
              <tr>
                <th scope="row" class="nowrap">{{ row.name }}</th>
                @for (value of row.values; track $index) {
                  <td class="end numeric">{{ value }}</td>
                }
              </tr>
            }
          </tbody>
        </table>
      </div>
    </details>
  `,
  styles: `
    :host {
      display: block;
    }

    .canvas {
      height: 17rem;
    }

    .legend {
      display: flex;
      flex-wrap: wrap;
      gap: var(--weir-gap-1) var(--weir-gap-4);
      margin: var(--weir-gap-2) 0 0;
      padding: 0;
      list-style: none;
    }

    .legend i {
      display: inline-block;
      width: 10px;
      height: 10px;
      margin-inline-end: var(--weir-gap-2);
      border-radius: 3px;
    }

    details {
      margin-top: var(--weir-gap-2);
    }

    summary {
      cursor: pointer;
      width: max-content;
    }

    .scroll-x {
      max-height: 20rem;
      overflow: auto;
      margin-top: var(--weir-gap-2);
    }
  `,
})
export class BarChart {
  readonly #document = inject(DOCUMENT);
  readonly #theme = inject(Theme);
  readonly #systemTheme = signal(0);
  protected readonly canvas = viewChild.required<ElementRef<HTMLElement>>('canvas');
  protected readonly t = inject(I18n).t;
  #chart: EChartsType | undefined;

  readonly data = input.required<BarData>();
  readonly label = input.required<string>();
  /** The name of the categories, such as days. */
  readonly category = input.required<string>();
  readonly format = input.required<(value: number) => string>();
  /** Next to a step of the axis; steps have so many decimals. */
  readonly formatStep = input.required<(value: number, decimals: number) => string>();
  /** A bar was pressed. The table below is for people who use no mouse. */
  readonly picked = output<PickedBar>();
  /** True if the values have no fractions. */
  readonly whole = input(false);

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
    this.#followSystemTheme();
    afterRenderEffect(() => {
      const data = this.data();
      const look = {
        format: this.format(),
        formatStep: this.formatStep(),
        whole: this.whole(),
      };
      this.#theme.choice();
      this.#systemTheme();
      void this.#draw(this.canvas().nativeElement, data, look);
    });
    const destroyed = inject(DestroyRef);
    afterRenderEffect((onCleanup) => {
      const observer = new ResizeObserver(() => this.#chart?.resize());
      observer.observe(this.canvas().nativeElement);
      onCleanup(() => observer.disconnect());
    });
    destroyed.onDestroy(() => this.#chart?.dispose());
  }

  async #draw(
    host: HTMLElement,
    data: BarData,
    look: Pick<BarLook, 'format' | 'formatStep' | 'whole'>,
  ): Promise<void> {
    if (this.#chart === undefined) await untilIdle(this.#document);
    const { drawBars, makeChart } = await import('./draw-bars');
    // Left meanwhile.
    if (!host.isConnected) return;
    this.#chart ??= this.#make(makeChart, host);
    const font = getComputedStyle(host).fontFamily;
    drawBars(this.#chart, data, { colors: chartColors(host), font, ...look });
  }

  #make(makeChart: (host: HTMLElement) => EChartsType, host: HTMLElement): EChartsType {
    const chart = makeChart(host);
    chart.on('click', ({ dataIndex, seriesIndex = 0 }) => {
      this.picked.emit({ category: dataIndex, series: seriesIndex });
    });
    return chart;
  }

  #followSystemTheme(): void {
    const query = this.#document.defaultView?.matchMedia('(prefers-color-scheme: dark)');
    const count = (): void => this.#systemTheme.update((changes) => changes + 1);
    query?.addEventListener('change', count);
    inject(DestroyRef).onDestroy(() => query?.removeEventListener('change', count));
  }
}
