/** The month `step` months after `2026-01`. */
export function nextMonth(month: string, step: number): string {
  const at = new Date(`${month}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + step);
  return at.toISOString().slice(0, 7);
}
