import { FormGroup, type AbstractControl, type ValidationErrors } from '@angular/forms';
import { RedemptionBatchCreate, type REDEMPTION_KINDS } from '@weir/shared/redemption-codes';
import { InvitationCodeCreate } from '@weir/shared/registrations';
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

/** The server wants an amount for money and a plan for plans; the schema alone cannot say which. */
function wantsWhatItsKindNeeds(group: AbstractControl): ValidationErrors | null {
  const kind: unknown = group.get('kind')?.value;
  const needed = group.get(kind === 'plan' ? 'planId' : 'amountUsd');
  const spare = group.get(kind === 'plan' ? 'amountUsd' : 'planId');
  if (spare?.hasError('required') === true) spare.setErrors(null);
  if (needed?.value !== '') return null;
  needed.setErrors({ required: true });
  return { incomplete: true };
}

/** A batch of single-use codes. */
export class BatchForm {
  readonly controls = {
    name: words(RedemptionBatchCreate.properties.name, { required: true }),
    count: whole(RedemptionBatchCreate.properties.count, { initial: '10', required: true }),
    kind: option<(typeof REDEMPTION_KINDS)[number]>('balance'),
    amountUsd: amount(RedemptionBatchCreate.properties.amountUsd),
    planId: chosen(RedemptionBatchCreate.properties.planId),
    expiresAt: moment(RedemptionBatchCreate.properties.expiresAt),
  };
  readonly group = new FormGroup(this.controls, { validators: [wantsWhatItsKindNeeds] });

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
