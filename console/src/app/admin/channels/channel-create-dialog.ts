import { Component, inject } from '@angular/core';
import { MatDialogRef } from '@angular/material/dialog';
import type { ChannelView } from '@weir/shared/channels';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { FormDialog } from '../../design/dialog/form-dialog';
import { ChannelFields } from './channel-fields';
import { ChannelForm } from './channel-form';

@Component({
  selector: 'weir-channel-create-dialog',
  imports: [ChannelFields, FormDialog],
  template: `
    <weir-form-dialog
      [heading]="t('channels.createTitle')"
      [save]="t('channels.create')"
      [group]="form.group"
      [action]="action"
      (accepted)="create()"
    >
      <weir-channel-fields [form]="form" [groups]="groups.value() ?? []" />
    </weir-form-dialog>
  `,
})
export class ChannelCreateDialog {
  readonly #api = inject(Api);
  readonly #dialog = inject<MatDialogRef<ChannelCreateDialog, ChannelView>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly form = new ChannelForm();
  protected readonly action = new Action();
  protected readonly groups = new Loadable(async () => (await this.#api.call('listGroups')).data);

  constructor() {
    void this.groups.load();
  }

  protected async create(): Promise<void> {
    await this.action.run(async () => {
      this.#dialog.close(await this.#api.call('createChannel', { body: this.form.createBody() }));
    });
  }
}
