import { FormGroup, type FormControl } from '@angular/forms';
import {
  ALLOWANCE_WINDOWS,
  PlanAllowance,
  PlanCreate,
  type PlanDetail,
} from '@weir/shared/money/plans';
import {
  amount,
  amountOf,
  amountOrNothing,
  option,
  several,
  whole,
  wholeOrNothing,
  words,
  wordsOf,
} from '../../core/forms/controls';

const rules = PlanCreate.properties;

export type AllowanceWindow = (typeof ALLOWANCE_WINDOWS)[number];

/** A plan for sale. A window without an amount is no part of it; at least one must have one. */
export class PlanForm {
  readonly controls;
  readonly allowances: Readonly<Record<AllowanceWindow, FormControl<string>>>;
  readonly group;

  constructor(plan?: PlanDetail) {
    const limit = (window: AllowanceWindow): FormControl<string> =>
      amount(PlanAllowance.properties.limitUsd, {
        initial: plan?.allowances.find((allowance) => allowance.window === window)?.limitUsd ?? '',
      });
    this.controls = {
      name: words(rules.name, { initial: plan?.name ?? '', required: true }),
      description: words(rules.description, { initial: plan?.description ?? '' }),
      priceUsd: amount(rules.priceUsd, { initial: plan?.priceUsd ?? '', required: true }),
      periodDays: whole(rules.periodDays, {
        initial: String(plan?.periodDays ?? 30),
        required: true,
      }),
      status: option<'active' | 'disabled'>(plan?.status ?? 'active'),
      sortOrder: whole(rules.sortOrder, { initial: String(plan?.sortOrder ?? '') }),
      groupIds: several(rules.groupIds, plan?.groups.map(({ id }) => id) ?? [], true),
    };
    this.allowances = {
      '5h': limit('5h'),
      day: limit('day'),
      week: limit('week'),
      month: limit('month'),
    };
    this.group = new FormGroup(
      { ...this.controls, ...this.allowances },
      { validators: () => (this.#given().length === 0 ? { noAllowance: true } : null) },
    );
  }

  #given(): PlanAllowance[] {
    return ALLOWANCE_WINDOWS.flatMap((window) => {
      const limitUsd = amountOrNothing(this.allowances[window]);
      return limitUsd === undefined ? [] : [{ window, limitUsd }];
    });
  }

  body(): PlanCreate {
    const { controls } = this;
    const periodDays = wholeOrNothing(controls.periodDays);
    return {
      name: wordsOf(controls.name),
      description: wordsOf(controls.description),
      priceUsd: amountOf(controls.priceUsd),
      ...(periodDays === undefined ? {} : { periodDays }),
      status: controls.status.value,
      sortOrder: wholeOrNothing(controls.sortOrder) ?? 0,
      groupIds: [...controls.groupIds.value],
      allowances: this.#given(),
    };
  }
}
