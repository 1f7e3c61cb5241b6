import { Component, inject } from '@angular/core';
import type { AlertEventView } from '@weir/shared/watch/alerts';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { filteredList } from '../../core/state/filtered-list';
import { Dialogs } from '../../design/dialog/dialogs';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { ALERT_LINKS } from './alert-links';
import { AlertEventDialog } from './event-dialog';
import { EVENT_WORDS, eventDelivery } from './event-words';

const COLUMNS: readonly Column[] = [
  { id: 'rule', header: 'alerts.rule', width: '1.4fr', narrow: 'title' },
  { id: 'kind', header: 'alerts.what', width: '7rem', narrow: 'value' },
  { id: 'what', header: 'alerts.subjects', width: '2fr', narrow: 'note' },
  { id: 'told', header: 'alerts.told', width: '7rem' },
  { id: 'when', header: 'audit.when', width: '11rem', narrow: 'detail' },
];

@Component({
  selector: 'weir-alert-log',
  imports: [TABLE_PAGE],
  template: `
    <weir-page [heading]="t('alerts.title')" [intro]="t('alerts.logIntro')">
      <weir-sub-nav [label]="t('alerts.title')" [links]="links" />
      <weir-data-table [label]="t('alerts.log')" [list]="list" [columns]="columns">
        <ng-template weirCell="rule" [weirCellRows]="list.rows()" let-event>
          <button type="button" class="row-link clip" (click)="show(event)">
            {{ event.ruleName || t('alerts.test') }}
          </button>
        </ng-template>
        <ng-template weirCell="kind" [weirCellRows]="list.rows()" let-event>
          <weir-chip [tone]="words[event.kind].tone">{{ t(words[event.kind].key) }}</weir-chip>
        </ng-template>
        <ng-template weirCell="what" [weirCellRows]="list.rows()" let-event>
          <weir-name class="soft" [value]="whatOf(event)" />
        </ng-template>
        <ng-template weirCell="told" [weirCellRows]="list.rows()" let-event>
          @let told = toldOf(event);
          <weir-chip [tone]="told.tone">{{ t(told.key) }}</weir-chip>
        </ng-template>
        <ng-template weirCell="when" [weirCellRows]="list.rows()" let-event>
          <weir-time [at]="event.at" as="moment" />
        </ng-template>
        <weir-empty-state
          icon="alerts"
          [heading]="t('alerts.noEvents')"
          [hint]="t('alerts.noEventsHint')"
        />
      </weir-data-table>
    </weir-page>
  `,
})
export class AlertLog {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  protected readonly t = inject(I18n).t;
  protected readonly links = ALERT_LINKS;
  protected readonly words = EVENT_WORDS;
  protected readonly toldOf = eventDelivery;
  protected readonly list = filteredList(
    () => ({}),
    (query) => this.#api.call('listAlertEvents', { query }),
  );
  protected readonly columns = COLUMNS;

  protected whatOf({ subjects }: AlertEventView): string {
    return subjects
      .map(({ name, value }) => [name, value].filter((part) => part !== '').join(': '))
      .join(' · ');
  }

  protected show(event: AlertEventView): void {
    void this.#dialogs.open<AlertEventView, undefined>(AlertEventDialog, { data: event });
  }
}
