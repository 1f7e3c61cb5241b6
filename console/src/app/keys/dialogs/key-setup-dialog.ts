import { Component, computed, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule } from '@angular/material/dialog';
import type { KeyView } from '@weir/shared/people/keys';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { FailureNote } from '../../design/feedback/failure-note';
import { Note } from '../../design/feedback/note';
import { usableModels } from '../../models/preset-model';
import { ToolSetups } from '../../start/setups/tool-setups-view';
import { FreshKeys } from '../fresh-keys';

/** Settings of tools for a key that exists. Its value is known only in the visit that made it. */
@Component({
  selector: 'weir-key-setup-dialog',
  imports: [FailureNote, MatButton, MatDialogModule, Note, ToolSetups],
  template: `
    <h2 mat-dialog-title>{{ t('keys.setUpTitle', { name: key.name }) }}</h2>
    <mat-dialog-content class="stack" [attr.aria-busy]="pricing.waiting()">
      @if (value === undefined) {
        <weir-note>{{ t('keys.setUpPlaceholder') }}</weir-note>
      }
      @if (pricing.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="pricing.load()" />
      }
      <weir-tool-setups
        [keyValue]="value"
        [keyId]="key.id"
        [groupId]="key.groupId"
        [models]="models()"
      />
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton="filled" type="button" mat-dialog-close>{{ t('action.close') }}</button>
    </mat-dialog-actions>
  `,
})
export class KeySetupDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly key = inject<KeyView>(MAT_DIALOG_DATA);
  protected readonly value = inject(FreshKeys).valueOf(this.key.id);
  protected readonly pricing = new Loadable(() => this.#api.call('getPricing'));
  protected readonly models = computed(() =>
    usableModels(this.pricing.value()?.models ?? [], this.key),
  );

  constructor() {
    void this.pricing.load();
  }
}
