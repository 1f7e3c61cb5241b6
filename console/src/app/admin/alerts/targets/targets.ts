import { Component, inject, signal } from '@angular/core';
import type { AlertTargetView } from '@weir/shared/watch/alerts';
import { Api } from '../../../core/api/api';
import { I18n } from '../../../core/i18n/i18n';
import { Dialogs } from '../../../design/dialog/dialogs';
import { SecretDialog, type Secret } from '../../../design/dialog/secret-dialog';
import { Toasts } from '../../../design/feedback/toasts';
import { Resource } from '../../../design/resource/resource';
import { RESOURCE_PAGE } from '../../../design/resource/resource-parts';
import type { RowAct } from '../../../design/table/row-menu';
import { ALERT_LINKS } from '../alert-links';
import { TargetDialog } from './target-dialog';

interface Tested {
  readonly id: string;
  readonly error: string | null;
}

@Component({
  selector: 'weir-alert-targets',
  imports: [RESOURCE_PAGE],
  templateUrl: './targets.html',
})
export class AlertTargets {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly links = ALERT_LINKS;
  protected readonly testing = signal<string | undefined>(undefined);
  /** The result of the latest test. */
  protected readonly tested = signal<Tested | undefined>(undefined);
  protected readonly targets = new Resource<AlertTargetView>({
    list: () => this.#api.call('listAlertTargets'),
    get: (alertTargetId) => this.#api.callTagged('getAlertTarget', { params: { alertTargetId } }),
    delete: (alertTargetId) => this.#api.call('deleteAlertTarget', { params: { alertTargetId } }),
    dialog: TargetDialog,
    deleting: ({ name }) => ({
      heading: this.t('alerts.deleteTargetTitle'),
      text: this.t('alerts.deleteTargetText', { name }),
      action: this.t('action.delete'),
    }),
  });
  protected readonly acts: readonly RowAct<AlertTargetView>[] = [
    { label: 'action.edit', run: (target) => this.targets.edit(target) },
    {
      label: 'alerts.rotate',
      when: ({ kind }) => kind === 'webhook',
      run: (target) => this.#rotate(target),
    },
    { label: 'action.delete', run: (target) => this.targets.delete(target) },
  ];

  protected async test({ id }: AlertTargetView): Promise<void> {
    if (this.testing() !== undefined) return;
    this.testing.set(id);
    this.tested.set(undefined);
    await this.#toasts.reporting(async () => {
      const params = { alertTargetId: id };
      const { error } = await this.#api.call('testAlertTarget', { params });
      this.tested.set({ id, error });
    });
    this.testing.set(undefined);
  }

  async #rotate({ id, name }: AlertTargetView): Promise<void> {
    const made: { secret: string | null } = { secret: null };
    const rotated = await this.#dialogs.confirm({
      heading: this.t('alerts.rotateTitle'),
      text: this.t('alerts.rotateText', { name }),
      action: this.t('alerts.rotate'),
      destructive: true,
      work: async () => {
        const params = { alertTargetId: id };
        made.secret = (await this.#api.call('rotateAlertTargetSecret', { params })).secret;
      },
    });
    if (!rotated) return;
    await this.#dialogs.open<Secret, boolean>(SecretDialog, {
      data: {
        heading: 'alerts.secret',
        what: 'alerts.secret',
        warning: 'alerts.secretOnce',
        secret: made.secret ?? '',
      },
    });
  }
}
