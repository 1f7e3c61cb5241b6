const USUAL_DAYS = [1, 7, 30, 90, 365] as const;

/** Returns the times for which content can be kept, up to the operator's. */
export function daysToChoose(daysMax: number): readonly number[] {
  if (daysMax === 0) return [];
  return [...USUAL_DAYS.filter((days) => days < daysMax), daysMax];
}
