import {
  Component,
  computed,
  contentChildren,
  effect,
  inject,
  input,
  signal,
  untracked,
} from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { REQUEST_SORTS } from '@weir/shared/watch/requests';
import type { ViewList } from '@weir/shared/watch/saved-views';
import { uuidIn } from '@weir/shared/watch/request-ids';
import { Formatter } from '../core/format/formatter';
import { I18n, type Option, optionsOf, type PlainKey } from '../core/i18n/i18n';
import { Address } from '../core/state/address';
import { TABLE_PAGE } from '../design/page/page-parts';
import { Cell } from '../design/table/cell';
import type { Column } from '../design/table/column';
import { LiveBar } from '../design/table/live-bar';
import { modelOptions } from '../usage/model-options';
import { UsageChart } from '../usage/usage-chart';
import { FilterBar } from '../views/filter-bar';
import { OUTCOMES, REQUEST_CODES, REQUEST_RANGES } from './request-filters';
import { requestTone } from './request-words';
import { orderFrom } from '../design/table/sort-order';
import type { RequestRow, RequestsState } from './requests-state';

const DAY_MS = 86_400_000;

/**
 * Requests, also those that were refused or failed, and what they used per day. The address says
 * what they are narrowed by and whether there is a chart; further filters are projected.
 */
@Component({
  selector: 'weir-request-log',
  imports: [FilterBar, LiveBar, TABLE_PAGE, UsageChart],
  templateUrl: './request-log.html',
  styles: `
    .outcome {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0 var(--weir-gap-2);
    }
  `,
})
export class RequestLog<By extends string> {
  readonly #router = inject(Router);
  readonly #parameters = toSignal(inject(ActivatedRoute).queryParamMap);
  protected readonly address = inject(Address);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly toneOf = requestTone;
  protected readonly noDays = { from: '', to: '' };
  protected readonly sought = signal('');
  /** Ids are only found whole. */
  protected readonly isPart = computed(
    () => this.sought() !== '' && uuidIn(this.sought()) === undefined,
  );
  readonly heading = input.required<PlainKey>();
  readonly intro = input.required<PlainKey>();
  /** The list whose saved views these are. */
  readonly views = input.required<ViewList>();
  /** The parts that the chart offers. */
  readonly splits = input.required<readonly Option<By>[]>();
  readonly columns = input.required<readonly Column[]>();
  protected readonly cells = contentChildren<Cell<RequestRow>>(Cell);
  readonly state = input.required<RequestsState<By>>();

  protected readonly filters = computed(() => this.state().filters);
  protected readonly codes = REQUEST_CODES.map((value) => ({ value, label: value }));
  protected readonly ranges = optionsOf(REQUEST_RANGES, (range) => `requests.range.${range}`);
  protected readonly outcomes = optionsOf(OUTCOMES, (outcome) => `requests.outcome.${outcome}`);
  protected readonly models = modelOptions();
  /** Query parameter: whether the chart is shown. */
  protected readonly hasChart = computed(() => this.#parameters()?.get('chart') === '1');

  constructor() {
    effect(() => {
      const parameters = this.#parameters();
      const filters = this.filters();
      untracked(() => filters.read((name) => parameters?.get(name) ?? null));
    });
    effect(() => {
      const sort = this.#parameters()?.get('sort') ?? undefined;
      this.state().order.set(orderFrom(sort, REQUEST_SORTS, '-created'));
    });
    effect(() => {
      this.filters().query();
      this.state().order();
      untracked(() => void this.state().list.load());
    });
    effect(() => {
      if (!this.hasChart()) return;
      this.filters().chartQuery();
      this.state().by();
      untracked(() => void this.state().days.load());
    });
    effect(() => {
      const requestId = uuidIn(this.sought());
      if (requestId !== undefined) void this.#router.navigate(['/requests', requestId]);
    });
  }

  /** The days of a period that was chosen by dates. */
  protected readonly shownDays = computed(() => {
    const { period, days } = this.filters();
    return period() === null ? undefined : days();
  });

  /** A free period begins with the days that were shown. */
  protected chooseDays(): void {
    const today = this.formatter.today();
    const { from, to } = this.filters().days() ?? { from: today, to: today };
    this.showDays(from, to);
  }

  /** Days of UTC, both included. A field that was emptied changes nothing. */
  protected showDays(one: string, other: string): void {
    const [from = '', to = ''] = [one, other].toSorted();
    if (from === '') return;
    const end = new Date(Date.parse(to) + DAY_MS).toISOString();
    this.address.say('from', `${from}T00:00:00.000Z`);
    this.address.say('to', end);
  }

  protected valueOf(event: Event): string {
    return event.target instanceof HTMLInputElement ? event.target.value : '';
  }

  protected clearPeriod(): void {
    this.#leaveOut(['from', 'to']);
  }

  #leaveOut(names: readonly string[]): void {
    void this.#router.navigate([], {
      queryParams: Object.fromEntries(names.map((name) => [name, null])),
      queryParamsHandling: 'merge',
    });
  }
}
