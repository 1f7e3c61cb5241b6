import { Component, effect, inject, input, untracked } from '@angular/core';
import { MatButton } from '@angular/material/button';
import type { BulkChangeLine } from '@weir/shared/api/bulk-changes';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { RowList } from '../../core/state/row-list';
import { BulkLines } from '../../design/bulk/bulk-lines';
import { FailureNote } from '../../design/feedback/failure-note';

/** The lines of a bulk change, one page after the other. */
@Component({
  selector: 'weir-audit-lines',
  imports: [BulkLines, FailureNote, MatButton],
  host: { class: 'stack' },
  template: `
    <h3>{{ t('audit.lines') }}</h3>
    <weir-bulk-lines [lines]="list.rows()" />
    @if (list.failure(); as failure) {
      <weir-failure-note [failure]="failure" [retryable]="true" (retry)="list.retry()" />
    } @else if (list.hasMore()) {
      <button matButton type="button" [disabled]="list.loading()" (click)="list.more()">
        {{ t('table.more') }}
      </button>
    }
  `,
})
export class AuditLines {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  readonly bulkChangeId = input.required<string>();
  protected readonly list = new RowList<BulkChangeLine>((cursor) =>
    this.#api.call('listBulkChangeLines', {
      params: { bulkChangeId: this.bulkChangeId() },
      query: { cursor },
    }),
  );

  constructor() {
    effect(() => {
      this.bulkChangeId();
      untracked(() => void this.list.load());
    });
  }
}
