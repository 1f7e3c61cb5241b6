import { FormGroup } from '@angular/forms';
import { BudgetUpdate, type Budgets } from '@weir/shared/money/budgets';
import { amount, amountOrNull } from '../../core/forms/controls';

const rules = BudgetUpdate.properties;

/** The three budgets of an account, team or member. An empty field is no limit. */
export class BudgetForm {
  readonly controls;
  readonly group;

  constructor(budgets?: Budgets) {
    this.controls = {
      dayUsd: amount(rules.dayUsd, { initial: budgets?.dayUsd ?? '' }),
      monthUsd: amount(rules.monthUsd, { initial: budgets?.monthUsd ?? '' }),
      totalUsd: amount(rules.totalUsd, { initial: budgets?.totalUsd ?? '' }),
    };
    this.group = new FormGroup(this.controls);
  }

  body(): Budgets {
    const { dayUsd, monthUsd, totalUsd } = this.controls;
    return {
      dayUsd: amountOrNull(dayUsd),
      monthUsd: amountOrNull(monthUsd),
      totalUsd: amountOrNull(totalUsd),
    };
  }
}
