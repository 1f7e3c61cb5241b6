import { Component, computed, effect, inject, untracked } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import { MARGIN_DIMENSIONS, type MarginRow, type MarginSums } from '@weir/shared/prices/margins';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { FailureNote } from '../../design/feedback/failure-note';
import { Note } from '../../design/feedback/note';
import { Skeleton } from '../../design/feedback/skeleton';
import { Filter } from '../../design/field/filter';
import { Pills } from '../../design/field/pills';
import { Icon } from '../../design/icon/icon';
import { Page } from '../../design/page/page';
import { StatTile } from '../../design/page/stat-tile';
import { Money } from '../../design/text/money';
import { RangeFilter } from '../../usage/range-filter';
import { AccountFilter } from '../accounts/finder/account-filter';
import { MarginState } from './margin-state';

/** Revenue less what upstreams cost, by day, model, channel or customer. */
@Component({
  selector: 'weir-margin',
  imports: [
    AccountFilter,
    FailureNote,
    Filter,
    Icon,
    MatButton,
    Money,
    Note,
    Page,
    Pills,
    RangeFilter,
    RouterLink,
    Skeleton,
    StatTile,
  ],
  templateUrl: './margin.html',
})
export class Margin {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly state = new MarginState(inject(Api), this.formatter.today);
  protected readonly total = computed(() => this.state.view.value()?.total);
  protected readonly rows = computed(() => this.state.view.value()?.data ?? []);
  protected readonly dimensions = computed(() =>
    MARGIN_DIMENSIONS.map((value) => ({ value, label: this.t(`margin.by.${value}`) })),
  );
  protected readonly modelOptions = computed(() =>
    (this.state.models.value() ?? []).map((id) => ({ value: id, label: id })),
  );
  protected readonly channelOptions = computed(() =>
    (this.state.channels.value() ?? []).map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly exportAddress = computed(() => this.state.exportAddress());
  /** There were requests, and the cost of none of them is known. */
  protected readonly isAllUnknown = computed(() => {
    const total = this.total();
    return total !== undefined && total.requests > 0 && !this.isKnown(total);
  });

  constructor() {
    this.state.load();
    effect(() => {
      this.state.query();
      untracked(() => void this.state.view.load());
    });
  }

  /** A cost of 0 is known; an unknown one is no number. */
  protected isKnown({ requests, unknownRequests }: MarginSums): boolean {
    return requests > unknownRequests;
  }

  protected percentOf({ marginPercent }: MarginSums): string {
    return marginPercent === null ? '–' : this.formatter.percent(marginPercent / 100);
  }

  protected unknownOf({ requests, unknownRequests }: MarginSums): string {
    return unknownRequests === 0 ? '–' : this.formatter.percent(unknownRequests / requests);
  }

  protected nameOf({ of, label, isRest }: MarginRow): string {
    if (isRest) return this.t('chart.others');
    if (of === null) return this.t('margin.noChannel');
    return this.state.view.value()?.by === 'day' ? this.formatter.utcDay(of, true) : (label ?? of);
  }

  /** Returns the link to a part's own page, if it has one. */
  protected linkOf({ of }: MarginRow): string[] | null {
    if (of === null) return null;
    const by = this.state.view.value()?.by;
    if (by === 'account') return ['/admin/accounts', of];
    return by === 'channel' ? ['/admin/channels', of] : null;
  }
}
