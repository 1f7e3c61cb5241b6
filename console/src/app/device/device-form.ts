import { FormGroup } from '@angular/forms';
import { DeviceLoginAllow, type DeviceLoginPreview } from '@weir/shared/people/device-logins';
import type { ApiPort } from '../core/api/call-input';
import { chosen, words, wordsOf } from '../core/forms/controls';
import { Action } from '../core/state/action';

const rules = DeviceLoginAllow.properties;

/** The answer to a tool that waits with a code. Nothing is sent before a person has decided. */
export class DeviceForm {
  readonly #api: ApiPort;
  readonly login: DeviceLoginPreview;
  readonly action = new Action();
  readonly controls;
  readonly group;

  constructor(api: ApiPort, login: DeviceLoginPreview, name: string) {
    this.#api = api;
    this.login = login;
    this.controls = {
      groupId: chosen(rules.groupId, { required: true }),
      name: words(rules.name, { initial: name, required: true }),
    };
    this.group = new FormGroup(this.controls);
  }

  allow(): Promise<boolean> {
    const { userCode } = this.login;
    const { groupId, name } = this.controls;
    const body = { userCode, groupId: groupId.value, name: wordsOf(name) };
    return this.action.run(() => this.#api.call('allowDeviceLogin', { body }));
  }

  deny(): Promise<boolean> {
    const { userCode } = this.login;
    return this.action.run(() => this.#api.call('denyDeviceLogin', { body: { userCode } }));
  }
}
