import { Component, effect, inject, input, untracked } from '@angular/core';
import type { AuditEntryView } from '@weir/shared/people/audit-entries';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { Loadable } from '../../core/state/loadable';
import { Dialogs } from '../../design/dialog/dialogs';
import { FailureNote } from '../../design/feedback/failure-note';
import { Skeleton } from '../../design/feedback/skeleton';
import { Time } from '../../design/text/time';
import { actKey } from '../audit/act-words';
import { AuditDialog } from '../audit/audit-dialog';

const ENTRIES = 8;

/** The latest changes of one object, from the audit log. */
@Component({
  selector: 'weir-object-history',
  imports: [FailureNote, Skeleton, Time],
  template: `
    <section class="card card-flush" data-testid="history">
      <h2 class="card-head">{{ t('history.title') }}</h2>
      <div class="rows top-line">
        @if (entries.waiting()) {
          <div><weir-skeleton width="60%" /></div>
        }
        @if (entries.failure(); as failure) {
          <weir-failure-note [failure]="failure" [retryable]="true" (retry)="entries.load()" />
        }
        @for (entry of entries.value(); track entry.id) {
          <div class="split one-line">
            <button type="button" class="row-link clip" (click)="show(entry)">
              {{ wordsFor(entry.action) }}
            </button>
            <span class="small soft nowrap">
              {{ entry.userEmail ?? t('audit.weir') }} ·
              <weir-time [at]="entry.at" />
            </span>
          </div>
        }
        @if (entries.value()?.length === 0) {
          <p class="soft">{{ t('history.none') }}</p>
        }
      </div>
    </section>
  `,
})
export class ObjectHistory {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  /** The kind of its subject in the audit log. */
  readonly kind = input.required<'account' | 'channel' | 'key' | 'model'>();
  readonly id = input.required<string>();
  /**
   * Changes when the object was changed: the history is then read again. Undefined while the object
   * is on its way.
   */
  readonly version = input<unknown>();
  #version: unknown;

  protected readonly entries = new Loadable(async () => {
    const query = { subjectKind: this.kind(), subjectId: this.id(), limit: ENTRIES };
    return (await this.#api.call('listAuditEntries', { query })).data;
  });

  constructor() {
    effect(() => {
      this.kind();
      this.id();
      untracked(() => void this.entries.load());
    });
    effect(() => {
      const [former, version] = [this.#version, this.version()];
      this.#version = version;
      if (former !== undefined && version !== former) untracked(() => void this.entries.load());
    });
  }

  protected wordsFor(act: string): string {
    const key = actKey(act);
    return key === undefined ? act : this.t(key);
  }

  protected show(entry: AuditEntryView): void {
    void this.#dialogs.open(AuditDialog, { data: entry, wide: true });
  }
}
