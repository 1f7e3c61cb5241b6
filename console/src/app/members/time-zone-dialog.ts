import { Component, inject } from '@angular/core';
import { FormControl, FormGroup } from '@angular/forms';
import type { BudgetList } from '@weir/shared/money/budgets';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { FORM_DIALOG } from '../design/dialog/form-parts';
import { DialogWork } from '../design/resource/resource-dialog';

/** Chooses the time zone of the days and months of budgets. */
@Component({
  selector: 'weir-time-zone-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="t('budgets.zoneTitle')"
      [save]="t('action.save')"
      [group]="group"
      [action]="dialog.action"
      (accepted)="save()"
    >
      <weir-choice
        [control]="group.controls.timeZone"
        [label]="t('budgets.zone')"
        [hint]="t('budgets.zoneHint')"
        [options]="zones"
      />
    </weir-form-dialog>
  `,
})
export class TimeZoneDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<BudgetList, BudgetList>();
  protected readonly group = new FormGroup({
    timeZone: new FormControl(
      this.dialog.data.nextTimeZone?.timeZone ?? this.dialog.data.timeZone,
      { nonNullable: true },
    ),
  });
  /** Those that the browser knows; the list of some leaves out UTC. */
  protected readonly zones = [
    ...new Set(['UTC', this.dialog.data.timeZone, ...Intl.supportedValuesOf('timeZone')]),
  ].map((value) => ({ value, label: value.replaceAll('_', ' ') }));

  protected save(): Promise<void> {
    const body = { timeZone: this.group.controls.timeZone.value };
    return this.dialog.run(() => this.#api.call('updateTimeZone', { body }));
  }
}
