import { Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { RowList } from '../../core/state/row-list';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import type { Tone } from '../../design/text/chip';
import { PARAMETERS, type Dimension } from './operations-state';
import { sortParts, type PartState, type TrafficPart } from './traffic-parts';

const COLUMNS: readonly Column[] = [
  { id: 'name', header: 'operations.part', width: '2fr', sort: 'name', narrow: 'title' },
  { id: 'state', header: 'operations.state', width: '6.5rem', sort: '-state', narrow: 'value' },
  {
    ...{ id: 'requests', header: 'operations.column.requests', width: '6rem' },
    ...{ align: 'end', sort: '-requests', narrow: 'note' },
  },
  {
    ...{ id: 'errors', header: 'operations.column.errors', width: '7.5rem' },
    ...{ align: 'end', sort: '-errors', narrow: 'detail' },
  },
  {
    ...{ id: 'firstToken', header: 'operations.column.firstToken', width: '7.75rem' },
    ...{ align: 'end', sort: '-firstToken' },
  },
  {
    ...{ id: 'duration', header: 'operations.column.duration', width: '6.5rem' },
    ...{ align: 'end', sort: '-duration', wideOnly: true },
  },
  {
    ...{ id: 'speed', header: 'operations.column.speed', width: '6rem' },
    ...{ align: 'end', sort: '-speed', widestOnly: true },
  },
  {
    ...{ id: 'spend', header: 'operations.column.spend', width: '6rem' },
    ...{ align: 'end', sort: '-spend', wideOnly: true },
  },
  {
    ...{ id: 'share', header: 'operations.column.share', width: '5rem' },
    ...{ align: 'end', widestOnly: true },
  },
];

const TONES: Readonly<Record<PartState, Tone>> = {
  fine: 'good',
  slow: 'warn',
  failing: 'bad',
  idle: 'plain',
};

/** Each state has a shape of its own, for people who see no difference between its colours. */
const SHAPES: Readonly<Record<PartState, string>> = {
  fine: '●',
  slow: '▲',
  failing: '■',
  idle: '○',
};

/** All parts of the traffic, sorted and searched; each leads to its page and to its requests. */
@Component({
  selector: 'weir-parts-table',
  imports: [TABLE_PAGE],
  template: `
    <div class="split">
      <h2>{{ heading() }}</h2>
      <weir-search-box [label]="t('operations.search')" [(value)]="search" />
    </div>
    <weir-data-table
      data-testid="parts"
      [label]="heading()"
      [list]="list"
      [columns]="columns"
      [order]="order()"
      (orderChange)="order.set($event)"
    >
      <ng-template weirCell="name" [weirCellRows]="list.rows()" let-part>
        @if (pageOf(part); as page) {
          <a [routerLink]="page.path" [queryParams]="page.query"
            ><weir-name [value]="part.label ?? part.of ?? ''"
          /></a>
        } @else {
          {{ part.label ?? part.of ?? t('operations.unnamed') }}
        }
      </ng-template>
      <ng-template weirCell="state" [weirCellRows]="list.rows()" let-part>
        @if (part.of !== null) {
          <weir-chip [tone]="tones[part.state]"
            ><span aria-hidden="true">{{ shapes[part.state] }}</span>
            {{ t(stateWords[part.state]) }}</weir-chip
          >
        }
      </ng-template>
      <ng-template weirCell="requests" [weirCellRows]="list.rows()" let-part>
        @if (requestsOf(part, false); as query) {
          <a routerLink="/admin/requests" [queryParams]="query">{{
            formatter.number(part.requests)
          }}</a>
        } @else {
          {{ formatter.number(part.requests) }}
        }
        <span class="unit">&ngsp;{{ t('operations.column.requests') }}</span>
      </ng-template>
      <ng-template weirCell="errors" [weirCellRows]="list.rows()" let-part>
        @let errors = errorsOf(part);
        @if (errors > 0 && requestsOf(part, true); as query) {
          <a routerLink="/admin/requests" [queryParams]="query">{{ formatter.number(errors) }}</a>
        } @else {
          {{ formatter.number(errors) }}
        }
        <span class="unit">&ngsp;{{ t('operations.column.errors') }}</span>
        <span class="soft share">{{ formatter.percent(part.errorShare) }}</span>
      </ng-template>
      <ng-template weirCell="firstToken" [weirCellRows]="list.rows()" let-part>{{
        durationOf(part.firstByteMsP95)
      }}</ng-template>
      <ng-template weirCell="duration" [weirCellRows]="list.rows()" let-part>{{
        durationOf(part.durationMsP95)
      }}</ng-template>
      <ng-template weirCell="speed" [weirCellRows]="list.rows()" let-part>{{
        part.streamTokensPerSecond ?? '–'
      }}</ng-template>
      <ng-template weirCell="spend" [weirCellRows]="list.rows()" let-part>
        <weir-money [usd]="part.costUsd" />
      </ng-template>
      <ng-template weirCell="share" [weirCellRows]="list.rows()" let-part>{{
        formatter.percent(part.spendShare)
      }}</ng-template>
      <weir-empty-state icon="operations" [heading]="t('operations.none')" />
    </weir-data-table>
  `,
  host: { class: 'stack' },
  styles: `
    .share {
      margin-inline-start: var(--weir-gap-1);
    }

    /* Where there are no heads, figures say what they count. */
    @media (width >= 720px) {
      .unit {
        display: none;
      }
    }
  `,
})
export class PartsTable {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly columns = COLUMNS;
  protected readonly tones = TONES;
  protected readonly shapes = SHAPES;
  protected readonly stateWords = {
    fine: 'operations.state.fine',
    slow: 'operations.state.slow',
    failing: 'operations.state.failing',
    idle: 'operations.state.idle',
  } as const;
  readonly parts = input.required<readonly TrafficPart[] | undefined>();
  readonly by = input.required<Dimension>();
  /** The range of the list of requests that is nearest to the period. */
  readonly range = input.required<string>();
  protected readonly heading = computed(() => this.t(`operations.all.${this.by()}`));
  protected readonly search = signal('');
  protected readonly order = signal('-requests');
  readonly #shown = computed(() =>
    sortParts(this.parts() ?? [], { order: this.order(), search: this.search() }),
  );
  protected readonly list = new RowList<TrafficPart>(
    () => Promise.resolve({ data: this.#shown(), nextCursor: null }),
    ({ of }) => of,
  );

  constructor() {
    effect(() => {
      const isThere = this.parts() !== undefined;
      this.#shown();
      if (isThere) untracked(() => void this.list.load());
    });
  }

  protected durationOf(ms: number | null): string {
    return ms === null ? '–' : this.formatter.duration(ms);
  }

  protected errorsOf({ failed, failedAttempts }: TrafficPart): number {
    return this.by() === 'channel' ? failedAttempts : failed;
  }

  /** The page of what the row is about. */
  protected pageOf({ of }: TrafficPart): { path: string; query: Record<string, string> } | null {
    if (of === null) return null;
    switch (this.by()) {
      case 'account':
        return { path: `/admin/accounts/${of}`, query: {} };
      case 'channel':
        return { path: `/admin/channels/${of}`, query: {} };
      case 'group':
        return { path: `/admin/groups/${of}`, query: {} };
      case 'model':
        return { path: '/admin/models', query: { search: of } };
    }
  }

  /**
   * The filters of the requests behind a row. At a channel an attempt may have failed of a request
   * that another one served.
   */
  protected requestsOf({ of }: TrafficPart, isFailed: boolean): Record<string, string> | null {
    const name = PARAMETERS[this.by()];
    if (of === null || name === undefined) return null;
    const isOfRequests = isFailed && this.by() !== 'channel';
    return { [name]: of, range: this.range(), ...(isOfRequests ? { outcome: 'failed' } : {}) };
  }
}
