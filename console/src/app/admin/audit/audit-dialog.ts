import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import type { AuditEntryView } from '@weir/shared/people/audit-entries';
import type { BulkChangeReport } from '@weir/shared/api/bulk-changes';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import type { BulkChange } from '../../design/bulk/bulk-change';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
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
      @if (canUndo) {
        <button matButton type="button" data-testid="undo" (click)="undo()">
          {{ t('audit.undo') }}
        </button>
      }
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
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  /** True once what the entry is about was undone. */
  readonly #dialog = inject<MatDialogRef<AuditDialog, boolean>>(MatDialogRef);
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

  /** Only prices have former values to return to. */
  protected readonly canUndo =
    this.entry.action === 'changePricesInBulk' && inject(Session).may('undoBulkChange');

  /** Shows what the undo would change, or why the server refuses it, before it changes anything. */
  protected async undo(): Promise<void> {
    await this.#toasts.reporting(async () => {
      const params = { bulkChangeId: this.entry.subjectId };
      const data: BulkChange = {
        heading: this.t('audit.undoTitle'),
        text: this.t('audit.undoText'),
        action: this.t('audit.undoApply'),
        body: () => ({ undoes: params.bulkChangeId }),
        send: ({ dryRun }, idempotencyKey) =>
          this.#api.call('undoBulkChange', { params, body: { dryRun }, idempotencyKey }),
      };
      const { BulkDialog } = await import('../../design/bulk/bulk-dialog');
      const done = await this.#dialogs.open<BulkChange, BulkChangeReport>(BulkDialog, {
        data,
        wide: true,
      });
      if (done?.id != null) this.#dialog.close(true);
    });
  }

  /** How the user proved who they are, where it was not by logging in. */
  protected by(): string[] {
    if (this.entry.by === 'session') return [];
    if (this.entry.by === 'link') return [this.t('audit.byLink')];
    return [this.t('audit.byToken', { name: this.entry.by })];
  }
}
