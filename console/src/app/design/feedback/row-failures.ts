import { Component, inject, input } from '@angular/core';
import type { RowFailure } from '../../core/state/selection';
import { I18n } from '../../core/i18n/i18n';
import { Note } from './note';
import { failureWords } from './failure-words';

/** For which of several rows the work failed, and why. They are still selected. */
@Component({
  selector: 'weir-row-failures',
  imports: [Note],
  template: `
    @if (failures().length; as count) {
      <weir-note tone="warn" role="alert">
        <p>{{ t('bulk.failed', { count }) }}</p>
        <ul tabindex="0" [attr.aria-label]="t('bulk.failed', { count })">
          @for (failed of failures(); track $index) {
            <li data-testid="failed-row">
              <strong>{{ failed.name }}</strong> {{ words(failed) }}
            </li>
          }
        </ul>
      </weir-note>
    }
  `,
  styles: `
    ul {
      max-height: 12rem;
      margin: var(--weir-gap-2) 0 0;
      padding-inline-start: var(--weir-gap-4);
      overflow: auto;
    }

    li {
      overflow-wrap: anywhere;
    }
  `,
})
export class RowFailures {
  readonly #i18n = inject(I18n);
  protected readonly t = this.#i18n.t;
  readonly failures = input.required<readonly RowFailure[]>();

  protected words({ failure }: RowFailure): string {
    return failureWords(failure, this.#i18n);
  }
}
