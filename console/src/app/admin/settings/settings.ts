import { Component, computed, inject, signal, viewChild } from '@angular/core';
import { REGISTRATION_MODES } from '@weir/shared/people/registrations';
import type { CaptchaProvider } from '@weir/shared/people/settings';
import { Api } from '../../core/api/api';
import { failureOf, type Failure } from '../../core/api/api-failure';
import { I18n } from '../../core/i18n/i18n';
import { Site } from '../../core/session/site';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { Toasts } from '../../design/feedback/toasts';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { Form } from '../../design/field/form';
import { Switch } from '../../design/field/switch';
import { TextArea } from '../../design/field/text-area';
import { LogoField } from './logo-field';
import { Edits } from '../../core/forms/edits';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { watchEdits } from '../../shell/unsaved-edits';
import { SettingsForm } from './settings-form';

@Component({
  selector: 'weir-settings',
  imports: [Choice, Field, Form, LogoField, Switch, TextArea, PAGE_PARTS],
  templateUrl: './settings.html',
})
export class Settings {
  readonly #api = inject(Api);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  protected readonly fields = viewChild(Form);
  protected readonly form = signal<SettingsForm | undefined>(undefined);
  protected readonly failure = signal<Failure | undefined>(undefined);
  protected readonly saving = new Action();
  #etag = '*';
  #edits: Edits | undefined;

  protected readonly modes = computed(() =>
    REGISTRATION_MODES.map((value) => ({ value, label: this.t(`settings.mode.${value}`) })),
  );

  /** Brands have one name in every language. */
  protected readonly captchas = computed(() => [
    { value: 'none', label: this.t('settings.captcha.none') },
    { value: 'turnstile', label: 'Cloudflare Turnstile' },
    { value: 'hcaptcha', label: 'hCaptcha' },
  ]);
  protected readonly captcha = signal<CaptchaProvider>('none');
  protected readonly captchaSecretSet = signal(false);

  protected readonly names = new Loadable(() => this.#api.call('listModelNames'));
  /** Those for sale, and the one that is set though it no longer is. */
  protected readonly models = computed(() => {
    const ids = (this.names.value()?.data ?? []).map(({ publicId }) => publicId);
    const set = this.form()?.controls.defaultModel.value ?? '';
    const gone = set === '' || ids.includes(set) ? [] : [set];
    return [
      { value: '', label: this.t('settings.cheapest') },
      ...[...gone, ...ids].map((value) => ({ value, label: value })),
    ];
  });

  constructor() {
    void this.names.load();
    watchEdits(() => this.#edits?.any() ?? false);
    void this.load();
  }

  protected async load(): Promise<void> {
    try {
      const { value, etag } = await this.#api.callTagged('getSettings');
      this.#etag = etag;
      const form = new SettingsForm(value, this.t);
      this.captcha.set(value.captchaProvider);
      this.captchaSecretSet.set(value.captchaSecretSet);
      form.controls.captchaProvider.valueChanges.subscribe((chosen) => this.captcha.set(chosen));
      this.form.set(form);
      this.#edits = new Edits(() => form.group.getRawValue());
      this.failure.set(undefined);
    } catch (thrown) {
      this.failure.set(failureOf(thrown));
    }
  }

  protected async save(form: SettingsForm): Promise<void> {
    const sent = this.#edits?.snapshot();
    const done = await this.saving.run(async () => {
      const { value, etag } = await this.#api.callTagged('updateSettings', {
        ifMatch: this.#etag,
        body: form.body(),
      });
      this.#etag = etag;
      this.captchaSecretSet.set(value.captchaSecretSet);
      form.controls.captchaSecret.reset();
    });
    if (!done) return;
    this.#edits?.saved(sent);
    this.#toasts.info(this.t('settings.saved'));
    await this.site.reload();
  }
}
