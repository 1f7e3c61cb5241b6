import { FormGroup } from '@angular/forms';
import { RedemptionBatchCreate, type REDEMPTION_KINDS } from '@weir/shared/money/redemption-codes';
import { InvitationCodeCreate } from '@weir/shared/people/registrations';
import {
  amount,
  amountOrNothing,
  chosen,
  moment,
  momentOrNull,
  option,
  whole,
  wholeOf,
  words,
  wordsOf,
} from '../../core/forms/controls';

type Kind = (typeof REDEMPTION_KINDS)[number];

/**
 * A batch of single-use codes. The server wants an amount for money and a plan for plans; the
 * schema alone cannot say which. The field of the other kind is not shown, so that nothing wrong in
 * it may keep the form from being sent.
 */
export class BatchForm {
  readonly controls = {
    name: words(RedemptionBatchCreate.properties.name, { required: true }),
    count: whole(RedemptionBatchCreate.properties.count, { initial: '10', required: true }),
    kind: option<Kind>('balance'),
    amountUsd: amount(RedemptionBatchCreate.properties.amountUsd, { required: true }),
    planId: chosen(RedemptionBatchCreate.properties.planId, { required: true }),
    expiresAt: moment(RedemptionBatchCreate.properties.expiresAt),
  };
  readonly group = new FormGroup(this.controls);

  constructor() {
    const { kind } = this.controls;
    this.#askFor(kind.value);
    kind.valueChanges.subscribe((chosenKind) => this.#askFor(chosenKind));
  }

  #askFor(kind: Kind): void {
    const { amountUsd, planId } = this.controls;
    const [asked, spare] = kind === 'plan' ? [planId, amountUsd] : [amountUsd, planId];
    asked.enable();
    spare.disable();
  }

  body(): RedemptionBatchCreate {
    const { controls } = this;
    const amountUsd = amountOrNothing(controls.amountUsd);
    const kind = controls.kind.value;
    return {
      name: wordsOf(controls.name),
      count: wholeOf(controls.count),
      kind,
      ...(kind === 'balance' && amountUsd !== undefined ? { amountUsd } : {}),
      ...(kind === 'plan' ? { planId: controls.planId.value } : {}),
      expiresAt: momentOrNull(controls.expiresAt),
    };
  }
}

/** An invitation to register. */
export class InvitationForm {
  readonly controls = {
    usesMax: whole(InvitationCodeCreate.properties.usesMax, { initial: '1', required: true }),
    expiresAt: moment(InvitationCodeCreate.properties.expiresAt),
    note: words(InvitationCodeCreate.properties.note),
  };
  readonly group = new FormGroup(this.controls);

  body(): InvitationCodeCreate {
    return {
      usesMax: wholeOf(this.controls.usesMax),
      expiresAt: momentOrNull(this.controls.expiresAt),
      note: wordsOf(this.controls.note),
    };
  }
}
