import { FormGroup } from '@angular/forms';
import type { ModelView } from '@weir/shared/models';
import { PriceCreate } from '@weir/shared/prices';
import {
  amount,
  amountOf,
  amountOrNothing,
  moment,
  momentOrNothing,
} from '../../core/forms/controls';

const rules = PriceCreate.properties;

/** A price from now or from a future time on. Past records keep what they were billed at. */
export class PriceForm {
  readonly controls;
  readonly group;

  constructor(present: ModelView['price']) {
    this.controls = {
      inputUsd: amount(rules.inputUsd, { initial: present?.inputUsd ?? '', required: true }),
      outputUsd: amount(rules.outputUsd, { initial: present?.outputUsd ?? '', required: true }),
      cachedInputUsd: amount(rules.cachedInputUsd, { initial: present?.cachedInputUsd ?? '' }),
      cacheWriteUsd: amount(rules.cacheWriteUsd, { initial: present?.cacheWriteUsd ?? '' }),
      perCallUsd: amount(rules.perCallUsd, { initial: present?.perCallUsd ?? '' }),
      effectiveFrom: moment(rules.effectiveFrom),
    };
    this.group = new FormGroup(this.controls);
  }

  body(): PriceCreate {
    const { controls } = this;
    const given = {
      cachedInputUsd: amountOrNothing(controls.cachedInputUsd),
      cacheWriteUsd: amountOrNothing(controls.cacheWriteUsd),
      perCallUsd: amountOrNothing(controls.perCallUsd),
      effectiveFrom: momentOrNothing(controls.effectiveFrom),
    };
    const { cachedInputUsd, cacheWriteUsd, perCallUsd, effectiveFrom } = given;
    return {
      inputUsd: amountOf(controls.inputUsd),
      outputUsd: amountOf(controls.outputUsd),
      ...(cachedInputUsd === undefined ? {} : { cachedInputUsd }),
      ...(cacheWriteUsd === undefined ? {} : { cacheWriteUsd }),
      ...(perCallUsd === undefined ? {} : { perCallUsd }),
      ...(effectiveFrom === undefined ? {} : { effectiveFrom }),
    };
  }
}
