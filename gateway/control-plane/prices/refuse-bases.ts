import { BASIS_METER_IDS, METERS, TOKEN_METER_IDS } from '@weir/shared/prices/meters';
import type { Prices } from '@weir/shared/watch/usage-record';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';

const TOKEN_PRICES = [
  ['inputNanoUsd', 'inputUsd'],
  ['cachedInputNanoUsd', 'cachedInputUsd'],
  ['cacheWriteNanoUsd', 'cacheWriteUsd'],
  ['outputNanoUsd', 'outputUsd'],
  ['perCallNanoUsd', 'perCallUsd'],
] as const;

/**
 * Refuses prices in two bases, such as for tokens and for images: a request would be billed twice
 * for the same, or by the one that happens to be zero.
 */
export function refuseTwoBases(prices: Prices): Refusal | undefined {
  const { extra = {} } = prices;
  if (extra.secondsMin !== undefined && extra.second === undefined) {
    return refuse(
      'invalid_value',
      'The fewest seconds of a request are for a model that is priced by the second. Send extra.second, or send extra.secondsMin as null.',
      { param: 'extra.secondsMin' },
    );
  }
  const [basis, other] = BASIS_METER_IDS.filter((id) => extra[id] !== undefined);
  if (basis === undefined) {
    if (extra.variants === undefined) return undefined;
    return refuse(
      'invalid_value',
      'Variants have prices, and nothing has the price of a variant that is not among them. Send it, such as extra.image, or send extra.variants as null.',
      { param: 'extra.variants' },
    );
  }
  const priced =
    other === undefined
      ? (TOKEN_PRICES.find(([name]) => prices[name] > 0)?.[1] ??
        TOKEN_METER_IDS.map((id) => ((extra[id] ?? 0) > 0 ? `extra.${id}` : '')).find(Boolean))
      : `extra.${other}`;
  if (priced === undefined) return undefined;
  const { name } = METERS[basis];
  return refuse(
    'invalid_value',
    `A model is priced in one way: by extra.${basis} (${name}) or by ${priced}. Send the one that its vendor does not charge by as 0, or a price of extra as null.`,
    { param: priced },
  );
}
