import { Component, computed, inject, input } from '@angular/core';
import type { BulkChangeReport } from '@weir/shared/api/bulk-changes';
import { I18n } from '../../core/i18n/i18n';
import { Note } from '../feedback/note';
import { BulkLines } from './bulk-lines';
import { reasonWords } from './bulk-words';

/** The result of a bulk change or of its preview: the first lines, and what stays and why. */
@Component({
  selector: 'weir-bulk-report',
  imports: [BulkLines, Note],
  template: `
    @let found = report();
    @if (found.changed === 0) {
      <p role="status">{{ t('bulk.nothing') }}</p>
    } @else {
      <p role="status" class="strong">{{ headline() }}</p>
      <weir-bulk-lines [lines]="found.lines" />
      @if (more() > 0) {
        <p class="soft">{{ t('bulk.more', { count: more() }) }}</p>
      }
    }
    @if (found.notChangedCount > 0) {
      <weir-note tone="warn">
        <p>{{ t('bulk.notChanged', { count: found.notChangedCount }) }}</p>
        <ul tabindex="0" [attr.aria-label]="t('bulk.notChanged', { count: found.notChangedCount })">
          @for (object of found.notChanged; track object.id) {
            <li data-testid="not-changed">
              <strong>{{ object.name }}</strong> {{ reasonWords(object.reason, t) }}
            </li>
          }
        </ul>
        @if (unnamed() > 0) {
          <p>{{ t('bulk.more', { count: unnamed() }) }}</p>
        }
      </weir-note>
    }
  `,
  styles: `
    :host {
      display: contents;
    }

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
export class BulkReport {
  protected readonly t = inject(I18n).t;
  protected readonly reasonWords = reasonWords;
  readonly report = input.required<BulkChangeReport>();

  protected readonly more = computed(() => this.report().changed - this.report().lines.length);
  protected readonly unnamed = computed(
    () => this.report().notChangedCount - this.report().notChanged.length,
  );
  protected readonly headline = computed(() => {
    const { changed: count, dryRun } = this.report();
    return this.t(dryRun ? 'bulk.willChange' : 'bulk.changed', { count });
  });
}
