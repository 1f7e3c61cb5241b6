import { Component, inject, input } from '@angular/core';
import { MatIconButton } from '@angular/material/button';
import { MatMenu, MatMenuItem, MatMenuTrigger } from '@angular/material/menu';
import { I18n, type PlainKey } from '../../core/i18n/i18n';
import { Icon } from '../icon/icon';
import type { IconName } from '../icon/icon-paths';

/** An act on a row. */
export interface RowAct<Row> {
  readonly label: PlainKey | ((row: Row) => PlainKey);
  readonly icon?: IconName;
  readonly run: (row: Row) => unknown;
  /** Not there for the other rows. */
  readonly when?: (row: Row) => boolean;
  /** There, but cannot be done. */
  readonly disabled?: (row: Row) => boolean;
}

/** The menu at the end of a row. */
@Component({
  selector: 'weir-row-menu',
  imports: [Icon, MatIconButton, MatMenu, MatMenuItem, MatMenuTrigger],
  template: `
    <button
      matIconButton
      type="button"
      class="row-button"
      [matMenuTriggerFor]="menu"
      [attr.aria-label]="t('action.more', { name: name() })"
    >
      <weir-icon name="more" />
    </button>
    <mat-menu #menu="matMenu" xPosition="before">
      @for (act of acts(); track $index) {
        @if (act.when?.(row()) ?? true) {
          <button
            mat-menu-item
            type="button"
            [disabled]="act.disabled?.(row()) ?? false"
            (click)="act.run(row())"
          >
            @if (act.icon; as icon) {
              <weir-icon [name]="icon" />
            }
            {{ t(labelOf(act)) }}
          </button>
        }
      }
    </mat-menu>
  `,
  styles: `
    :host {
      display: contents;
    }
  `,
})
export class RowMenu<Row> {
  protected readonly t = inject(I18n).t;
  readonly row = input.required<Row>();
  readonly acts = input.required<readonly RowAct<Row>[]>();
  /** The name of the row. */
  readonly name = input.required<string>();

  protected labelOf({ label }: RowAct<Row>): PlainKey {
    return typeof label === 'function' ? label(this.row()) : label;
  }
}
