import { Component, computed, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import { ALLOWANCE_WINDOWS, type PlanDetail } from '@weir/shared/plans';
import { Api } from '../../core/api/api';
import type { Tagged } from '../../core/api/call-input';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { TextArea } from '../../design/field/text-area';
import { PlanForm } from './plan-form';

export interface PlanDialogData {
  readonly plan?: Tagged<PlanDetail>;
}

@Component({
  selector: 'weir-plan-dialog',
  imports: [Choice, Field, FormDialog, TextArea],
  template: `
    <weir-form-dialog
      [heading]="data.plan ? t('planAdmin.editTitle') : t('planAdmin.createTitle')"
      [save]="data.plan ? t('action.save') : t('planAdmin.create')"
      [group]="form.group"
      [action]="action"
      (accepted)="save()"
    >
      <div class="fields">
        <weir-field class="whole" [control]="form.controls.name" [label]="t('keys.name')" />
        <weir-text-area
          class="whole"
          [rows]="2"
          [optional]="true"
          [control]="form.controls.description"
          [label]="t('groups.description')"
        />
        <weir-field
          prefix="$"
          inputmode="decimal"
          [control]="form.controls.priceUsd"
          [label]="t('plans.price')"
        />
        <weir-field
          inputmode="numeric"
          [control]="form.controls.periodDays"
          [label]="t('planAdmin.periodDays')"
        />
        <weir-choice
          class="whole"
          [many]="true"
          [control]="form.controls.groupIds"
          [label]="t('planAdmin.groups')"
          [options]="groups"
        />
      </div>
      <h3>{{ t('planAdmin.allowances') }}</h3>
      <p class="small soft">{{ t('planAdmin.allowancesHint') }}</p>
      @if (needsAllowance()) {
        <p class="small bad" role="alert">{{ t('planAdmin.noAllowance') }}</p>
      }
      <div class="fields">
        @for (window of windows; track window) {
          <weir-field
            prefix="$"
            inputmode="decimal"
            [control]="form.allowances[window]"
            [label]="t('planAdmin.per', { window: t(windowKey(window)) })"
            [placeholder]="t('planAdmin.notPart')"
          />
        }
        <weir-choice
          [control]="form.controls.status"
          [label]="t('keys.status')"
          [options]="statuses()"
        />
        <weir-field
          inputmode="numeric"
          [control]="form.controls.sortOrder"
          [label]="t('catalog.sortOrder')"
        />
      </div>
    </weir-form-dialog>
  `,
})
export class PlanDialog {
  readonly #api = inject(Api);
  readonly #dialog = inject<MatDialogRef<PlanDialog, PlanDetail>>(MatDialogRef);
  protected readonly groups = new Loadable(async () =>
    (await this.#api.call('listGroups')).data.map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly data = inject<PlanDialogData>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;
  protected readonly form = new PlanForm(this.data.plan?.value);
  protected readonly action = new Action();
  protected readonly windows = ALLOWANCE_WINDOWS;
  readonly #events = toSignal(this.form.group.events);
  protected readonly needsAllowance = computed(() => {
    this.#events();
    return this.form.group.touched && this.form.group.hasError('noAllowance');
  });
  protected readonly statuses = computed(() => [
    { value: 'active', label: this.t('planAdmin.forSale') },
    { value: 'disabled', label: this.t('planAdmin.notForSale') },
  ]);

  constructor() {
    void this.groups.load();
  }

  protected windowKey<Window extends string>(window: Window): `window.${Window}` {
    return `window.${window}`;
  }

  protected async save(): Promise<void> {
    await this.action.run(async () => {
      const { plan } = this.data;
      const body = this.form.body();
      const saved =
        plan === undefined
          ? await this.#api.call('createPlan', { body })
          : await this.#api.call('updatePlan', {
              params: { planId: plan.value.id },
              ifMatch: plan.etag,
              body,
            });
      this.#dialog.close(saved);
    });
  }
}
