import { Component, computed, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import type { AlertKind, AlertRuleView } from '@weir/shared/watch/alerts';
import { Api } from '../../core/api/api';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { fetchOptions, namedOptions, statusOptions } from '../../core/i18n/options';
import { Loadable } from '../../core/state/loadable';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { ResourceDialog } from '../../design/resource/resource-dialog';
import { AccountField } from '../accounts/finder/account-field';
import { AlertRuleForm, TERMS_ASKED } from './alert-forms';

/** Kinds that watch all requests together where they name no channel. */
const OF_ALL: ReadonlySet<AlertKind> = new Set(['error_rate', 'first_token_slow']);

@Component({
  selector: 'weir-rule-dialog',
  imports: [AccountField, FORM_DIALOG],
  templateUrl: './rule-dialog.html',
})
export class RuleDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new ResourceDialog<AlertRuleView>();
  protected readonly form = new AlertRuleForm(this.dialog.seen);
  // Shown fields follow them.
  protected readonly kind = toSignal(this.form.controls.kind.valueChanges, {
    initialValue: this.form.controls.kind.value,
  });
  protected readonly whose = toSignal(this.form.controls.whose.valueChanges, {
    initialValue: this.form.controls.whose.value,
  });

  protected readonly asksChannel = computed(() => TERMS_ASKED[this.kind()].includes('channelId'));

  /** The kinds of rules that can be made here. */
  protected readonly kinds = new Loadable(async () =>
    (await this.#api.call('listAlertRules')).kinds.map((value) => ({
      value,
      label: this.t(`alertKind.${value}`),
    })),
  );
  protected readonly statuses = statusOptions();
  protected readonly whoses = optionsOf(['each', 'one'], (whose) => `alerts.${whose}Customer`);
  protected readonly channels = new Loadable(async () => [
    {
      value: '',
      label: this.t(OF_ALL.has(this.kind()) ? 'alerts.all' : 'alerts.eachChannel'),
    },
    ...namedOptions((await this.#api.call('listChannelNames')).data),
  ]);
  protected readonly jobs = new Loadable(async () => [
    { value: '', label: this.t('alerts.eachJob') },
    ...(await this.#api.call('getOverview')).jobs.map(({ name }) => ({ value: name, label: name })),
  ]);
  protected readonly targets = fetchOptions(() => this.#api.call('listAlertTargets'));
  /** The name of an existing rule's customer. */
  protected readonly customer = new Loadable(async () => {
    const accountId = this.dialog.seen?.accountId;
    if (accountId == null) return [];
    return namedOptions([await this.#api.call('getAccount', { params: { accountId } })]);
  });

  constructor() {
    if (this.dialog.seen === undefined) void this.kinds.load();
    void this.channels.load();
    void this.jobs.load();
    void this.customer.load();
    this.form.controls.kind.valueChanges.subscribe(() => void this.channels.load());
  }

  protected save(): Promise<void> {
    return this.dialog.save(
      () => this.#api.call('createAlertRule', { body: this.form.body() }),
      ({ id: alertRuleId }, ifMatch) =>
        this.#api.call('updateAlertRule', {
          params: { alertRuleId },
          ifMatch,
          body: this.form.update(),
        }),
    );
  }
}
