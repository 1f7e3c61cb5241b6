import { Component, inject, signal } from '@angular/core';
import type { AlertKind, AlertRuleView } from '@weir/shared/watch/alerts';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { Toasts } from '../../design/feedback/toasts';
import { Resource } from '../../design/resource/resource';
import { RESOURCE_PAGE } from '../../design/resource/resource-parts';
import type { RowAct } from '../../design/table/row-menu';
import { ALERT_LINKS } from './alert-links';
import { RuleDialog } from './rule-dialog';
import { ruleTerms } from './rule-terms';
import { subjectLink, type SubjectLink } from './subject-link';

@Component({
  selector: 'weir-alerts',
  imports: [RESOURCE_PAGE],
  templateUrl: './alerts.html',
})
export class Alerts {
  readonly #api = inject(Api);
  readonly #toasts = inject(Toasts);
  readonly #formatter = inject(Formatter);
  readonly #i18n = inject(I18n);
  protected readonly t = this.#i18n.t;
  protected readonly links = ALERT_LINKS;
  protected readonly targets = new Loadable(() => this.#api.call('listAlertTargets'));
  /** Ready-made rules that are not there. */
  protected readonly missing = signal(0);
  protected readonly adding = new Action();
  protected readonly rules = new Resource<AlertRuleView>({
    list: async () => {
      const list = await this.#api.call('listAlertRules');
      this.missing.set(list.readyMissing);
      return list;
    },
    get: (alertRuleId) => this.#api.callTagged('getAlertRule', { params: { alertRuleId } }),
    delete: (alertRuleId) => this.#api.call('deleteAlertRule', { params: { alertRuleId } }),
    dialog: RuleDialog,
    deleting: ({ name }) => ({
      heading: this.t('alerts.deleteTitle'),
      text: this.t('alerts.deleteText', { name }),
      action: this.t('action.delete'),
    }),
  });
  protected readonly acts: readonly RowAct<AlertRuleView>[] = [
    { label: 'action.edit', run: (rule) => this.rules.edit(rule) },
    {
      label: ({ status }) => (status === 'active' ? 'action.disable' : 'action.enable'),
      run: (rule) => this.#toggle(rule),
    },
    { label: 'action.delete', run: (rule) => this.rules.delete(rule) },
  ];

  constructor() {
    void this.targets.load();
  }

  protected termsOf(rule: AlertRuleView): string {
    return ruleTerms(rule, this.t, this.#formatter);
  }

  protected linkOf(kind: AlertKind, subject: string): SubjectLink | null {
    return subjectLink(kind, subject, null);
  }

  /** The name of the only thing that a rule watches. */
  protected nameOf(kind: AlertKind): string {
    const isOfRequests = kind === 'error_rate' || kind === 'first_token_slow';
    return this.t(isOfRequests ? 'alerts.all' : `alertKind.${kind}`);
  }

  protected async addReady(): Promise<void> {
    await this.#toasts.reporting(async () => {
      await this.adding.run(async () => {
        const body = { language: this.#i18n.language() };
        await this.#api.call('createReadyAlertRules', { body });
      });
      await this.rules.load();
    });
  }

  async #toggle({ id, status }: AlertRuleView): Promise<void> {
    await this.#toasts.reporting(async () => {
      await this.#api.call('updateAlertRule', {
        params: { alertRuleId: id },
        // One status: the last change wins.
        ifMatch: '*',
        body: { status: status === 'active' ? 'disabled' : 'active' },
      });
      await this.rules.load();
    });
  }
}
