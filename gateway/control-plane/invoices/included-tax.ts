const PPM = 1_000_000n;

/**
 * The tax that an amount includes, in whole cents, half a cent rounded up.
 * @param ratePpm the rate in parts per million of the amount without tax: 190,000 is 19 %
 */
export function includedTaxCents(grossCents: number, ratePpm: number): number {
  const part = BigInt(grossCents) * BigInt(ratePpm);
  const whole = PPM + BigInt(ratePpm);
  return Number((2n * part + whole) / (2n * whole));
}
