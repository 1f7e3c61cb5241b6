/** Seed of the run's samples: `npm test` draws and prints it, `SAMPLE_SEED` repeats it. */
export const SAMPLE_SEED = Number(process.env['SAMPLE_SEED'] ?? 0);

/**
 * Returns one of `every` cells of a matrix's row; `every` 1 returns all. Over as many rows, each
 * column is in the sample.
 */
export function sampleOf<Cell>(cells: readonly Cell[], row: number, every: number): Cell[] {
  return cells.filter((_cell, column) => (SAMPLE_SEED + row + column) % every === 0);
}
