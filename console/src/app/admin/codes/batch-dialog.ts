import { Component, computed, inject, signal, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import { MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import type { RedemptionBatchCreated } from '@weir/shared/redemption-codes';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { OperationKeys } from '../../core/state/operation-keys';
import { CopyButton } from '../../design/code/copy-button';
import type { PreventsClose } from '../../design/dialog/dialogs';
import { Note } from '../../design/feedback/note';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { Form } from '../../design/field/form';
import { madeWords } from './batch-words';
import { BatchForm } from './code-forms';

/** Makes codes and shows them; the export of the batch has them too. */
@Component({
  selector: 'weir-batch-dialog',
  imports: [Choice, CopyButton, Field, Form, MatButton, MatDialogModule, Note],
  template: `
    <h2 mat-dialog-title>{{ t('codes.createTitle') }}</h2>
    <mat-dialog-content>
      @if (created(); as batch) {
        <div class="stack">
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
      } @else {
        <weir-form
          [group]="form.group"
          [action]="action"
          [label]="t('codes.createTitle')"
          (accepted)="create()"
        >
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
            <weir-choice
              [control]="form.controls.kind"
              [label]="t('codes.kind')"
              [options]="kinds()"
            />
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
        </weir-form>
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      @if (created()) {
        <button matButton="filled" type="button" (click)="close()">{{ t('action.done') }}</button>
      } @else {
        <button matButton type="button" mat-dialog-close>{{ t('action.cancel') }}</button>
        <button
          matButton="filled"
          type="button"
          data-testid="save"
          [disabled]="action.busy()"
          (click)="fields()?.submit()"
        >
          {{ t('codes.create') }}
        </button>
      }
    </mat-dialog-actions>
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
  readonly #dialog = inject<MatDialogRef<BatchDialog, boolean>>(MatDialogRef);
  protected readonly plans = new Loadable(async () =>
    (await this.#api.call('listPlans')).data.map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly t = inject(I18n).t;
  protected readonly madeWords = madeWords;
  protected readonly fields = viewChild(Form);
  protected readonly form = new BatchForm();
  protected readonly action = new Action();
  protected readonly created = signal<RedemptionBatchCreated | undefined>(undefined);
  /** Made by an earlier try whose answer was lost. */
  protected readonly before = signal(false);
  protected readonly all = computed(() => (this.created()?.codes ?? []).join('\n'));
  protected readonly kind = toSignal(this.form.controls.kind.valueChanges, {
    initialValue: this.form.controls.kind.value,
  });
  protected readonly kinds = computed(() => [
    { value: 'balance', label: this.t('codes.money') },
    { value: 'plan', label: this.t('codes.plan') },
  ]);

  constructor() {
    void this.plans.load();
  }

  preventsClose(): boolean {
    return this.created() !== undefined;
  }

  protected exportAddress(batchId: string): string {
    return this.#api.addressOf('exportRedemptionBatch', { params: { batchId } });
  }

  protected async create(): Promise<void> {
    await this.action.run(async () => {
      const batch = { body: this.form.body() };
      const { value, before } = await this.#keys.act(batch, (idempotencyKey) =>
        this.#api.callOnce('createRedemptionBatch', { ...batch, idempotencyKey }),
      );
      this.before.set(before);
      this.created.set(value);
    });
  }

  protected close(): void {
    this.#dialog.close(true);
  }
}
