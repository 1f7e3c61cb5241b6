import { signal } from '@angular/core';
import { FormGroup } from '@angular/forms';
import {
  SecondFactorConfirmation,
  SecondFactorCreate,
  SecondFactorProof,
  type SecondFactorEnrolment,
} from '@weir/shared/people/second-factors';
import type { ApiPort } from '../../core/api/call-input';
import { secret, words } from '../../core/forms/controls';
import { Action } from '../../core/state/action';

/**
 * Setting up a second factor: password → secret to scan → first code → recovery codes. Only the
 * first code makes it count, so leaving in the middle locks no one out.
 */
export class SecondFactorSetup {
  readonly #api: ApiPort;
  readonly begin = new Action();
  readonly confirm = new Action();
  readonly passwordControls = { password: secret(SecondFactorCreate.properties.password) };
  readonly passwordGroup = new FormGroup(this.passwordControls);
  readonly codeControls = {
    code: words(SecondFactorConfirmation.properties.code, { required: true }),
  };
  readonly codeGroup = new FormGroup(this.codeControls);
  readonly enrolment = signal<SecondFactorEnrolment | undefined>(undefined);
  readonly recoveryCodes = signal<readonly string[] | undefined>(undefined);

  constructor(api: ApiPort) {
    this.#api = api;
  }

  beginBody(): SecondFactorCreate {
    return { password: this.passwordControls.password.value };
  }

  confirmBody(): SecondFactorConfirmation {
    return { code: this.codeControls.code.value.trim() };
  }

  async submitPassword(): Promise<void> {
    await this.begin.run(async () => {
      this.enrolment.set(await this.#api.call('beginSecondFactor', { body: this.beginBody() }));
    });
  }

  async submitCode(): Promise<void> {
    await this.confirm.run(async () => {
      const reply = await this.#api.call('confirmSecondFactor', { body: this.confirmBody() });
      this.recoveryCodes.set(reply.recoveryCodes);
    });
  }
}

export type ProofPurpose = 'remove' | 'renew';

/** Taking the second factor away or renewing its recovery codes: both factors are asked for. */
export class SecondFactorProofForm {
  readonly #api: ApiPort;
  readonly purpose: ProofPurpose;
  readonly action = new Action();
  readonly controls = {
    password: secret(SecondFactorProof.properties.password),
    code: words(SecondFactorProof.properties.code, { required: true }),
  };
  readonly group = new FormGroup(this.controls);
  readonly recoveryCodes = signal<readonly string[] | undefined>(undefined);

  constructor(api: ApiPort, purpose: ProofPurpose) {
    this.#api = api;
    this.purpose = purpose;
  }

  body(): SecondFactorProof {
    return {
      password: this.controls.password.value,
      code: this.controls.code.value.trim(),
    };
  }

  /** True when it is done; new recovery codes are in `recoveryCodes`. */
  submit(): Promise<boolean> {
    return this.action.run(async () => {
      const body = this.body();
      if (this.purpose === 'remove') {
        await this.#api.call('removeSecondFactor', { body });
        return;
      }
      const reply = await this.#api.call('renewRecoveryCodes', { body });
      this.recoveryCodes.set(reply.recoveryCodes);
    });
  }
}
