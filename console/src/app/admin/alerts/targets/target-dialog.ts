import { Component, computed, inject, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import {
  ALERT_TARGET_KINDS,
  SIGNED_CHAT_KINDS,
  type AlertTargetView,
} from '@weir/shared/watch/alerts';
import { LANGUAGES } from '@weir/shared/people/users';
import { Api } from '../../../core/api/api';
import { I18n, LANGUAGE_NAMES, optionsOf } from '../../../core/i18n/i18n';
import { statusOptions } from '../../../core/i18n/options';
import { SecretReveal } from '../../../design/code/secret-reveal';
import type { PreventsClose } from '../../../design/dialog/dialogs';
import { FORM_DIALOG } from '../../../design/dialog/form-parts';
import { ResourceDialog } from '../../../design/resource/resource-dialog';
import { AlertTargetForm } from '../alert-forms';

/** A target; and, once a webhook is made, its secret, which is shown this once. */
@Component({
  selector: 'weir-target-dialog',
  imports: [FORM_DIALOG, SecretReveal],
  templateUrl: './target-dialog.html',
})
export class TargetDialog implements PreventsClose {
  readonly #api = inject(Api);
  readonly #i18n = inject(I18n);
  protected readonly t = this.#i18n.t;
  protected readonly dialog = new ResourceDialog<AlertTargetView>();
  protected readonly form = new AlertTargetForm(this.dialog.seen, this.#i18n.language());
  protected readonly secret = signal<string | null>(null);
  protected readonly kind = toSignal(this.form.controls.kind.valueChanges, {
    initialValue: this.form.controls.kind.value,
  });
  protected readonly kinds = optionsOf(ALERT_TARGET_KINDS, (kind) => `alerts.${kind}`);
  protected readonly isSigned = computed(() => SIGNED_CHAT_KINDS.includes(this.kind()));
  /** Says where the service shows the address. */
  protected readonly addressHint = computed(() => {
    const kind = this.kind();
    return this.t(kind === 'mail' ? 'alerts.addressHint' : `alerts.addressHint.${kind}`);
  });
  protected readonly languages = LANGUAGES.map((value) => ({
    value,
    label: LANGUAGE_NAMES[value],
  }));
  protected readonly statuses = statusOptions();

  preventsClose(): boolean {
    return this.secret() !== null;
  }

  protected save(): Promise<void> {
    return this.dialog.save(
      async () => {
        const made = await this.#api.call('createAlertTarget', { body: this.form.body() });
        this.secret.set(made.secret);
        return made.secret === null ? made : undefined;
      },
      ({ id: alertTargetId }, ifMatch) =>
        this.#api.call('updateAlertTarget', {
          params: { alertTargetId },
          ifMatch,
          body: this.form.update(),
        }),
    );
  }
}
