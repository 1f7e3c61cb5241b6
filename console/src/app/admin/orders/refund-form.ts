import { FormGroup } from '@angular/forms';
import { RefundCreate, type OrderView } from '@weir/shared/money/orders';
import { decimal, subtract, writeDecimal } from '../../core/format/decimal';
import { amount, amountOrNothing, words, wordsOf } from '../../core/forms/controls';

/** Returns the amount of an order that can still be refunded. */
function refundable({ amountUsd, refundedUsd }: OrderView): string {
  return writeDecimal(subtract(decimal(amountUsd), decimal(refundedUsd)));
}

/** Money back to the card, and out of the balance. */
export class RefundForm {
  readonly controls;
  readonly group;

  constructor(order: OrderView) {
    this.controls = {
      amountUsd: amount(RefundCreate.properties.amountUsd, {
        initial: refundable(order),
        required: true,
      }),
      reason: words(RefundCreate.properties.reason, { required: true }),
    };
    this.group = new FormGroup(this.controls);
  }

  body(): RefundCreate {
    const amountUsd = amountOrNothing(this.controls.amountUsd);
    return {
      reason: wordsOf(this.controls.reason),
      ...(amountUsd === undefined ? {} : { amountUsd }),
    };
  }
}
