import { Component, inject, input, viewChildren } from '@angular/core';
import type { ActivityView } from '@weir/shared/watch/activity';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { HourBars } from '../design/chart/hour-bars';
import { Cell } from '../design/table/cell';
import { Money } from '../design/text/money';
import type { Activities } from './activities';

/** A share of errors that is worth a colour. */
const ERROR_SHARE_BAD = 0.05;

/** The cells of the figures of 24 hours: `[moreCells]="figures.cells()"` puts them into a table. */
@Component({
  selector: 'weir-activity-cells',
  imports: [Cell, HourBars, Money],
  template: `
    <ng-template weirCell="requests" [weirCellRows]="rows()" let-row>
      @if (activities().of(row.id); as activity) {
        @if (activity.requests > 0) {
          {{ formatter.compact(activity.requests) }}
        } @else {
          <span class="soft">–</span>
        }
      }
    </ng-template>
    <ng-template weirCell="errors" [weirCellRows]="rows()" let-row>
      @if (activities().of(row.id); as activity) {
        @if (activity.requests > 0) {
          <span
            [class.bad]="isBad(activity)"
            [class.soft]="activity.failed === 0"
            [attr.title]="formatter.number(activity.failed)"
            >{{ formatter.percent(activity.failed / activity.requests) }}</span
          >
        } @else {
          <span class="soft">–</span>
        }
      }
    </ng-template>
    <ng-template weirCell="firstByte" [weirCellRows]="rows()" let-row>
      @if (activities().of(row.id); as activity) {
        @if (activity.firstByteMsP95 !== null) {
          {{ formatter.duration(activity.firstByteMsP95) }}
        } @else {
          <span class="soft">–</span>
        }
      }
    </ng-template>
    <ng-template weirCell="spend24" [weirCellRows]="rows()" let-row>
      @if (activities().of(row.id); as activity) {
        @if (activity.costUsd !== '0') {
          <weir-money [usd]="activity.costUsd" />
        } @else {
          <span class="soft">–</span>
        }
      }
    </ng-template>
    <ng-template weirCell="hours" [weirCellRows]="rows()" let-row>
      @if (activities().of(row.id); as activity) {
        <weir-hour-bars
          [hours]="activity.hours"
          [failedHours]="activity.failedHours"
          [label]="words(activity)"
        />
      }
    </ng-template>
  `,
  // It draws in the table; where it is itself, it takes no space.
  styles: `
    :host {
      display: contents;
    }
  `,
})
export class ActivityCells<Row extends { readonly id: string }> {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  readonly activities = input.required<Activities>();
  /** Only for their type. */
  readonly rows = input.required<readonly Row[]>();
  readonly cells = viewChildren<Cell<Row>>(Cell);

  protected isBad({ failed, requests }: ActivityView): boolean {
    return failed / requests >= ERROR_SHARE_BAD;
  }

  protected words({ requests, failed }: ActivityView): string {
    return this.t('activity.words', { count: requests, failed });
  }
}
