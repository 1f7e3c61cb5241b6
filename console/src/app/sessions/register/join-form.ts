import { FormGroup } from '@angular/forms';
import type { MemberInvitationPreview } from '@weir/shared/people/members';
import { RegistrationCreate } from '@weir/shared/people/registrations';
import type { ApiPort } from '../../core/api/call-input';
import { flag, mailbox, mailboxOf, secret } from '../../core/forms/controls';
import type { Language } from '../../core/i18n/i18n';
import type { Session } from '../../core/session/session';
import { Action } from '../../core/state/action';

const { email, password } = RegistrationCreate.properties;

/** `check_mail`: the address has to be confirmed before the first login. */
export type Joined = 'check_mail' | 'joined';

/** Accepting an invitation: with the login that is there, or with one that is made for it. */
export class JoinForm {
  readonly #api: ApiPort;
  readonly #session: Session;
  readonly #token: string;
  readonly #mustAgree: () => boolean;
  readonly action = new Action();
  readonly controls;
  readonly group;

  constructor(
    api: ApiPort,
    session: Session,
    options: {
      readonly token: string;
      readonly preview?: MemberInvitationPreview;
      readonly mustAgree: () => boolean;
    },
  ) {
    this.#api = api;
    this.#session = session;
    this.#token = options.token;
    this.#mustAgree = options.mustAgree;
    this.controls = {
      email: mailbox(email, { initial: options.preview?.email ?? '', required: true }),
      password: secret(password),
      termsAccepted: flag(),
    };
    this.controls.termsAccepted.addValidators(({ value }) =>
      this.#mustAgree() && value !== true ? { required: true } : null,
    );
    this.group = new FormGroup(this.controls);
  }

  body(language: Language): RegistrationCreate {
    return {
      email: mailboxOf(this.controls.email),
      password: this.controls.password.value,
      memberInvitationToken: this.#token,
      language,
      ...(this.#mustAgree() ? { termsAccepted: this.controls.termsAccepted.value } : {}),
    };
  }

  /** For a person who has logged in. */
  async accept(): Promise<Joined | undefined> {
    const accepted = await this.action.run(() => this.#accept());
    return accepted ? 'joined' : undefined;
  }

  /** For a person without a login. */
  async register(language: Language): Promise<Joined | undefined> {
    let joined: Joined | undefined;
    await this.action.run(async () => {
      const body = this.body(language);
      const { next } = await this.#api.call('register', { body });
      if (next === 'verification') {
        joined = 'check_mail';
        return;
      }
      await this.#session.logIn({ email: body.email, password: body.password });
      await this.#accept();
      joined = 'joined';
    });
    return joined;
  }

  async #accept(): Promise<void> {
    await this.#api.call('acceptMemberInvitation', { body: { token: this.#token } });
  }
}
