import { FormGroup } from '@angular/forms';
import { PasswordChange } from '@weir/shared/people/users';
import type { ApiPort } from '../../core/api/call-input';
import { secret } from '../../core/forms/controls';
import { Action } from '../../core/state/action';

const { currentPassword, newPassword } = PasswordChange.properties;

/** Changing the password ends every other session. */
export class PasswordForm {
  readonly #api: ApiPort;
  readonly action = new Action();
  readonly controls = {
    currentPassword: secret(currentPassword),
    newPassword: secret(newPassword),
  };
  readonly group = new FormGroup(this.controls);

  constructor(api: ApiPort) {
    this.#api = api;
  }

  body(): PasswordChange {
    return {
      currentPassword: this.controls.currentPassword.value,
      newPassword: this.controls.newPassword.value,
    };
  }

  async submit(): Promise<boolean> {
    const done = await this.action.run(() =>
      this.#api.call('changePassword', { body: this.body() }),
    );
    if (done) this.group.reset();
    return done;
  }
}
