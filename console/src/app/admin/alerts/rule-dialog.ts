import { Component, computed, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type { AlertKind, AlertRuleView } from '@weir/shared/alerts';
import { Api } from '../../core/api/api';
import type { Tagged } from '../../core/api/call-input';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { AccountField } from '../accounts/account-field';
import { AlertRuleForm } from './alert-forms';

export interface RuleDialogData {
  /** Null to add one. */
  readonly rule: Tagged<AlertRuleView> | null;
  /** What a new one may watch. */
  readonly kinds: readonly AlertKind[];
}

@Component({
  selector: 'weir-rule-dialog',
  imports: [AccountField, Choice, Field, FormDialog],
  templateUrl: './rule-dialog.html',
})
export class RuleDialog {
  readonly #api = inject(Api);
  readonly #dialog = inject<MatDialogRef<RuleDialog, AlertRuleView>>(MatDialogRef);
  readonly #data = inject<RuleDialogData>(MAT_DIALOG_DATA);
  protected readonly rule = this.#data.rule;
  protected readonly t = inject(I18n).t;
  protected readonly form = new AlertRuleForm(this.rule?.value);
  protected readonly action = new Action();
  // Shown fields follow them.
  protected readonly kind = toSignal(this.form.controls.kind.valueChanges, {
    initialValue: this.form.controls.kind.value,
  });
  protected readonly whose = toSignal(this.form.controls.whose.valueChanges, {
    initialValue: this.form.controls.whose.value,
  });

  protected readonly kinds = computed(() =>
    this.#data.kinds.map((value) => ({ value, label: this.t(`alertKind.${value}`) })),
  );
  protected readonly statuses = computed(() => [
    { value: 'active', label: this.t('state.active') },
    { value: 'disabled', label: this.t('state.disabled') },
  ]);
  protected readonly whoses = computed(() => [
    { value: 'each', label: this.t('alerts.eachCustomer') },
    { value: 'one', label: this.t('alerts.oneCustomer') },
  ]);
  protected readonly channels = new Loadable(async () => [
    {
      value: '',
      label: this.t(this.kind() === 'error_rate' ? 'alerts.all' : 'alerts.eachChannel'),
    },
    ...(await this.#api.call('listChannels')).data.map(({ id, name }) => ({
      value: id,
      label: name,
    })),
  ]);
  protected readonly jobs = new Loadable(async () => [
    { value: '', label: this.t('alerts.eachJob') },
    ...(await this.#api.call('getOverview')).jobs.map(({ name }) => ({ value: name, label: name })),
  ]);
  protected readonly targets = new Loadable(async () =>
    (await this.#api.call('listAlertTargets')).data.map(({ id, name }) => ({
      value: id,
      label: name,
    })),
  );
  /** Of a rule that is there: its customer, by name. */
  protected readonly customer = new Loadable(async () => {
    const accountId = this.rule?.value.accountId;
    if (accountId == null) return [];
    const { id, name } = await this.#api.call('getAccount', { params: { accountId } });
    return [{ value: id, label: name }];
  });

  constructor() {
    void this.channels.load();
    void this.jobs.load();
    void this.targets.load();
    void this.customer.load();
    this.form.controls.kind.valueChanges.subscribe(() => void this.channels.load());
  }

  protected async save(): Promise<void> {
    await this.action.run(async () => {
      this.#dialog.close(
        this.rule === null
          ? await this.#api.call('createAlertRule', { body: this.form.body() })
          : await this.#api.call('updateAlertRule', {
              params: { alertRuleId: this.rule.value.id },
              ifMatch: this.rule.etag,
              body: this.form.update(),
            }),
      );
    });
  }
}
