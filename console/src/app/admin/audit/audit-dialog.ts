import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule } from '@angular/material/dialog';
import type { AuditEntryView } from '@weir/shared/audit-entries';
import { I18n } from '../../core/i18n/i18n';
import { Time } from '../../design/text/time';
import { actKey, subjectKey } from './act-words';
import { differences } from './differences';

@Component({
  selector: 'weir-audit-dialog',
  imports: [MatButton, MatDialogModule, Time],
  template: `
    <h2 mat-dialog-title>{{ actWords ? t(actWords) : entry.action }}</h2>
    <mat-dialog-content class="stack-loose">
      <dl class="facts">
        <dt>{{ t('audit.action') }}</dt>
        <dd>
          <code>{{ entry.action }}</code>
        </dd>
        <dt>{{ t('audit.who') }}</dt>
        <dd>{{ entry.userEmail ?? t('audit.weir') }} · {{ entry.by }}</dd>
        <dt>{{ t('audit.when') }}</dt>
        <dd><weir-time [at]="entry.at" as="moment" /></dd>
        <dt>{{ t('audit.from') }}</dt>
        <dd>
          <code>{{ entry.address }}</code>
        </dd>
        <dt>{{ t('audit.subject') }}</dt>
        <dd>
          {{ subject ? t(subject) : entry.subjectKind }} <code>{{ entry.subjectId }}</code>
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
                  <th scope="row">
                    <code>{{ change.field }}</code>
                  </th>
                  <td class="mono wraps">{{ change.before ?? '–' }}</td>
                  <td class="mono wraps">{{ change.after ?? '–' }}</td>
                </tr>
              }
            </tbody>
          </table>
        </div>
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton type="button" mat-dialog-close>{{ t('action.close') }}</button>
    </mat-dialog-actions>
  `,
})
export class AuditDialog {
  protected readonly t = inject(I18n).t;
  protected readonly entry = inject<AuditEntryView>(MAT_DIALOG_DATA);
  protected readonly actWords = actKey(this.entry.action);
  protected readonly subject = subjectKey(this.entry.subjectKind);
  protected readonly changes = differences(this.entry.before, this.entry.after);
}
