import { signal } from '@angular/core';
import { FormGroup } from '@angular/forms';
import { PricesBulkChange } from '@weir/shared/api/bulk-changes';
import { PriceCreate } from '@weir/shared/prices/prices';
import {
  amount,
  amountOf,
  amountOrNothing,
  moment,
  momentOrNothing,
  option,
} from '../../../core/forms/controls';

const rules = PricesBulkChange.properties;

export const PRICE_CHANGES = ['percent', 'factor', 'set'] as const;
export type PriceChangeKind = (typeof PRICE_CHANGES)[number];
export const ROUNDINGS = ['nearest', 'up', 'down'] as const;

/** The change of several prices: a share more or less, a factor, or one price for all. */
export class BulkPriceForm {
  readonly #kind = signal<PriceChangeKind>('percent');
  readonly kind = this.#kind.asReadonly();
  readonly controls = {
    kind: option<PriceChangeKind>('percent'),
    percent: amount(rules.percent, { required: true }),
    factor: amount(rules.factor, { required: true }),
    inputUsd: amount(PriceCreate.properties.inputUsd, { required: true }),
    outputUsd: amount(PriceCreate.properties.outputUsd, { required: true }),
    stepUsd: amount(PriceCreate.properties.inputUsd),
    mode: option<(typeof ROUNDINGS)[number]>('nearest'),
    effectiveFrom: moment(rules.effectiveFrom),
  };
  readonly group = new FormGroup(this.controls);

  constructor() {
    this.#ask('percent');
    this.controls.kind.valueChanges.subscribe((kind) => this.#ask(kind));
  }

  /** Fields that are not asked for keep nothing from being sent. */
  #ask(kind: PriceChangeKind): void {
    this.#kind.set(kind);
    const { percent, factor, inputUsd, outputUsd, stepUsd, mode } = this.controls;
    const asked = {
      percent: [percent, stepUsd, mode],
      factor: [factor, stepUsd, mode],
      set: [inputUsd, outputUsd],
    }[kind];
    for (const control of [percent, factor, inputUsd, outputUsd, stepUsd, mode]) {
      if (asked.includes(control)) control.enable({ emitEvent: false });
      else control.disable({ emitEvent: false });
    }
  }

  body(): Pick<PricesBulkChange, 'set' | 'factor' | 'percent' | 'rounding' | 'effectiveFrom'> {
    const { percent, factor, inputUsd, outputUsd, stepUsd, mode } = this.controls;
    const effectiveFrom = momentOrNothing(this.controls.effectiveFrom);
    const dated = effectiveFrom === undefined ? {} : { effectiveFrom };
    if (this.kind() === 'set') {
      return { set: { inputUsd: amountOf(inputUsd), outputUsd: amountOf(outputUsd) }, ...dated };
    }
    const step = amountOrNothing(stepUsd);
    const rounding = step === undefined ? {} : { rounding: { stepUsd: step, mode: mode.value } };
    const change =
      this.kind() === 'percent' ? { percent: amountOf(percent) } : { factor: amountOf(factor) };
    return { ...change, ...rounding, ...dated };
  }
}
