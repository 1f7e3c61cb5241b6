import { signal } from '@angular/core';
import { FormGroup } from '@angular/forms';
import { RegistrationCreate } from '@weir/shared/people/registrations';
import type { ApiPort } from '../../core/api/call-input';
import { flag, secret, words, wordsOrNothing, mailbox, mailboxOf } from '../../core/forms/controls';
import type { Language } from '../../core/i18n/i18n';
import type { Session } from '../../core/session/session';
import { Action } from '../../core/state/action';

const { email, password, invitationCode } = RegistrationCreate.properties;

export type Registered = 'check_mail' | 'logged_in';

/**
 * Registering: by an open door, by invitation, and in either case perhaps with an address to
 * confirm first.
 */
export class RegisterForm {
  readonly #api: ApiPort;
  readonly #session: Session;
  readonly #mustAgree: () => boolean;
  readonly action = new Action();
  readonly controls = {
    email: mailbox(email, { required: true }),
    password: secret(password),
    invitationCode: words(invitationCode),
    termsAccepted: flag(),
  };
  readonly group = new FormGroup(this.controls);
  /** What the check for robots gave, where there is one. */
  readonly captchaToken = signal<string | undefined>(undefined);
  /** The address a link was sent to. */
  readonly mailedTo = signal<string | undefined>(undefined);
  readonly resend = new Action();
  readonly resent = signal(false);

  /** @param mustAgree whether there is anything to agree to, as far as that is known by then */
  constructor(api: ApiPort, session: Session, mustAgree: () => boolean) {
    this.#api = api;
    this.#session = session;
    this.#mustAgree = mustAgree;
    const { termsAccepted } = this.controls;
    termsAccepted.addValidators(({ value }) =>
      mustAgree() && value !== true ? { required: true } : null,
    );
  }

  body(language: Language): RegistrationCreate {
    const code = wordsOrNothing(this.controls.invitationCode);
    const token = this.captchaToken();
    return {
      email: mailboxOf(this.controls.email),
      password: this.controls.password.value,
      language,
      ...(code === undefined ? {} : { invitationCode: code }),
      ...(token === undefined ? {} : { captchaToken: token }),
      ...(this.#mustAgree() ? { termsAccepted: this.controls.termsAccepted.value } : {}),
    };
  }

  async submit(language: Language): Promise<Registered | undefined> {
    let registered: Registered | undefined;
    await this.action.run(async () => {
      const body = this.body(language);
      const { next } = await this.#api.call('register', { body });
      if (next === 'verification') {
        this.mailedTo.set(body.email);
        registered = 'check_mail';
        return;
      }
      await this.#session.logIn({ email: body.email, password: body.password });
      registered = 'logged_in';
    });
    return registered;
  }

  async sendAgain(): Promise<void> {
    const to = this.mailedTo();
    if (to === undefined) return;
    const sent = await this.resend.run(() =>
      this.#api.call('requestVerification', { body: { email: to } }),
    );
    this.resent.set(sent);
  }
}
