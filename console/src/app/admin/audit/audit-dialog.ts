import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule } from '@angular/material/dialog';
import type { AuditEntryView } from '@weir/shared/audit-entries';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Time } from '../../design/text/time';
import { AuditLines } from './audit-lines';
import { actKey, subjectKey } from './act-words';
import { differences } from '../../core/format/differences';
import { readableField } from '../../core/format/readable';
import { subjectName } from './subject-name';

@Component({
  selector: 'weir-audit-dialog',
  imports: [AuditLines, MatButton, MatDialogModule, Time],
  template: `
    <h2 mat-dialog-title>{{ actWords ? t(actWords) : entry.action }}</h2>
    <mat-dialog-content class="stack-loose">
      <dl class="facts">
        <dt>{{ t('audit.action') }}</dt>
        <dd>
          <code>{{ entry.action }}</code>
        </dd>
        <dt>{{ t('audit.who') }}</dt>
        <dd>{{ [entry.userEmail ?? t('audit.weir'), ...by()].join(' · ') }}</dd>
        @if (entry.accountId; as accountId) {
          <dt>{{ t('audit.inAccount') }}</dt>
          <dd>
            @if (entry.names[accountId]; as name) {
              <span class="strong">{{ name }}</span>&ngsp;
            }
            <code class="small soft">{{ accountId }}</code>
          </dd>
        }
        <dt>{{ t('audit.when') }}</dt>
        <dd><weir-time [at]="entry.at" as="second" /></dd>
        <dt>{{ t('audit.from') }}</dt>
        <dd>
          <code>{{ entry.address }}</code>
        </dd>
        <dt>{{ t('audit.subject') }}</dt>
        <dd>
          {{ subject ? t(subject) : entry.subjectKind }}
          @if (name) {
            <span class="strong">{{ name }}</span>&ngsp;
          }
          <code class="small soft">{{ entry.subjectId }}</code>
        </dd>
        <dt>{{ t('record.requestId') }}</dt>
        <dd>
          <code>{{ entry.requestId }}</code>
        </dd>
      </dl>
      @if (changes.length > 0) {
        <div class="scroll-x" tabindex="0" role="region" [attr.aria-label]="t('audit.changes')">
          <table class="plain-table">
            <thead>
              <tr>
                <th scope="col">{{ t('audit.field') }}</th>
                <th scope="col">{{ t('audit.before') }}</th>
                <th scope="col">{{ t('audit.after') }}</th>
              </tr>
            </thead>
            <tbody>
              @for (change of changes; track change.field) {
                <tr>
                  <th scope="row" [title]="change.field">{{ fieldWords(change.field) }}</th>
                  <td class="wraps value">{{ change.before }}</td>
                  <td class="wraps value">{{ change.after }}</td>
                </tr>
              }
            </tbody>
          </table>
        </div>
      }
      @if (entry.subjectKind === 'bulk_change') {
        <weir-audit-lines [bulkChangeId]="entry.subjectId" />
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton type="button" mat-dialog-close>{{ t('action.close') }}</button>
    </mat-dialog-actions>
  `,
  styles: `
    .value {
      white-space: pre-line;
    }
  `,
})
export class AuditDialog {
  protected readonly t = inject(I18n).t;
  protected readonly entry = inject<AuditEntryView>(MAT_DIALOG_DATA);
  protected readonly actWords = actKey(this.entry.action);
  protected readonly subject = subjectKey(this.entry.subjectKind);
  protected readonly name = subjectName(this.entry);
  protected readonly fieldWords = readableField;
  protected readonly changes = differences(this.entry.before, this.entry.after, {
    names: this.entry.names,
    formatter: inject(Formatter),
    yes: this.t('audit.yes'),
    no: this.t('audit.no'),
  });

  /** The means by which the user was authenticated, if it was not a login. */
  protected by(): string[] {
    if (this.entry.by === 'session') return [];
    if (this.entry.by === 'link') return [this.t('audit.byLink')];
    return [this.t('audit.byToken', { name: this.entry.by })];
  }
}
