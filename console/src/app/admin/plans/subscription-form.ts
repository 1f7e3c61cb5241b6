import { FormGroup } from '@angular/forms';
import { SubscriptionAdminUpdate, type SubscriptionView } from '@weir/shared/money/subscriptions';
import { flag, localMoment, moment, momentOrNothing } from '../../core/forms/controls';

/** Prolonging or shortening what someone has. */
export class SubscriptionForm {
  readonly controls;
  readonly group;

  constructor(subscription: SubscriptionView) {
    this.controls = {
      endsAt: moment(SubscriptionAdminUpdate.properties.endsAt, {
        initial: localMoment(subscription.endsAt),
        required: true,
      }),
      renews: flag(subscription.renews),
    };
    this.group = new FormGroup(this.controls);
  }

  /**
   * Only what was touched: the field holds minutes, and the API's time must not lose its seconds.
   */
  body(): SubscriptionAdminUpdate {
    const endsAt = this.controls.endsAt.dirty ? momentOrNothing(this.controls.endsAt) : undefined;
    return {
      renews: this.controls.renews.value,
      ...(endsAt === undefined ? {} : { endsAt }),
    };
  }
}
