import { Component, inject, signal } from '@angular/core';
import { MatButton, MatIconButton } from '@angular/material/button';
import { MatMenuModule } from '@angular/material/menu';
import type { AlertTargetView } from '@weir/shared/alerts';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import type { Tagged } from '../../core/api/call-input';
import { I18n } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { FailureNote } from '../../design/feedback/failure-note';
import { Note } from '../../design/feedback/note';
import { Skeleton } from '../../design/feedback/skeleton';
import { Toasts } from '../../design/feedback/toasts';
import { Icon } from '../../design/icon/icon';
import { Page } from '../../design/page/page';
import { SubNav } from '../../design/page/sub-nav';
import { Chip } from '../../design/text/chip';
import { Name } from '../../design/text/name';
import { alertLinks } from './alert-links';
import { AlertSecretDialog } from './secret-dialog';
import { TargetDialog } from './target-dialog';

interface Tested {
  readonly id: string;
  readonly error: string | null;
}

@Component({
  selector: 'weir-alert-targets',
  imports: [
    Chip,
    EmptyState,
    FailureNote,
    Icon,
    MatButton,
    MatIconButton,
    MatMenuModule,
    Name,
    Note,
    Page,
    Skeleton,
    SubNav,
  ],
  templateUrl: './targets.html',
})
export class AlertTargets {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly links = alertLinks();
  protected readonly testing = signal<string | undefined>(undefined);
  /** How the latest test fared. */
  protected readonly tested = signal<Tested | undefined>(undefined);
  protected readonly targets = new Loadable(
    async () => (await this.#api.call('listAlertTargets')).data,
  );

  constructor() {
    void this.targets.load();
  }

  protected async create(): Promise<void> {
    await this.#dialogs.open<null, boolean>(TargetDialog, { data: null });
    // Also when the dialog was given up: the target may have been made.
    await this.targets.load();
  }

  protected async edit({ id }: AlertTargetView): Promise<void> {
    await this.#reportingFailure(async () => {
      const data = await this.#api.callTagged('getAlertTarget', { params: { alertTargetId: id } });
      await this.#dialogs.open<Tagged<AlertTargetView>, boolean>(TargetDialog, { data });
      await this.targets.load();
    });
  }

  protected async test({ id }: AlertTargetView): Promise<void> {
    if (this.testing() !== undefined) return;
    this.testing.set(id);
    this.tested.set(undefined);
    await this.#reportingFailure(async () => {
      const params = { alertTargetId: id };
      const { error } = await this.#api.call('testAlertTarget', { params });
      this.tested.set({ id, error });
    });
    this.testing.set(undefined);
  }

  protected async rotate({ id, name }: AlertTargetView): Promise<void> {
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
    if (rotated) await this.#dialogs.open(AlertSecretDialog, { data: made.secret ?? '' });
  }

  protected async remove({ id, name }: AlertTargetView): Promise<void> {
    const removed = await this.#dialogs.confirm({
      heading: this.t('alerts.deleteTargetTitle'),
      text: this.t('alerts.deleteTargetText', { name }),
      action: this.t('action.delete'),
      destructive: true,
      work: () => this.#api.call('deleteAlertTarget', { params: { alertTargetId: id } }),
    });
    if (removed) await this.targets.load();
  }

  async #reportingFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }
}
