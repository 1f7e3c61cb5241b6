import { Component, computed, inject, input } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { I18n, type PlainKey } from '../../core/i18n/i18n';
import type { Selection } from '../../core/state/selection';

/** An act on all selected rows. */
export interface BulkAct {
  readonly label: PlainKey;
  readonly run: () => unknown;
}

/** There while rows are selected. */
@Component({
  selector: 'weir-bulk-bar',
  imports: [MatButton],
  template: `
    @if (words(); as words) {
      <div class="cluster" role="group" [attr.aria-label]="words">
        <span class="strong" aria-live="polite">{{ words }}</span>
        @if (selection().offered(); as count) {
          <button matButton type="button" (click)="selection().selectEverything()">
            {{ t('bulk.selectEverything', { count }) }}
          </button>
        }
        @for (act of acts(); track act.label) {
          <button matButton type="button" (click)="act.run()">{{ t(act.label) }}</button>
        }
        <button matButton type="button" (click)="selection().clear()">{{ t('bulk.clear') }}</button>
      </div>
    }
  `,
  styles: `
    :host {
      display: contents;
    }

    div {
      position: sticky;
      z-index: 3;
      inset-block-start: 3.5rem;
      padding: var(--weir-gap-2) var(--weir-gap-4);
      border-radius: var(--weir-radius-m);
      background: var(--weir-brand-soft);
      color: var(--weir-on-brand-soft);
    }
  `,
})
export class BulkBar {
  protected readonly t = inject(I18n).t;
  readonly selection =
    input.required<
      Pick<Selection<unknown>, 'count' | 'clear' | 'offered' | 'selectEverything' | 'isEverything'>
    >();
  readonly acts = input.required<readonly BulkAct[]>();

  protected readonly words = computed(() => {
    const { count, isEverything } = this.selection();
    if (count() === 0) return undefined;
    return this.t(isEverything() ? 'bulk.everythingSelected' : 'bulk.selected', {
      count: count(),
    });
  });
}
