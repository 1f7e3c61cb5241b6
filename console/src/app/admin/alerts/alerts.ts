import { Component, inject } from '@angular/core';
import { MatButton, MatIconButton } from '@angular/material/button';
import { MatMenuModule } from '@angular/material/menu';
import { RouterLink } from '@angular/router';
import type { AlertRuleView } from '@weir/shared/alerts';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import { Formatter } from '../../core/format/formatter';
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
import { Time } from '../../design/text/time';
import { alertLinks } from './alert-links';
import { RuleDialog, type RuleDialogData } from './rule-dialog';
import { ruleTerms } from './rule-terms';

@Component({
  selector: 'weir-alerts',
  imports: [
    Chip,
    EmptyState,
    FailureNote,
    Icon,
    MatButton,
    MatIconButton,
    MatMenuModule,
    Note,
    Page,
    RouterLink,
    Skeleton,
    SubNav,
    Time,
  ],
  templateUrl: './alerts.html',
})
export class Alerts {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;
  protected readonly links = alertLinks();
  protected readonly rules = new Loadable(() => this.#api.call('listAlertRules'));
  protected readonly targets = new Loadable(
    async () => (await this.#api.call('listAlertTargets')).data,
  );

  constructor() {
    void this.rules.load();
    void this.targets.load();
  }

  protected termsOf(rule: AlertRuleView): string {
    return ruleTerms(rule, this.t, this.#formatter);
  }

  protected async create(): Promise<void> {
    await this.#reportingFailure(async () => {
      const { kinds } = this.rules.value() ?? (await this.#api.call('listAlertRules'));
      await this.#open({ rule: null, kinds });
    });
  }

  protected async edit({ id }: AlertRuleView): Promise<void> {
    await this.#reportingFailure(async () => {
      const rule = await this.#api.callTagged('getAlertRule', { params: { alertRuleId: id } });
      await this.#open({ rule, kinds: [] });
    });
  }

  async #open(data: RuleDialogData): Promise<void> {
    const saved = await this.#dialogs.open<RuleDialogData, AlertRuleView>(RuleDialog, { data });
    if (saved !== undefined) await this.rules.load();
  }

  protected async toggle({ id, status }: AlertRuleView): Promise<void> {
    await this.#reportingFailure(async () => {
      await this.#api.call('updateAlertRule', {
        params: { alertRuleId: id },
        // One status: whoever comes last means it.
        ifMatch: '*',
        body: { status: status === 'active' ? 'disabled' : 'active' },
      });
      await this.rules.load();
    });
  }

  protected async remove({ id, name }: AlertRuleView): Promise<void> {
    const removed = await this.#dialogs.confirm({
      heading: this.t('alerts.deleteTitle'),
      text: this.t('alerts.deleteText', { name }),
      action: this.t('action.delete'),
      destructive: true,
      work: () => this.#api.call('deleteAlertRule', { params: { alertRuleId: id } }),
    });
    if (removed) await this.rules.load();
  }

  async #reportingFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }
}
