import { Component, computed, inject, signal, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import type { AlertTargetView } from '@weir/shared/alerts';
import { LANGUAGES } from '@weir/shared/users';
import { Api } from '../../core/api/api';
import type { Tagged } from '../../core/api/call-input';
import { I18n, LANGUAGE_NAMES } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { SecretReveal } from '../../design/code/secret-reveal';
import type { PreventsClose } from '../../design/dialog/dialogs';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { Form } from '../../design/field/form';
import { Switch } from '../../design/field/switch';
import { AlertTargetForm } from './alert-forms';

/** A target; and, once a webhook is made, its secret, which is shown this once. */
@Component({
  selector: 'weir-target-dialog',
  imports: [Choice, Field, Form, MatButton, MatDialogModule, SecretReveal, Switch],
  templateUrl: './target-dialog.html',
})
export class TargetDialog implements PreventsClose {
  readonly #api = inject(Api);
  readonly #dialog = inject<MatDialogRef<TargetDialog, boolean>>(MatDialogRef);
  protected readonly target = inject<Tagged<AlertTargetView> | null>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;
  protected readonly fields = viewChild(Form);
  protected readonly form = new AlertTargetForm(this.target?.value);
  protected readonly action = new Action();
  protected readonly secret = signal<string | undefined>(undefined);
  protected readonly kind = toSignal(this.form.controls.kind.valueChanges, {
    initialValue: this.form.controls.kind.value,
  });
  protected readonly kinds = computed(() => [
    { value: 'mail', label: this.t('alerts.mail') },
    { value: 'webhook', label: this.t('alerts.webhook') },
  ]);
  protected readonly languages = LANGUAGES.map((value) => ({
    value,
    label: LANGUAGE_NAMES[value],
  }));
  protected readonly statuses = computed(() => [
    { value: 'active', label: this.t('state.active') },
    { value: 'disabled', label: this.t('state.disabled') },
  ]);

  preventsClose(): boolean {
    return this.secret() !== undefined;
  }

  protected async save(): Promise<void> {
    await this.action.run(async () => {
      const secret = this.target === null ? await this.#create() : await this.#update(this.target);
      if (secret === null) this.#dialog.close(true);
      else this.secret.set(secret);
    });
  }

  async #create(): Promise<string | null> {
    return (await this.#api.call('createAlertTarget', { body: this.form.body() })).secret;
  }

  async #update({ value, etag }: Tagged<AlertTargetView>): Promise<null> {
    await this.#api.call('updateAlertTarget', {
      params: { alertTargetId: value.id },
      ifMatch: etag,
      body: this.form.update(),
    });
    return null;
  }

  protected close(): void {
    this.#dialog.close(true);
  }
}
