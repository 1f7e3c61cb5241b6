import { Component, computed, inject } from '@angular/core';
import type { AlertEventView } from '@weir/shared/alerts';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { RowList } from '../../core/state/row-list';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { Page } from '../../design/page/page';
import { SubNav } from '../../design/page/sub-nav';
import { Cell } from '../../design/table/cell';
import type { Column } from '../../design/table/column';
import { DataTable } from '../../design/table/data-table';
import { Chip } from '../../design/text/chip';
import { Name } from '../../design/text/name';
import { Time } from '../../design/text/time';
import { alertLinks } from './alert-links';
import { AlertEventDialog } from './event-dialog';
import { EVENT_WORDS, eventDelivery } from './event-words';

@Component({
  selector: 'weir-alert-log',
  imports: [Cell, Chip, DataTable, EmptyState, Name, Page, SubNav, Time],
  template: `
    <weir-page [heading]="t('alerts.title')" [intro]="t('alerts.logIntro')">
      <weir-sub-nav [label]="t('alerts.title')" [links]="links()" />
      <weir-data-table
        [label]="t('alerts.log')"
        [list]="list"
        [columns]="columns()"
        [trackBy]="idOf"
      >
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
  protected readonly links = alertLinks();
  protected readonly words = EVENT_WORDS;
  protected readonly toldOf = eventDelivery;
  protected readonly idOf = ({ id }: AlertEventView): string => id;
  protected readonly list = new RowList<AlertEventView>((cursor) =>
    this.#api.call('listAlertEvents', { query: cursor === undefined ? {} : { cursor } }),
  );
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'rule', header: this.t('alerts.rule'), width: '1.4fr', narrow: 'title' },
    { id: 'kind', header: this.t('alerts.what'), width: '7rem', narrow: 'value' },
    { id: 'what', header: this.t('alerts.subjects'), width: '2fr', narrow: 'note' },
    { id: 'told', header: this.t('alerts.told'), width: '7rem', narrow: 'hidden' },
    { id: 'when', header: this.t('audit.when'), width: '11rem', narrow: 'detail' },
  ]);

  constructor() {
    void this.list.load();
  }

  protected whatOf({ subjects }: AlertEventView): string {
    return subjects
      .map(({ name, value }) => [name, value].filter((part) => part !== '').join(': '))
      .join(' · ');
  }

  protected show(event: AlertEventView): void {
    void this.#dialogs.open<AlertEventView, undefined>(AlertEventDialog, { data: event });
  }
}
