import type { BasisMeterId } from '../meters.ts';
import type { RateReader } from './assemble-prices.ts';
import type { ListedPer } from './exact-price.ts';
import { isCharge, type JsonRecord } from './json-record.ts';

/** The meter by which models of one mode are priced where not by tokens. */
interface Basis {
  readonly meter: BasisMeterId;
  /** Fields of LiteLLM's list, of which the first that charges anything is the price. */
  readonly fields: readonly string[];
  readonly per: ListedPer;
}

/**
 * By the mode of a model. Several have a field for input and one for output, of which one is 0: a
 * reader that takes the other sells the model for nothing.
 */
const BASES: Readonly<Record<string, Basis>> = {
  image_generation: {
    meter: 'image',
    fields: ['output_cost_per_image', 'input_cost_per_image'],
    per: 'call',
  },
  image_edit: {
    meter: 'image',
    fields: ['output_cost_per_image', 'input_cost_per_image'],
    per: 'call',
  },
  audio_transcription: {
    meter: 'second',
    fields: ['input_cost_per_second', 'output_cost_per_second'],
    per: 'call',
  },
  audio_speech: { meter: 'character', fields: ['input_cost_per_character'], per: 'token' },
  rerank: { meter: 'searchUnit', fields: ['input_cost_per_query'], per: 'thousandth' },
};

/** The modes of models that may be priced by something else than tokens. */
export const BASIS_MODES: readonly string[] = Object.keys(BASES);

/** The price of a basis meter. */
export interface BasisPrice {
  readonly meter: BasisMeterId;
  readonly usd: string;
}

/**
 * Returns the price that a model has in place of token prices; undefined where it is priced by
 * tokens, or by nothing that Weir counts.
 * @param hasTokenPrice a second basis is left out: a request would be billed twice for the same
 */
export function readBasis(
  entry: JsonRecord,
  { mode, hasTokenPrice }: { readonly mode: string; readonly hasTokenPrice: boolean },
  reader: RateReader,
): BasisPrice | undefined {
  const basis = BASES[mode];
  const field = basis?.fields.find((name) => isCharge(entry[name]));
  if (basis === undefined || field === undefined) return undefined;
  if (hasTokenPrice) {
    reader.note(field, 'one_of_several');
    return undefined;
  }
  const usd = reader.read(entry[field], basis.per, field);
  return usd === undefined ? undefined : { meter: basis.meter, usd };
}

/** Reports whether a field is the price of the mode's basis, or its other direction. */
export function isBasisField(mode: string, field: string): boolean {
  return BASES[mode]?.fields.includes(field) === true;
}
