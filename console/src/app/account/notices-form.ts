import { FormGroup } from '@angular/forms';
import { NoticeSettings } from '@weir/shared/people/notices';
import type { ApiPort } from '../core/api/call-input';
import { amount, amountOrNull, whole, wholeOrNull } from '../core/forms/controls';
import { Action } from '../core/state/action';

const textOf = (value: number | null): string => (value === null ? '' : String(value));

/** The form of the mails that an account's users get. An empty field means no mail. */
export class NoticesForm {
  readonly #api: ApiPort;
  readonly action = new Action();
  readonly controls;
  readonly group;

  constructor(api: ApiPort, settings: NoticeSettings) {
    const { properties } = NoticeSettings;
    this.#api = api;
    this.controls = {
      lowBalanceUsd: amount(properties.lowBalanceUsd, { initial: settings.lowBalanceUsd ?? '' }),
      budgetPercent: whole(properties.budgetPercent, { initial: textOf(settings.budgetPercent) }),
      planEndingDays: whole(properties.planEndingDays, {
        initial: textOf(settings.planEndingDays),
      }),
    };
    this.group = new FormGroup(this.controls);
  }

  body(): NoticeSettings {
    return {
      lowBalanceUsd: amountOrNull(this.controls.lowBalanceUsd),
      budgetPercent: wholeOrNull(this.controls.budgetPercent),
      planEndingDays: wholeOrNull(this.controls.planEndingDays),
    };
  }

  /** True when it was saved. */
  submit(): Promise<boolean> {
    return this.action.run(() => this.#api.call('updateNoticeSettings', { body: this.body() }));
  }
}
