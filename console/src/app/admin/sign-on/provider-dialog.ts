import { Component, computed, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { SIGN_UPS, type SignOnProviderView } from '@weir/shared/people/sign-on';
import { SIGN_ON_PRESETS } from '@weir/shared/people/sign-on-presets';
import { Api } from '../../core/api/api';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { keyIn, statusOptions } from '../../core/i18n/options';
import { CopyButton } from '../../design/code/copy-button';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { ResourceDialog } from '../../design/resource/resource-dialog';
import { ProviderForm } from './provider-form';

/** Adds or edits an identity provider. Shows the addresses that are entered there. */
@Component({
  selector: 'weir-provider-dialog',
  imports: [CopyButton, FORM_DIALOG],
  templateUrl: './provider-dialog.html',
})
export class ProviderDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new ResourceDialog<SignOnProviderView>();
  protected readonly form = new ProviderForm(this.dialog.seen);
  protected readonly presets = optionsOf(SIGN_ON_PRESETS, keyIn('preset'));
  protected readonly signUps = optionsOf(SIGN_UPS, keyIn('signUp'));
  protected readonly statuses = statusOptions();
  protected readonly hintKey = keyIn('presetHint');
  protected readonly preset = toSignal(this.form.controls.preset.valueChanges, {
    initialValue: this.form.controls.preset.value,
  });
  readonly #slug = toSignal(this.form.controls.slug.valueChanges, {
    initialValue: this.form.controls.slug.value,
  });
  protected readonly callbackUrl = computed(
    () => `${window.location.origin}/sign-on/${this.#slug()}/callback`,
  );

  constructor() {
    this.form.controls.preset.valueChanges.subscribe((preset) =>
      this.form.choosePreset(preset, this.t(`preset.${preset}`)),
    );
    if (this.dialog.seen === undefined) this.form.controls.name.setValue('');
  }

  protected save(): Promise<void> {
    return this.dialog.save(
      () => this.#api.call('createSignOnProvider', { body: this.form.body() }),
      ({ id: signOnProviderId }, ifMatch) =>
        this.#api.call('updateSignOnProvider', {
          params: { signOnProviderId },
          ifMatch,
          body: this.form.update(),
        }),
    );
  }
}
