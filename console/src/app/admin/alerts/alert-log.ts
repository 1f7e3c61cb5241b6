import { Component, computed, inject } from '@angular/core';
import type { AlertEventView } from '@weir/shared/alerts';
import { Api } from '../../core/api/api';
import { I18n, type PlainKey } from '../../core/i18n/i18n';
import { RowList } from '../../core/state/row-list';
import { EmptyState } from '../../design/feedback/empty-state';
import { Page } from '../../design/page/page';
import { SubNav } from '../../design/page/sub-nav';
import { Cell } from '../../design/table/cell';
import type { Column } from '../../design/table/column';
import { DataTable } from '../../design/table/data-table';
import { Chip, type Tone } from '../../design/text/chip';
import { Name } from '../../design/text/name';
import { Time } from '../../design/text/time';
import { alertLinks } from './alert-links';

const KIND_TONES: Readonly<Record<AlertEventView['kind'], Tone>> = {
  fired: 'bad',
  resolved: 'good',
  test: 'plain',
};

const KIND_WORDS: Readonly<Record<AlertEventView['kind'], PlainKey>> = {
  fired: 'alertEvent.fired',
  resolved: 'alertEvent.resolved',
  test: 'alertEvent.test',
};

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
        <ng-template weirCell="when" [weirCellRows]="list.rows()" let-event>
          <weir-time [at]="event.at" as="moment" />
        </ng-template>
        <ng-template weirCell="rule" [weirCellRows]="list.rows()" let-event>
          <weir-name [value]="event.ruleName || t('alerts.test')" />
        </ng-template>
        <ng-template weirCell="kind" [weirCellRows]="list.rows()" let-event>
          <weir-chip [tone]="tones[event.kind]">{{ t(words[event.kind]) }}</weir-chip>
        </ng-template>
        <ng-template weirCell="what" [weirCellRows]="list.rows()" let-event>
          <span class="two-lines" [title]="whatOf(event)">{{ whatOf(event) }}</span>
        </ng-template>
        <ng-template weirCell="told" [weirCellRows]="list.rows()" let-event>
          @for (delivery of event.deliveries; track $index) {
            <p class="small">
              <weir-name [value]="delivery.address" />
              @if (delivery.status === 'sent') {
                <weir-chip tone="good">{{ t('alerts.sent') }}</weir-chip>
              } @else {
                <weir-chip [tone]="delivery.status === 'failed' ? 'bad' : 'warn'">{{
                  delivery.status === 'failed'
                    ? t('alerts.failed')
                    : t('alerts.waiting', { count: delivery.attempts })
                }}</weir-chip>
                <span class="soft two-lines" [title]="delivery.error ?? ''">{{
                  delivery.error
                }}</span>
              }
            </p>
          } @empty {
            <span class="soft">{{ t('alerts.toldNobody') }}</span>
          }
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
  protected readonly t = inject(I18n).t;
  protected readonly links = alertLinks();
  protected readonly tones = KIND_TONES;
  protected readonly words = KIND_WORDS;
  protected readonly idOf = ({ id }: AlertEventView): string => id;
  protected readonly list = new RowList<AlertEventView>((cursor) =>
    this.#api.call('listAlertEvents', { query: cursor === undefined ? {} : { cursor } }),
  );
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'when', header: this.t('audit.when'), width: '11rem', narrow: 'detail' },
    { id: 'rule', header: this.t('alerts.rule'), width: '1.2fr', narrow: 'title' },
    { id: 'kind', header: this.t('alerts.what'), width: '7rem', narrow: 'value' },
    { id: 'what', header: this.t('alerts.subjects'), width: '1.4fr', narrow: 'note' },
    { id: 'told', header: this.t('alerts.told'), width: '1.6fr', narrow: 'note' },
  ]);

  constructor() {
    void this.list.load();
  }

  protected whatOf({ subjects }: AlertEventView): string {
    return subjects
      .map(({ name, value }) => [name, value].filter((part) => part !== '').join(': '))
      .join(' · ');
  }
}
