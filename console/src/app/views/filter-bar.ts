import { NgTemplateOutlet } from '@angular/common';
import { booleanAttribute, Component, computed, inject, input } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import { ActivatedRoute } from '@angular/router';
import type { ViewList } from '@weir/shared/watch/saved-views';
import { I18n } from '../core/i18n/i18n';
import { Address } from '../core/state/address';
import { SavedViews } from './saved-views';

/** Parameters of a list's address that do not narrow it. */
const NO_FILTERS = ['sort', 'range', 'chart'];

/**
 * The filters of a list as chips in one line, the button that clears them, and the views that its
 * reader has saved. The filters are parameters of the page's address.
 */
@Component({
  selector: 'weir-filter-bar',
  imports: [MatButton, NgTemplateOutlet, SavedViews],
  host: { class: 'filter-bar' },
  template: `
    @if (twoLines()) {
      <div class="first-line">
        <ng-content select="[barStart]" />
        <ng-container [ngTemplateOutlet]="end" />
      </div>
    }
    <ng-content />
    @if (narrowed()) {
      <button matButton type="button" data-testid="clear" (click)="clear()">
        {{ t('action.clear') }}
      </button>
    }
    @if (!twoLines()) {
      <ng-container [ngTemplateOutlet]="end" />
    }
    <ng-template #end>
      <span class="end">
        <ng-content select="[barEnd]" />
        @defer (on idle) {
          <weir-saved-views [list]="list()" />
        } @placeholder {
          <span class="views"></span>
        }
      </span>
    </ng-template>
  `,
  styles: `
    .views {
      min-width: 6rem;
      min-height: 2.5rem;
    }
  `,
})
export class FilterBar {
  readonly #address = inject(Address);
  readonly #parameters = toSignal(inject(ActivatedRoute).queryParams);
  protected readonly t = inject(I18n).t;
  readonly list = input.required<ViewList>();
  /** `[barStart]` and the end are in a line above the filters, for lists with more of both. */
  readonly twoLines = input(false, { transform: booleanAttribute });
  protected readonly narrowed = computed(() =>
    Object.keys(this.#parameters() ?? {}).some((name) => !NO_FILTERS.includes(name)),
  );

  protected clear(): void {
    void this.#address.keepOnly(NO_FILTERS);
  }
}
