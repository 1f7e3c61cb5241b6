import { FormGroup } from '@angular/forms';
import { SessionCreate } from '@weir/shared/people/sessions';
import type { Session } from '../core/session/session';
import { Action } from '../core/state/action';
import { secret, words, mailbox, mailboxOf } from '../core/forms/controls';
import { signal } from '@angular/core';
import type { UserView } from '@weir/shared/people/users';

const { email, password, code } = SessionCreate.properties;

/**
 * Logging in. The second factor is asked for only once the server says that there is one; e-mail
 * address and password are sent again with the code.
 */
export class LogInForm {
  readonly #session: Pick<Session, 'logIn'>;
  readonly action = new Action();
  readonly controls = {
    email: mailbox(email, { required: true }),
    password: secret(password),
    code: words(code),
  };
  readonly group = new FormGroup(this.controls);
  readonly needsCode = signal(false);

  constructor(session: Pick<Session, 'logIn'>) {
    this.#session = session;
  }

  body(): SessionCreate {
    const credentials = {
      email: mailboxOf(this.controls.email),
      password: this.controls.password.value,
    };
    if (!this.needsCode()) return credentials;
    // People copy codes with the space in the middle.
    return { ...credentials, code: this.controls.code.value.replace(/\s/g, '') };
  }

  /**
   * The user when it worked. `second_factor_required` is a step on the way, not a failure to show.
   */
  async submit(): Promise<UserView | undefined> {
    let user: UserView | undefined;
    await this.action.run(async () => {
      user = await this.#session.logIn(this.body());
    });
    if (this.action.failure()?.code === 'second_factor_required') {
      this.needsCode.set(true);
      this.action.clear();
    }
    return user;
  }

  /** Another address or password is another login. */
  startOver(): void {
    this.needsCode.set(false);
    this.controls.code.reset();
    this.action.clear();
  }
}
