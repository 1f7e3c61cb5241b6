import { hasSecret } from '@weir/shared/redact-secrets';
import { basisMeter, METERS, type MeterId } from '@weir/shared/prices/meters';
import type { AskedUnits } from '../pricing/variants.ts';
import { hasPrice } from '../pricing/compile-prices.ts';
import { refuse, type Refusal } from '../platform/errors/refusal.ts';
import type { Catalog, NoOffer, Offer, OfferedTo } from './catalog.ts';

const PRICE_LIST = 'The IDs are on the console’s model and price list and at GET /v1/models.';

/** Refuses a request that may be charged for what the model has no price for. */
export function refuseUnpriced(
  {
    model,
    meters,
    units,
  }: {
    readonly model: string;
    readonly meters: readonly MeterId[];
    readonly units?: AskedUnits | undefined;
  },
  { prices }: Offer,
): Refusal | undefined {
  const basis = basisMeter(prices.listed.extra);
  if (basis !== undefined && basis !== units?.meter) {
    // Nothing of such a request has a price: it would be free.
    return refuse(
      'unsupported_endpoint',
      `The model "${model}" is priced by ${METERS[basis].name}, which this path does not produce. Use the path that does, or another model.`,
      { param: 'model' },
    );
  }
  const meter = meters.find((id) => !hasPrice(prices, id));
  if (meter === undefined) return undefined;
  return refuse(
    'invalid_value',
    `The price list has no price of "${model}" for ${METERS[meter].name}, which this request may be charged for. Leave that out, or ask the operator to set the price.`,
  );
}

/** A key's group, and the models that its own list leaves of it. */
interface ModelUser extends OfferedTo {
  allowsModel(publicId: string): boolean;
}

/** Returns the offer of a model to a key, or why the key cannot use it. */
export function usableOffer(catalog: Catalog, to: ModelUser, publicId: string): Offer | Refusal {
  const offer = catalog.offer(to, publicId);
  const isUsable = !('missing' in offer) && offer.group.active && to.allowsModel(publicId);
  return isUsable ? offer : refuseModel(publicId, offer);
}

const KEY_AS_MODEL = `The value of "model" looks like an API key: it is in the wrong setting of the client. Put the key into the API key setting, and a model ID into this one. ${PRICE_LIST} Consider that key exposed, and replace it.`;

/** Returns the refusal of a model, with what to do: another ID, another key, or ask for a group. */
export function refuseModel(model: string, offer: Offer | NoOffer): Refusal {
  const param = { param: 'model' };
  if ('missing' in offer && hasSecret(model)) return refuse('model_not_found', KEY_AS_MODEL, param);
  if (!('missing' in offer)) {
    return offer.group.active
      ? refuse(
          'model_not_allowed',
          `This API key is limited to certain models and "${model}" is not one of them. Use another model or change the key’s list on the console’s API Keys page.`,
          param,
        )
      : refuse(
          'group_disabled',
          `The model group "${offer.group.name}" of this API key is disabled. Create a key in another group.`,
        );
  }
  if (offer.missing === 'permission') {
    return refuse(
      'model_not_allowed',
      `This API key belongs to a model group that does not include "${model}". Create a key in a group that does; groups and their models are on the console’s price list.`,
      param,
    );
  }
  const { similar } = offer;
  return similar === null
    ? refuse('model_not_found', `The model "${model}" does not exist. ${PRICE_LIST}`, param)
    : refuse(
        'model_not_found',
        `The model "${model}" does not exist. Did you mean "${similar}"? IDs must match exactly.`,
        param,
      );
}
