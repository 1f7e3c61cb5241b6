import type { PricingModel } from '@weir/shared/prices/prices';
import { talkProtocols } from '../playground/dialects/dialect';
import { add, compare, decimal, type Decimal } from '../core/format/decimal';

/** Returns a comparable price of a model in a group: that of one input and one output token. */
export function priceIn({ prices, groups }: PricingModel, groupId: string | undefined): Decimal {
  const { inputUsd, outputUsd } =
    groups.find((group) => group.groupId === groupId)?.prices ?? prices;
  return add(decimal(inputUsd), decimal(outputUsd));
}

/** A model that costs nothing because it makes nothing up is no model to talk to. */
function generates({ protocols }: PricingModel): boolean {
  return talkProtocols(protocols).length > 0;
}

/**
 * The model that forms begin with: the operator's choice if the key may use it, else the cheapest
 * that can be talked to. No one should pay for the most expensive one because it is listed first.
 */
export function presetModel(
  models: readonly PricingModel[],
  { wanted, groupId }: { readonly wanted: string; readonly groupId: string | undefined },
): PricingModel | undefined {
  const chosen = models.find(({ publicId }) => publicId === wanted);
  if (chosen !== undefined) return chosen;
  const talking = models.filter(generates);
  const possible = talking.length === 0 ? models : talking;
  return possible.toSorted((one, other) =>
    compare(priceIn(one, groupId), priceIn(other, groupId)),
  )[0];
}

/** The models that a key can use: those of its group, less those that it does not list. */
export function usableModels(
  models: readonly PricingModel[],
  {
    groupId,
    modelAllowlist,
  }: { readonly groupId: string; readonly modelAllowlist: readonly string[] },
): PricingModel[] {
  return models.filter(
    ({ publicId, groups }) =>
      groups.some((group) => group.groupId === groupId) &&
      (modelAllowlist.length === 0 || modelAllowlist.includes(publicId)),
  );
}
