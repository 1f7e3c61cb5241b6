import { FormRecord, type FormControl } from '@angular/forms';
import type { MeterId } from '@weir/shared/prices/meters';
import { UsdAmount } from '@weir/shared/api/wire-values';
import { amount, amountOrNull } from '../../../core/forms/controls';

/** Fields by the ids of meters. */
export type MeterPricesGroup = FormRecord<FormControl<string>>;

type Prices<Price> = Readonly<Partial<Record<MeterId, Price>>>;

/** A field for the price of each of these meters; empty where there is none. */
export function meterPricesGroup(
  meters: readonly MeterId[],
  present: Prices<string> | undefined,
): MeterPricesGroup {
  const controls = meters.map(
    (meter) => [meter, amount(UsdAmount, { initial: present?.[meter] ?? '' })] as const,
  );
  return new FormRecord(Object.fromEntries(controls));
}

/** All of them, those that are empty too: what is left out of a body stays as it is in force. */
export function meterPricesBody({ controls }: MeterPricesGroup): Prices<string | null> {
  return Object.fromEntries(
    Object.entries(controls).map(([meter, control]) => [meter, amountOrNull(control)]),
  );
}
