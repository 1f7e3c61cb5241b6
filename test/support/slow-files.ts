import { globSync } from 'node:fs';

/** As many runs of `npm test`, with seeds that follow each other, run every slow file once. */
const TURNS = 7;
/** The run's turn; not set in runs that leave no slow file out. */
const TURN = 'SLOW_FILES_TURN';

/** Slow files take turns in this process's run. */
export function takeTurns(sampleSeed: number): void {
  process.env[TURN] = String(sampleSeed % TURNS);
}

/** The slow files whose turn it is not: a run has every seventh one by name. */
export function slowFilesLeftOut(): readonly string[] {
  const turn = process.env[TURN];
  if (turn === undefined) return [];
  const files = globSync('test/**/*.slow.test.ts').sort();
  return files.filter((_file, place) => place % TURNS !== Number(turn));
}
