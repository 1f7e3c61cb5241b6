import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';

/** A part of time as lists are asked for it: `from` belongs to it, `to` does not. */
export interface Period {
  readonly from?: string;
  readonly to?: string;
}

/**
 * A period that ends before it begins has nothing in it: an empty list would look as if nothing had
 * happened.
 */
export function refuseBackwards({ from, to }: Period): Refusal | undefined {
  if (from === undefined || to === undefined || Date.parse(from) <= Date.parse(to))
    return undefined;
  return refuse(
    'invalid_value',
    `The period ends (${to}) before it begins (${from}). Exchange “from” and “to”.`,
    { param: 'from' },
  );
}
