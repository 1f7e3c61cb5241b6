import {
  Component,
  computed,
  contentChildren,
  effect,
  inject,
  input,
  untracked,
} from '@angular/core';
import { USAGE_STATUSES } from '@weir/shared/usage-record';
import { Formatter } from '../core/format/formatter';
import { I18n, type Option, optionsOf, type PlainKey } from '../core/i18n/i18n';
import { TABLE_PAGE } from '../design/page/page-parts';
import type { SubLink } from '../design/page/sub-nav';
import { Cell } from '../design/table/cell';
import type { Column } from '../design/table/column';
import { modelOptions } from './model-options';
import { RangeFilter } from './range-filter';
import { RECORD_STATUS } from './record-words';
import { UsageChart } from './usage-chart';
import type { ShownUsage, UsageRow } from './usage-state';

/** The chart and the records of usage: what else they are narrowed by is projected. */
@Component({
  selector: 'weir-usage-log',
  imports: [RangeFilter, UsageChart, TABLE_PAGE],
  templateUrl: './usage-log.html',
})
export class UsageLog<By extends string> {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly statusWords = RECORD_STATUS;
  readonly heading = input.required<PlainKey>();
  readonly intro = input.required<PlainKey>();
  /** The request log and the bills: two views of what was asked. */
  readonly links = input.required<readonly SubLink[]>();
  readonly columns = input.required<readonly Column[]>();
  protected readonly cells = contentChildren<Cell<UsageRow>>(Cell);
  readonly splits = input.required<readonly Option<By>[]>();
  readonly state = input.required<ShownUsage<By>>();

  protected readonly filters = computed(() => this.state().filters);
  protected readonly models = modelOptions();
  protected readonly statuses = optionsOf(USAGE_STATUSES, (status) => RECORD_STATUS[status].key);

  constructor() {
    effect(() => {
      this.state().query();
      untracked(() => void this.state().list.load());
    });
    effect(() => {
      this.state().query();
      this.filters().dayQuery();
      this.state().by();
      untracked(() => void this.state().days.load());
    });
  }
}
