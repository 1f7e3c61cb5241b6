import { Component, effect, inject, untracked, viewChild } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { Router, RouterLink } from '@angular/router';
import { Api } from '../../core/api/api';
import { wordsOrNothing } from '../../core/forms/controls';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { Site } from '../../core/session/site';
import { EmptyState } from '../../design/feedback/empty-state';
import { FailureNote } from '../../design/feedback/failure-note';
import { Note } from '../../design/feedback/note';
import { Field } from '../../design/field/field';
import { Form } from '../../design/field/form';
import { Captcha } from './captcha';
import { Consent } from './consent';
import { SessionCard } from '../session-card';
import { RegisterForm } from './register-form';
import { SignOnButtons, type SignOnTerms } from '../sign-on-buttons';
import { SignOnChoices } from '../sign-on-choices';

@Component({
  selector: 'weir-register',
  imports: [
    Captcha,
    Consent,
    SessionCard,
    EmptyState,
    FailureNote,
    Field,
    Form,
    MatButton,
    Note,
    RouterLink,
    SignOnButtons,
  ],
  templateUrl: './register.html',
})
export class Register {
  readonly #router = inject(Router);
  readonly #i18n = inject(I18n);
  protected readonly t = this.#i18n.t;
  protected readonly site = inject(Site);
  protected readonly form = new RegisterForm(inject(Api), inject(Session), () => {
    const settings = this.site.settings();
    return settings !== undefined && (settings.hasTerms || settings.hasPrivacy);
  });

  protected readonly signOn = new SignOnChoices(inject(Api));
  protected readonly terms = (): SignOnTerms => {
    const { invitationCode, termsAccepted } = this.form.controls;
    const code = wordsOrNothing(invitationCode);
    return {
      termsAccepted: termsAccepted.value,
      ...(code === undefined ? {} : { invitationCode: code }),
    };
  };

  protected readonly captcha = viewChild(Captcha);

  constructor() {
    // What there is to agree to may come after the form.
    effect(() => {
      this.site.settings();
      untracked(() => this.form.controls.termsAccepted.updateValueAndValidity());
    });
  }

  protected async register(): Promise<void> {
    const registered = await this.form.submit(this.#i18n.language());
    if (registered === undefined) this.captcha()?.reset();
    if (registered === 'logged_in') await this.#router.navigateByUrl('/start');
  }
}
