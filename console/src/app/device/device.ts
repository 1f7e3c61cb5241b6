import { Component, computed, inject, input, signal, type OnInit } from '@angular/core';
import { FormControl, FormGroup } from '@angular/forms';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import { DeviceLoginLookup } from '@weir/shared/people/device-logins';
import { Api } from '../core/api/api';
import { words, wordsOf } from '../core/forms/controls';
import { I18n } from '../core/i18n/i18n';
import { Session } from '../core/session/session';
import { Action } from '../core/state/action';
import { Loadable } from '../core/state/loadable';
import { Choice } from '../design/field/choice';
import { FailureNote } from '../design/feedback/failure-note';
import { Note } from '../design/feedback/note';
import { Field } from '../design/field/field';
import { Form } from '../design/field/form';
import { Time } from '../design/text/time';
import { groupOption } from '../keys/group-words';
import { SessionCard } from '../sessions/session-card';
import { DeviceForm } from './device-form';
import { loginName, toolName } from './tool-name';

/**
 * The page that a command-line tool sends its user to. A code in the address is only filled in:
 * the person compares it with the tool's and decides.
 */
@Component({
  selector: 'weir-device',
  imports: [Choice, FailureNote, Field, Form, MatButton, Note, RouterLink, SessionCard, Time],
  templateUrl: './device.html',
})
export class Device implements OnInit {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly toolName = toolName;

  /** Query parameter: the code that the tool has. */
  readonly user_code = input<string>();

  protected readonly userCode = words(DeviceLoginLookup.properties.userCode, { required: true });
  protected readonly code = new FormGroup({ userCode: this.userCode });
  protected readonly looking = new Action();
  protected readonly form = signal<DeviceForm | undefined>(undefined);
  protected readonly answer = signal<'allowed' | 'denied' | undefined>(undefined);
  protected readonly groups = new Loadable(async () =>
    (await this.#api.call('listGroups')).data
      .filter(({ open }) => open)
      .map((group) => groupOption(group, this.t)),
  );
  protected readonly accounts = computed(() =>
    this.session.memberships().map((one) => ({ value: one.accountId, label: one.accountName })),
  );
  protected readonly accountId = new FormControl('', { nonNullable: true });

  ngOnInit(): void {
    this.userCode.setValue(this.user_code() ?? '');
    this.accountId.setValue(this.session.membership()?.accountId ?? '', { emitEvent: false });
    this.accountId.valueChanges.subscribe((accountId) => void this.#switchTo(accountId));
  }

  protected async lookUp(): Promise<void> {
    const body = { userCode: wordsOf(this.userCode) };
    await this.looking.run(async () => {
      const login = await this.#api.call('lookUpDeviceLogin', { body });
      const form = new DeviceForm(this.#api, login, loginName(login, this.t));
      this.form.set(form);
      await this.groups.load();
      const usable = this.groups.value()?.filter(({ disabled }) => disabled !== true) ?? [];
      // With a single group there is nothing to choose.
      if (usable.length === 1) form.controls.groupId.setValue(usable[0]?.value ?? '');
    });
  }

  protected async allow(form: DeviceForm): Promise<void> {
    if (await form.allow()) this.answer.set('allowed');
  }

  protected async deny(form: DeviceForm): Promise<void> {
    if (await form.deny()) this.answer.set('denied');
  }

  /** The page is loaded again in the other account, with the code. */
  async #switchTo(accountId: string): Promise<void> {
    const code = encodeURIComponent(wordsOf(this.userCode));
    await this.looking.run(() => this.session.switchTo(accountId, `/device?user_code=${code}`));
  }
}
