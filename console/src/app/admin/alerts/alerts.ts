import { Component, inject } from '@angular/core';
import type { AlertRuleView } from '@weir/shared/alerts';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { Toasts } from '../../design/feedback/toasts';
import { Resource } from '../../design/resource/resource';
import { RESOURCE_PAGE } from '../../design/resource/resource-parts';
import type { RowAct } from '../../design/table/row-menu';
import { ALERT_LINKS } from './alert-links';
import { RuleDialog } from './rule-dialog';
import { ruleTerms } from './rule-terms';

@Component({
  selector: 'weir-alerts',
  imports: [RESOURCE_PAGE],
  templateUrl: './alerts.html',
})
export class Alerts {
  readonly #api = inject(Api);
  readonly #toasts = inject(Toasts);
  readonly #formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;
  protected readonly links = ALERT_LINKS;
  protected readonly targets = new Loadable(() => this.#api.call('listAlertTargets'));
  protected readonly rules = new Resource<AlertRuleView>({
    list: () => this.#api.call('listAlertRules'),
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
