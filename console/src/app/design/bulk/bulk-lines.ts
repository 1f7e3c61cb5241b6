import { Component, computed, inject, input } from '@angular/core';
import type { BulkChangeLine } from '@weir/shared/api/bulk-changes';
import { differences } from '../../core/format/differences';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { fieldWords, valueWords } from './bulk-words';

/** Objects of a bulk change, each with what changes about it. */
@Component({
  selector: 'weir-bulk-lines',
  template: `
    <div class="scroll-x" tabindex="0" role="region" [attr.aria-label]="t('bulk.changes')">
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{{ t('bulk.object') }}</th>
            <th scope="col">{{ t('bulk.changes') }}</th>
          </tr>
        </thead>
        <tbody>
          @for (row of rows(); track row.id) {
            <tr data-testid="bulk-line">
              <th scope="row" class="wraps">{{ row.name }}</th>
              <td>
                @for (change of row.changes; track change.field) {
                  <div>
                    <span class="soft">{{ change.field }}:</span> {{ change.before }} →
                    <span class="strong">{{ change.after }}</span>
                  </div>
                } @empty {
                  {{ t('bulk.deleted') }}
                }
              </td>
            </tr>
          }
        </tbody>
      </table>
    </div>
  `,
})
export class BulkLines {
  protected readonly t = inject(I18n).t;
  readonly #formatter = inject(Formatter);
  readonly lines = input.required<readonly BulkChangeLine[]>();

  protected readonly rows = computed(() =>
    this.lines().map(({ id, name, before, after }) => ({
      id,
      name,
      changes: after === null ? [] : this.#changes(before, after),
    })),
  );

  #changes(before: unknown, after: unknown) {
    const reader = {
      names: {},
      formatter: this.#formatter,
      yes: this.t('bulk.yes'),
      no: this.t('bulk.no'),
    };
    return differences(before, after, reader).map((change) => ({
      field: fieldWords(change.field, this.t),
      before: valueWords(change.field, change.before, this.t),
      after: valueWords(change.field, change.after, this.t),
    }));
  }
}
