import { NgTemplateOutlet } from '@angular/common';
import { Component, computed, contentChild, inject, input, output } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { I18n, type PlainKey } from '../../core/i18n/i18n';
import { EmptyState } from '../feedback/empty-state';
import { FailureNote } from '../feedback/failure-note';
import { Skeleton } from '../feedback/skeleton';
import { Icon } from '../icon/icon';
import type { IconName } from '../icon/icon-paths';
import { Page } from '../page/page';
import { SubNav, type SubLink } from '../page/sub-nav';
import { ResourceRow } from './resource-row';

/**
 * A page about a short list of what people make: its rows in a card, one `*weirRow` each, and the
 * button that makes another. Projected content is above the rows; `emptyAction` is shown if there
 * are none.
 */
@Component({
  selector: 'weir-resource-page',
  imports: [EmptyState, FailureNote, Icon, MatButton, NgTemplateOutlet, Page, Skeleton, SubNav],
  template: `
    <weir-page [heading]="t(heading())" [intro]="t(intro())">
      @if (links(); as links) {
        <weir-sub-nav [label]="t(heading())" [links]="links" />
      }
      <button
        pageAction
        matButton="filled"
        type="button"
        data-testid="create"
        (click)="created.emit()"
      >
        <weir-icon matButtonIcon name="plus" />{{ t(create()) }}
      </button>
      <ng-content />
      @if (rows().failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="rows().load()" />
      }
      <div class="card card-flush rows">
        @if (rows().waiting()) {
          @for (line of lines; track line) {
            <div><weir-skeleton width="60%" height="2.75rem" /></div>
          }
        }
        @for (one of rows().value(); track one.id) {
          <ng-container *ngTemplateOutlet="row().template; context: { $implicit: one }" />
        }
        @if (rows().value()?.length === 0) {
          <weir-empty-state [icon]="icon()" [heading]="t(none())" [hint]="t(noneHint())">
            <ng-content select="[emptyAction]" />
          </weir-empty-state>
        }
      </div>
    </weir-page>
  `,
})
export class ResourcePage<Row extends { readonly id: string }> {
  protected readonly t = inject(I18n).t;
  protected readonly lines = [1, 2, 3];
  readonly heading = input.required<PlainKey>();
  readonly intro = input.required<PlainKey>();
  readonly links = input<readonly SubLink[]>();
  readonly create = input.required<PlainKey>();
  readonly created = output();
  /** The icon of the page while there is none yet. */
  readonly icon = input.required<IconName>();
  readonly none = input.required<PlainKey>();
  readonly noneHint = input.required<PlainKey>();

  protected readonly row = contentChild.required<ResourceRow<Row>>(ResourceRow);
  protected readonly rows = computed(() => this.row().weirRowOf());
}
