const HEIGHT = 20;
/** An hour with any request is seen. */
const HEIGHT_MIN = 1.5;

interface HourBar {
  /** Height of what was served, and of what failed on top of it. */
  readonly served: number;
  readonly failed: number;
}

/** The bars of some hours, the busiest of which is 20 high. */
export function hourBarsOf(hours: readonly number[], failedHours: readonly number[]): HourBar[] {
  const most = Math.max(1, ...hours);
  return hours.map((count, index) => {
    const whole = count === 0 ? 0 : Math.max(HEIGHT_MIN, (count / most) * HEIGHT);
    const failed = count === 0 ? 0 : (whole * (failedHours[index] ?? 0)) / count;
    return { served: whole - failed, failed };
  });
}
