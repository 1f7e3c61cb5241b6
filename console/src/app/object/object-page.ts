import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { Formatter } from '../core/format/formatter';
import { I18n, optionsOf } from '../core/i18n/i18n';
import { BarChart } from '../design/chart/bar-chart';
import { Pills } from '../design/field/pills';
import { PAGE_PARTS } from '../design/page/page-parts';
import { StatTile } from '../design/page/stat-tile';
import type { RequestRow } from '../requests/requests-state';
import type { ObjectSource } from './object-source';
import { ObjectState, OBJECT_RANGES } from './object-state';
import { outcomeBars } from './outcome-bars';

/**
 * The page of a channel, account, model or key: its figures, its latest failures and, projected,
 * what it consists of. `[objectAction]` is at its head, `[objectState]` above the figures,
 * `[objectHistory]` below them: what it consists of may be long.
 */
@Component({
  selector: 'weir-object-page',
  imports: [BarChart, PAGE_PARTS, Pills, StatTile],
  templateUrl: './object-page.html',
  styles: `
    .chart {
      min-width: 0;
      align-content: start;
    }
  `,
})
export class ObjectPage {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  readonly heading = input.required<string>();
  readonly intro = input('');
  /** The list that it is in. */
  readonly back = input.required<string>();
  readonly backLabel = input.required<string>();
  readonly source = input.required<ObjectSource>();

  protected readonly state = new ObjectState(() => this.source());
  protected readonly ranges = optionsOf(OBJECT_RANGES, (range) => `object.range.${range}`);
  protected readonly tokens = computed(() => {
    const { inputTokens = 0, outputTokens = 0 } = this.state.total() ?? {};
    return this.formatter.compact(inputTokens + outputTokens);
  });
  protected readonly bars = computed(() => {
    const view = this.state.traffic.value();
    const names = { served: this.t('object.served'), failed: this.t('object.failedBars') };
    return view === undefined ? undefined : outcomeBars(view, names, this.#slotOf(view.step));
  });
  protected readonly asCount = (value: number): string => this.formatter.compact(value);

  constructor() {
    effect(() => {
      this.source();
      untracked(() => void this.state.failures.load());
    });
    effect(() => {
      this.source();
      this.state.range();
      untracked(() => void this.state.traffic.load());
    });
  }

  protected shareOf(share: number | null): string {
    return share === null ? '–' : this.formatter.percent(share);
  }

  protected durationOf(ms: number | null | undefined): string {
    return ms == null ? '–' : this.formatter.duration(ms);
  }

  /** Distinguishes one failure from the next; the upstream's words are one click away. */
  protected detailOf({ model, keyName, channelName, message }: RequestRow): string {
    return [model, channelName ?? keyName, message].filter(Boolean).join(' · ');
  }

  #slotOf(step: 'hour' | 'day'): (slot: string) => string {
    return (slot) => {
      const day = this.formatter.utcDay(slot.slice(0, 10));
      if (step === 'day') return day;
      const hour = slot.slice(11, 16);
      return this.state.range() === 'day' ? hour : `${day} ${hour}`;
    };
  }
}
