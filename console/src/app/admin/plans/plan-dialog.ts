import { Component, computed, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ALLOWANCE_WINDOWS, type PlanDetail } from '@weir/shared/money/plans';
import { Api } from '../../core/api/api';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { fetchOptions, keyIn } from '../../core/i18n/options';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { ResourceDialog } from '../../design/resource/resource-dialog';
import { PlanForm } from './plan-form';

@Component({
  selector: 'weir-plan-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="dialog.seen ? t('planAdmin.editTitle') : t('planAdmin.createTitle')"
      [save]="dialog.seen ? t('action.save') : t('planAdmin.create')"
      [group]="form.group"
      [action]="dialog.action"
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
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new ResourceDialog<PlanDetail>();
  protected readonly form = new PlanForm(this.dialog.seen);
  protected readonly groups = fetchOptions(() => this.#api.call('listGroups'));
  protected readonly windows = ALLOWANCE_WINDOWS;
  protected readonly windowKey = keyIn('window');
  readonly #events = toSignal(this.form.group.events);
  protected readonly needsAllowance = computed(() => {
    this.#events();
    return this.form.group.touched && this.form.group.hasError('noAllowance');
  });
  protected readonly statuses = optionsOf(['active', 'disabled'], (status) =>
    status === 'active' ? 'planAdmin.forSale' : 'planAdmin.notForSale',
  );

  protected save(): Promise<void> {
    const body = this.form.body();
    return this.dialog.save(
      () => this.#api.call('createPlan', { body }),
      ({ id: planId }, ifMatch) =>
        this.#api.call('updatePlan', { params: { planId }, ifMatch, body }),
    );
  }
}
