import { Component, computed, inject, input } from '@angular/core';
import type { AuditEntryView } from '@weir/shared/people/audit-entries';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { filteredList } from '../../core/state/filtered-list';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { memberLinks } from '../../members/member-links';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { addressChoice, addressDay, addressSearch } from '../../core/state/address-value';
import { FilterBar } from '../../views/filter-bar';
import { actKey, ACTS, subjectKey } from './act-words';
import { entryAmount } from './entry-amount';
import { subjectName } from './subject-name';

/** Longer ids are shown by their last characters. */
const ID_SHOWN_WHOLE = 20;
const ID_TAIL = 12;

const DAY_MS = 86_400_000;

/** The beginning of a day of UTC, so many days later; '' for no day. */
function instantAt(day: string, daysLater: number): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? '' : new Date(at + daysLater * DAY_MS).toISOString();
}

const COLUMNS: readonly Column[] = [
  { id: 'action', header: 'audit.action', width: '1.8fr', narrow: 'title' },
  { id: 'subject', header: 'audit.subject', width: '2fr' },
  { id: 'who', header: 'audit.who', width: '1.4fr', narrow: 'note' },
  { id: 'from', header: 'audit.from', width: '8rem', wideOnly: true },
  { id: 'when', header: 'audit.when', width: '10.5rem', narrow: 'detail' },
];

@Component({
  selector: 'weir-audit',
  imports: [FilterBar, TABLE_PAGE],
  template: `
    <weir-page
      [heading]="ofAccount() ? t('members.title') : t('nav.audit')"
      [intro]="ofAccount() ? t('audit.ofAccount') : t('audit.intro')"
    >
      @if (ofAccount()) {
        <weir-sub-nav [label]="t('members.title')" [links]="memberLinks()" />
      } @else {
        <a pageAction matButton="outlined" download data-testid="export" [href]="exportAddress()">
          <weir-icon matButtonIcon name="download" />{{ t('audit.export') }}
        </a>
      }
      <weir-filter-bar list="audit">
        <weir-search-box [label]="t('audit.anyone')" [(value)]="user" />
        <weir-search-box [label]="t('audit.anyObject')" [(value)]="subject" />
        <weir-filter chip [label]="t('audit.anyAction')" [options]="actions()" [(value)]="action" />
        <label class="small soft">
          {{ t('audit.since') }}
          <input
            class="weir-date"
            type="date"
            [max]="to()"
            [value]="from()"
            (change)="from.set(valueOf($event))"
          />
        </label>
        <label class="small soft">
          {{ t('audit.until') }}
          <input
            class="weir-date"
            type="date"
            [min]="from()"
            [value]="to()"
            (change)="to.set(valueOf($event))"
          />
        </label>
      </weir-filter-bar>
      <weir-data-table [label]="t('nav.audit')" [list]="list" [columns]="columns">
        <ng-template weirCell="action" [weirCellRows]="list.rows()" let-entry>
          <button
            type="button"
            class="row-link"
            [attr.aria-label]="
              t('audit.open', {
                action: wordsFor(entry.action),
                time: formatter.second(entry.at),
              })
            "
            (click)="show(entry)"
          >
            <span class="two-lines">{{ wordsFor(entry.action) }}</span>
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
        @if (filtered()) {
          <weir-empty-state icon="search" [heading]="t('audit.noneFound')" />
        } @else {
          <weir-empty-state icon="audit" [heading]="t('audit.none')" [hint]="t('audit.noneHint')" />
        }
      </weir-data-table>
    </weir-page>
  `,
})
export class Audit {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  /** Data of the route: what the members of the reader's account did, and not all that was done. */
  readonly ofAccount = input(false);
  protected readonly memberLinks = memberLinks();
  protected readonly action = addressChoice('action', ACTS);
  protected readonly user = addressSearch('user');
  protected readonly subject = addressSearch('object');
  /** Days of UTC, both included. */
  protected readonly from = addressDay('from');
  protected readonly to = addressDay('to');
  readonly #filters = computed(() => ({
    action: this.action(),
    user: this.user(),
    subject: this.subject(),
    from: instantAt(this.from(), 0),
    to: instantAt(this.to(), 1),
  }));
  protected readonly filtered = computed(() =>
    Object.values(this.#filters()).some((value) => value !== ''),
  );
  protected readonly exportAddress = computed(() =>
    this.#api.addressOf('exportAuditEntries', { query: this.#filters() }),
  );
  protected readonly actions = computed(() =>
    ACTS.map((value) => ({ value, label: this.wordsFor(value) })),
  );
  protected readonly nameOf = subjectName;
  protected readonly amountOf = entryAmount;
  protected readonly list = filteredList(
    () => this.#filters(),
    (query) =>
      this.ofAccount()
        ? this.#api.call('listAccountAuditEntries', { query })
        : this.#api.call('listAuditEntries', { query }),
  );
  protected readonly columns = COLUMNS;

  protected valueOf(event: Event): string {
    return event.target instanceof HTMLInputElement ? event.target.value : '';
  }

  protected wordsFor(act: string): string {
    const key = actKey(act);
    return key === undefined ? act : this.t(key);
  }

  protected subjectOf(kind: string): string {
    const key = subjectKey(kind);
    return key === undefined ? kind : this.t(key);
  }

  /**
   * Ids made together begin alike; their ends distinguish them. The entry itself shows them whole.
   */
  protected tailOf(id: string): string {
    return id.length > ID_SHOWN_WHOLE ? `…${id.slice(-ID_TAIL)}` : id;
  }

  protected async show(entry: AuditEntryView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { AuditDialog } = await import('./audit-dialog');
      const undone = await this.#dialogs.open<AuditEntryView, boolean>(AuditDialog, {
        data: entry,
        wide: true,
      });
      // The undo has an entry of its own.
      if (undone === true) await this.list.load();
    });
  }
}
