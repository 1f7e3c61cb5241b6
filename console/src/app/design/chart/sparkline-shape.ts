const WIDTH = 120;
const HEIGHT = 32;
/** Room for the line's own width at the top and the bottom. */
const MARGIN = 2;

interface SparklineShape {
  /** The line; it is broken where nothing was measured. */
  readonly line: string;
  /** The ground under it. */
  readonly area: string;
}

/** The paths of some figures, oldest first, on a field of 120 by 32. */
export function sparklineShape(points: readonly (number | null)[]): SparklineShape {
  const known = points.filter((point) => point !== null);
  const [low, high] = [Math.min(0, ...known), Math.max(0, ...known)];
  const span = high - low || 1;
  const step = WIDTH / Math.max(1, points.length - 1);
  const x = (index: number) => (index * step).toFixed(1);
  const y = (value: number) =>
    (HEIGHT - MARGIN - ((value - low) / span) * (HEIGHT - 2 * MARGIN)).toFixed(1);
  let line = '';
  let area = '';
  let begun: number | undefined;
  points.forEach((point, index) => {
    if (point === null) {
      begun = undefined;
      return;
    }
    const at = `${x(index)} ${y(point)}`;
    line += begun === undefined ? `M${at}` : `L${at}`;
    // A figure without neighbours is a dot: round ends draw a line of no length.
    if (begun === undefined && (points[index + 1] ?? null) === null) line += `L${at}`;
    if (begun !== undefined) {
      const before = points[index - 1] ?? 0;
      area += `M${x(index - 1)} ${y(low)}L${x(index - 1)} ${y(before)}L${at}L${x(index)} ${y(low)}Z`;
    }
    begun ??= index;
  });
  return { line, area };
}
