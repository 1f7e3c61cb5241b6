import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule } from '@angular/material/dialog';
import type { AlertEventView } from '@weir/shared/watch/alerts';
import { I18n } from '../../core/i18n/i18n';
import { RouterLink } from '@angular/router';
import { Chip } from '../../design/text/chip';
import { Time } from '../../design/text/time';
import { deliveryWords, EVENT_WORDS } from './event-words';
import { subjectLink, type SubjectLink } from './subject-link';

/** Shows a message, its subjects and its delivery to each recipient. */
@Component({
  selector: 'weir-alert-event-dialog',
  imports: [Chip, MatButton, MatDialogModule, RouterLink, Time],
  template: `
    <h2 mat-dialog-title>{{ event.ruleName || t('alerts.test') }}</h2>
    <mat-dialog-content class="stack">
      <p class="cluster">
        <weir-chip [tone]="words.tone">{{ t(words.key) }}</weir-chip>
        <weir-time [at]="event.at" as="moment" />
      </p>
      @if (event.subjects.length > 0) {
        <h3>{{ t('alerts.subjects') }}</h3>
        @for (subject of event.subjects; track subject.id) {
          <p>
            @if (linkOf(subject.id); as link) {
              <a [routerLink]="link.path" [queryParams]="link.query" mat-dialog-close>{{
                subject.name || t('alerts.all')
              }}</a>
            } @else {
              {{ subject.name || t('alerts.all') }}
            }
            <span class="soft">{{ subject.value }}</span>
          </p>
        }
      }
      <h3>{{ t('alerts.told') }}</h3>
      @for (delivery of event.deliveries; track $index) {
        @let told = wordsOf(delivery);
        <div>
          <p class="cluster">
            {{ delivery.address }}
            <weir-chip [tone]="told.tone">{{ t(told.key) }}</weir-chip>
          </p>
          @if (delivery.error) {
            <p class="small soft">
              {{ t('alerts.attempts', { count: delivery.attempts }) }}: {{ delivery.error }}
            </p>
          }
        </div>
      } @empty {
        <p class="soft">{{ t('alerts.toldNobody') }}</p>
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton type="button" mat-dialog-close>{{ t('action.close') }}</button>
    </mat-dialog-actions>
  `,
})
export class AlertEventDialog {
  protected readonly event = inject<AlertEventView>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;
  protected readonly words = EVENT_WORDS[this.event.kind];
  protected readonly wordsOf = deliveryWords;

  protected linkOf(subject: string): SubjectLink | null {
    const { ruleKind, at, kind } = this.event;
    return kind === 'test' ? null : subjectLink(ruleKind, subject, at);
  }
}
