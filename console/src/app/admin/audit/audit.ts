import { Component, computed, inject, input, signal } from '@angular/core';
import type { AuditEntryView } from '@weir/shared/audit-entries';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { filteredList } from '../../core/state/filtered-list';
import { Dialogs } from '../../design/dialog/dialogs';
import { memberLinks } from '../../members/member-links';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { actKey, ACTS, subjectKey } from './act-words';
import { AuditDialog } from './audit-dialog';
import { entryAmount } from './entry-amount';
import { subjectName } from './subject-name';

/** Longer ids are shown by their last characters. */
const ID_SHOWN_WHOLE = 20;
const ID_TAIL = 12;

const COLUMNS: readonly Column[] = [
  { id: 'action', header: 'audit.action', width: '1.4fr', narrow: 'title' },
  { id: 'subject', header: 'audit.subject', width: '2fr' },
  { id: 'who', header: 'audit.who', width: '1.4fr', narrow: 'note' },
  { id: 'from', header: 'audit.from', width: '8rem', wideOnly: true },
  { id: 'when', header: 'audit.when', width: '10.5rem', narrow: 'detail' },
];

@Component({
  selector: 'weir-audit',
  imports: [TABLE_PAGE],
  template: `
    <weir-page
      [heading]="ofAccount() ? t('members.title') : t('nav.audit')"
      [intro]="ofAccount() ? t('audit.ofAccount') : t('audit.intro')"
    >
      @if (ofAccount()) {
        <weir-sub-nav [label]="t('members.title')" [links]="memberLinks()" />
      }
      <weir-filter [label]="t('audit.anyAction')" [options]="actions()" [(value)]="action" />
      <weir-data-table [label]="t('nav.audit')" [list]="list" [columns]="columns">
        <ng-template weirCell="action" [weirCellRows]="list.rows()" let-entry>
          <button
            type="button"
            class="row-link clip"
            [attr.aria-label]="
              t('audit.open', {
                action: wordsFor(entry.action),
                time: formatter.second(entry.at),
              })
            "
            (click)="show(entry)"
          >
            {{ wordsFor(entry.action) }}
          </button>
        </ng-template>
        <ng-template weirCell="subject" [weirCellRows]="list.rows()" let-entry>
          {{ subjectOf(entry.subjectKind) }}
          @if (amountOf(entry); as usd) {
            <weir-money
              class="strong"
              [class.bad]="usd.startsWith('-')"
              [usd]="usd"
              [signed]="true"
            />
          }
          @if (nameOf(entry); as name) {
            <weir-name class="small soft" [value]="name" />
          } @else {
            <code class="small soft" [title]="entry.subjectId">{{ tailOf(entry.subjectId) }}</code>
          }
        </ng-template>
        <ng-template weirCell="who" [weirCellRows]="list.rows()" let-entry>
          <weir-name [value]="entry.userEmail ?? t('audit.weir')" />
        </ng-template>
        <ng-template weirCell="from" [weirCellRows]="list.rows()" let-entry>
          <code class="soft">{{ entry.address }}</code>
        </ng-template>
        <ng-template weirCell="when" [weirCellRows]="list.rows()" let-entry>
          <weir-time [at]="entry.at" as="recent-moment" />
        </ng-template>
        <weir-empty-state icon="audit" [heading]="t('audit.none')" [hint]="t('audit.noneHint')" />
      </weir-data-table>
    </weir-page>
  `,
})
export class Audit {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  /** Data of the route: what the members of the reader's account did, and not all that was done. */
  readonly ofAccount = input(false);
  protected readonly memberLinks = memberLinks();
  protected readonly action = signal('');
  protected readonly actions = computed(() =>
    ACTS.map((value) => ({ value, label: this.wordsFor(value) })),
  );
  protected readonly nameOf = subjectName;
  protected readonly amountOf = entryAmount;
  protected readonly list = filteredList(
    () => ({ action: this.action() }),
    (query) =>
      this.ofAccount()
        ? this.#api.call('listAccountAuditEntries', { query })
        : this.#api.call('listAuditEntries', { query }),
  );
  protected readonly columns = COLUMNS;

  protected wordsFor(act: string): string {
    const key = actKey(act);
    return key === undefined ? act : this.t(key);
  }

  protected subjectOf(kind: string): string {
    const key = subjectKey(kind);
    return key === undefined ? kind : this.t(key);
  }

  /**
   * Ids made together begin alike; their ends tell them apart. The entry itself shows them whole.
   */
  protected tailOf(id: string): string {
    return id.length > ID_SHOWN_WHOLE ? `…${id.slice(-ID_TAIL)}` : id;
  }

  protected show(entry: AuditEntryView): void {
    void this.#dialogs.open(AuditDialog, { data: entry, wide: true });
  }
}
