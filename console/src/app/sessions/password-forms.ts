import { signal } from '@angular/core';
import { FormGroup } from '@angular/forms';
import { MailRequest, PasswordResetConfirmation } from '@weir/shared/people/registrations';
import type { ApiPort } from '../core/api/call-input';
import { secret, mailbox, mailboxOf } from '../core/forms/controls';
import { Action } from '../core/state/action';

/** Asking for a link. The answer is the same whether or not the address is known. */
export class ForgotPasswordForm {
  readonly #api: ApiPort;
  readonly action = new Action();
  readonly controls = { email: mailbox(MailRequest.properties.email, { required: true }) };
  readonly group = new FormGroup(this.controls);
  readonly sent = signal(false);

  constructor(api: ApiPort) {
    this.#api = api;
  }

  body(): MailRequest {
    return { email: mailboxOf(this.controls.email) };
  }

  async submit(): Promise<void> {
    const done = await this.action.run(() =>
      this.#api.call('requestPasswordReset', { body: this.body() }),
    );
    this.sent.set(done);
  }
}

/** Choosing a new password with the link from the mail. */
export class ResetPasswordForm {
  readonly #api: ApiPort;
  readonly #token: string;
  readonly action = new Action();
  readonly controls = { password: secret(PasswordResetConfirmation.properties.password) };
  readonly group = new FormGroup(this.controls);

  constructor(api: ApiPort, token: string) {
    this.#api = api;
    this.#token = token;
  }

  body(): PasswordResetConfirmation {
    return { token: this.#token, password: this.controls.password.value };
  }

  submit(): Promise<boolean> {
    return this.action.run(() => this.#api.call('resetPassword', { body: this.body() }));
  }
}

/**
 * The secret of a mailed link. It stands after the "#", a part that browsers send to no server, so
 * it is in no log and no Referer.
 */
export function linkToken(fragment: string | null): string | undefined {
  const token = new URLSearchParams(fragment ?? '').get('token');
  return token === null || token === '' ? undefined : token;
}
