import { Component, inject, signal } from '@angular/core';
import { FormControl } from '@angular/forms';
import { MatButton } from '@angular/material/button';
import { MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import type { ModelImportReport } from '@weir/shared/models';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import type { PreventsClose } from '../../design/dialog/dialogs';
import { FailureNote } from '../../design/feedback/failure-note';
import { IntoView } from '../../design/feedback/into-view';
import { Note } from '../../design/feedback/note';
import { TextArea } from '../../design/field/text-area';
import { readImport, type ReadImport } from './read-import';

const EXAMPLE = `publicId, contextTokensMax, outputTokensMax, inputUsd, outputUsd
example-model, 128000, 16384, 1.25, 10`;

/** Many models at once: paste, see what would happen, do it. All or none. */
@Component({
  selector: 'weir-import-dialog',
  imports: [FailureNote, IntoView, MatButton, MatDialogModule, Note, TextArea],
  template: `
    <h2 mat-dialog-title>{{ t('import.title') }}</h2>
    <mat-dialog-content class="stack" [attr.aria-busy]="action.busy()">
      <weir-text-area
        [mono]="true"
        [rows]="10"
        [control]="text"
        [label]="t('import.text')"
        [hint]="t('import.hint')"
        [placeholder]="example"
      />
      @if (wrong(); as words) {
        <weir-note weirIntoView tone="warn">{{ words }}</weir-note>
      }
      @if (report(); as report) {
        <weir-note weirIntoView [tone]="report.dryRun ? 'info' : 'good'">
          <p>
            {{
              t(report.dryRun ? 'import.would' : 'import.did', {
                created: report.created.length,
                updated: report.updated.length,
                count: report.repriced.length,
              })
            }}
          </p>
          @if (report.created.length > 0) {
            <p class="small">{{ t('import.new') }} {{ report.created.join(', ') }}</p>
          }
          @if (report.repriced.length > 0) {
            <p class="small">{{ t('import.priced') }} {{ report.repriced.join(', ') }}</p>
          }
        </weir-note>
      }
      @if (action.failure(); as failure) {
        <weir-failure-note weirIntoView [failure]="failure" />
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      @if (report()?.dryRun === false) {
        <button matButton="filled" type="button" (click)="close()">{{ t('action.done') }}</button>
      } @else {
        <button matButton type="button" mat-dialog-close>{{ t('action.cancel') }}</button>
        <button matButton="outlined" type="button" [disabled]="action.busy()" (click)="run(true)">
          {{ t('import.try') }}
        </button>
        <button matButton="filled" type="button" [disabled]="!tried()" (click)="run(false)">
          {{ t('import.run') }}
        </button>
      }
    </mat-dialog-actions>
  `,
})
export class ImportDialog implements PreventsClose {
  readonly #api = inject(Api);
  readonly #dialog = inject<MatDialogRef<ImportDialog, boolean>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly example = EXAMPLE;
  protected readonly text = new FormControl('', { nonNullable: true });
  protected readonly action = new Action();
  protected readonly wrong = signal('');
  protected readonly report = signal<ModelImportReport | undefined>(undefined);
  readonly #triedText = signal<string | undefined>(undefined);

  preventsClose(): boolean {
    return this.report()?.dryRun === false;
  }

  /** Only what was tried may be run. */
  protected tried(): boolean {
    return this.#triedText() === this.text.value && !this.action.busy();
  }

  protected async run(dryRun: boolean): Promise<void> {
    const read = readImport(this.text.value);
    this.report.set(undefined);
    if (read.kind !== 'models') {
      this.wrong.set(this.#wrongWords(read));
      return;
    }
    this.wrong.set('');
    const done = await this.action.run(async () => {
      const body = { models: read.models, dryRun };
      this.report.set(await this.#api.call('importModels', { body }));
    });
    this.#triedText.set(done && dryRun ? this.text.value : undefined);
  }

  #wrongWords(read: Exclude<ReadImport, { readonly kind: 'models' }>): string {
    switch (read.kind) {
      case 'comma':
        return this.t('import.comma', { line: read.line, value: read.value });
      case 'cells':
        return this.t('import.cells', { line: read.line, count: read.most });
      case 'header': {
        const missing = this.t('import.missing', {
          columns: read.missing.join(', '),
          count: read.missing.length,
        });
        if (read.unknown.length === 0) return missing;
        const columns = read.unknown.join(', ');
        return `${missing} ${this.t('import.unknown', { columns, count: read.unknown.length })}`;
      }
      case 'wrong':
        return this.t('import.wrong', { where: read.where, why: read.why });
    }
  }

  protected close(): void {
    this.#dialog.close(true);
  }
}
