import { Component, computed, inject, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import type { RedemptionBatchCreated } from '@weir/shared/money/redemption-codes';
import { Api } from '../../core/api/api';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { fetchOptions } from '../../core/i18n/options';
import { OperationKeys } from '../../core/state/operation-keys';
import { CopyButton } from '../../design/code/copy-button';
import type { PreventsClose } from '../../design/dialog/dialogs';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { Note } from '../../design/feedback/note';
import { DialogWork } from '../../design/resource/resource-dialog';
import { madeWords } from './batch-words';
import { BatchForm } from './code-forms';

/** Makes codes and shows them; the export of the batch has them too. */
@Component({
  selector: 'weir-batch-dialog',
  imports: [CopyButton, FORM_DIALOG, MatButton, Note],
  template: `
    <weir-form-dialog
      finish="action.done"
      [heading]="t('codes.createTitle')"
      [save]="t('codes.create')"
      [group]="form.group"
      [action]="dialog.action"
      [finished]="preventsClose()"
      (accepted)="create()"
      (closed)="dialog.close(true)"
    >
      @if (created(); as batch) {
        <div dialogResult class="stack">
          <weir-note [tone]="before() ? 'warn' : 'good'" [attr.role]="before() ? 'alert' : null">{{
            madeWords({ count: batch.codes.length, before: before() }, t)
          }}</weir-note>
          <ul
            class="codes mono"
            tabindex="0"
            data-testid="codes"
            [attr.aria-label]="t('codes.codes')"
          >
            @for (code of batch.codes; track code) {
              <li>{{ code }}</li>
            }
          </ul>
          <div class="cluster">
            <weir-copy-button [text]="all()" [what]="t('codes.codes')" [wide]="true" />
            <a matButton="outlined" download [href]="exportAddress(batch.id)">{{
              t('action.export')
            }}</a>
          </div>
        </div>
      }
      <div class="fields">
        <weir-field
          class="whole"
          [control]="form.controls.name"
          [label]="t('codes.name')"
          [hint]="t('accounts.reasonHint')"
          [placeholder]="t('codes.namePlaceholder')"
        />
        <weir-field
          inputmode="numeric"
          [control]="form.controls.count"
          [label]="t('codes.count')"
        />
        <weir-choice [control]="form.controls.kind" [label]="t('codes.kind')" [options]="kinds()" />
        @if (kind() === 'plan') {
          <weir-choice
            [control]="form.controls.planId"
            [label]="t('accounts.plan')"
            [options]="plans"
          />
        } @else {
          <weir-field
            prefix="$"
            inputmode="decimal"
            [control]="form.controls.amountUsd"
            [label]="t('codes.amount')"
          />
        }
        <weir-field
          type="datetime-local"
          [optional]="true"
          [control]="form.controls.expiresAt"
          [label]="t('keys.expiresAt')"
        />
      </div>
    </weir-form-dialog>
  `,
  styles: `
    .codes {
      max-height: 16rem;
      overflow: auto;
      padding: var(--weir-gap-3) var(--weir-gap-4);
      border-radius: var(--weir-radius-m);
      background: var(--weir-sunken);
      list-style: none;
    }
  `,
})
export class BatchDialog implements PreventsClose {
  readonly #api = inject(Api);
  readonly #keys = inject(OperationKeys);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork();
  protected readonly form = new BatchForm();
  protected readonly plans = fetchOptions(() => this.#api.call('listPlans'));
  protected readonly madeWords = madeWords;
  protected readonly created = signal<RedemptionBatchCreated | undefined>(undefined);
  /** Made by an earlier try whose answer was lost. */
  protected readonly before = signal(false);
  protected readonly all = computed(() => (this.created()?.codes ?? []).join('\n'));
  protected readonly kind = toSignal(this.form.controls.kind.valueChanges, {
    initialValue: this.form.controls.kind.value,
  });
  protected readonly kinds = optionsOf(['balance', 'plan'], (kind) =>
    kind === 'plan' ? 'codes.plan' : 'codes.money',
  );

  preventsClose(): boolean {
    return this.created() !== undefined;
  }

  protected exportAddress(batchId: string): string {
    return this.#api.addressOf('exportRedemptionBatch', { params: { batchId } });
  }

  protected create(): Promise<void> {
    return this.dialog.run(async () => {
      const batch = { body: this.form.body() };
      const { value, before } = await this.#keys.act(batch, (idempotencyKey) =>
        this.#api.callOnce('createRedemptionBatch', { ...batch, idempotencyKey }),
      );
      this.before.set(before);
      this.created.set(value);
      return undefined;
    });
  }
}
