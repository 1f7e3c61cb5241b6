import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';

/** The time from which a price is in force; null for now. */
export function readEffectiveFrom(text: string | undefined): Date | Refusal | null {
  if (text === undefined) return null;
  const at = new Date(text);
  if (at.getTime() > databaseNowMs()) return at;
  return refuse(
    'invalid_value',
    'A price cannot begin in the past: requests were billed already. Leave it out to begin now.',
    { param: 'effectiveFrom' },
  );
}
