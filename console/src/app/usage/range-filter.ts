import { Component, computed, inject, input } from '@angular/core';
import { I18n } from '../core/i18n/i18n';
import { Pills } from '../design/field/pills';
import { RANGE_DAYS, type Range, type UsageFilters } from './usage-filters';

/** The last days, or any: two dates in UTC. */
@Component({
  selector: 'weir-range-filter',
  imports: [Pills],
  host: { class: 'cluster' },
  template: `
    <weir-pills
      [label]="t('usage.range')"
      [options]="ranges()"
      [value]="filters().range()"
      (valueChange)="choose($event)"
    />
    @if (filters().range() === 'custom') {
      <input
        class="weir-date"
        type="date"
        [attr.aria-label]="t('usage.from')"
        [max]="filters().to()"
        [value]="filters().from()"
        (change)="filters().from.set(valueOf($event))"
      />
      <span aria-hidden="true">–</span>
      <input
        class="weir-date"
        type="date"
        [attr.aria-label]="t('usage.to')"
        [min]="filters().from()"
        [value]="filters().to()"
        (change)="filters().to.set(valueOf($event))"
      />
    }
  `,
})
export class RangeFilter {
  protected readonly t = inject(I18n).t;
  readonly filters = input.required<UsageFilters>();

  protected readonly ranges = computed((): { value: Range; label: string }[] => [
    { value: '1', label: this.t('usage.today') },
    ...(['7', '30', '90'] as const).map((value) => ({
      value,
      label: this.t('usage.days', { count: RANGE_DAYS[value] }),
    })),
    { value: 'custom', label: this.t('usage.custom') },
  ]);

  /** A free range begins with the days that were shown. */
  protected choose(range: Range): void {
    const filters = this.filters();
    const { from, to } = filters.days();
    filters.from.set(from);
    filters.to.set(to);
    filters.range.set(range);
  }

  protected valueOf(event: Event): string {
    return event.target instanceof HTMLInputElement ? event.target.value : '';
  }
}
