import { Component, computed, inject, signal, viewChild } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import type { AccessTokenCreated } from '@weir/shared/sessions';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Action } from '../core/state/action';
import { SecretReveal } from '../design/code/secret-reveal';
import type { PreventsClose } from '../design/dialog/dialogs';
import { Choice } from '../design/field/choice';
import { Field } from '../design/field/field';
import { Form } from '../design/field/form';
import { TokenForm } from './token-form';

@Component({
  selector: 'weir-token-dialog',
  imports: [Choice, Field, Form, MatButton, MatDialogModule, SecretReveal],
  template: `
    <h2 mat-dialog-title>{{ t('tokens.createTitle') }}</h2>
    <mat-dialog-content>
      @if (created(); as token) {
        <weir-secret-reveal
          [secret]="token.token"
          [what]="t('tokens.token')"
          [warning]="t('tokens.once')"
        />
      } @else {
        <weir-form
          [group]="form.group"
          [action]="action"
          [label]="t('tokens.createTitle')"
          (accepted)="create()"
        >
          <weir-field
            [control]="form.controls.name"
            [label]="t('keys.name')"
            [placeholder]="t('tokens.namePlaceholder')"
          />
          <weir-choice
            [control]="form.controls.scope"
            [label]="t('tokens.scope')"
            [hint]="t('tokens.scopeHint')"
            [options]="scopes()"
          />
          <weir-field
            type="datetime-local"
            [control]="form.controls.expiresAt"
            [label]="t('keys.expiresAt')"
            [optional]="true"
          />
        </weir-form>
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      @if (created()) {
        <button matButton="filled" type="button" (click)="close()">{{ t('keys.stored') }}</button>
      } @else {
        <button matButton type="button" mat-dialog-close>{{ t('action.cancel') }}</button>
        <button
          matButton="filled"
          type="button"
          data-testid="save"
          [disabled]="action.busy()"
          (click)="fields()?.submit()"
        >
          {{ t('tokens.create') }}
        </button>
      }
    </mat-dialog-actions>
  `,
})
export class TokenDialog implements PreventsClose {
  readonly #api = inject(Api);
  readonly #dialog = inject<MatDialogRef<TokenDialog, boolean>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly fields = viewChild(Form);
  protected readonly form = new TokenForm();
  protected readonly action = new Action();
  protected readonly created = signal<AccessTokenCreated | undefined>(undefined);
  protected readonly scopes = computed(() => [
    { value: 'read', label: this.t('tokens.read') },
    { value: 'full', label: this.t('tokens.full') },
  ]);

  preventsClose(): boolean {
    return this.created() !== undefined;
  }

  protected async create(): Promise<void> {
    await this.action.run(async () => {
      this.created.set(await this.#api.call('createAccessToken', { body: this.form.body() }));
    });
  }

  protected close(): void {
    this.#dialog.close(true);
  }
}
