import { globSync } from 'node:fs';

/** As many runs of `npm test`, with seeds that follow each other, run every slow file once. */
const TURNS = 3;

/** The slow files that a run with this seed leaves out: it has every third one by name. */
export function slowFilesLeftOut(sampleSeed: number): readonly string[] {
  const files = globSync('test/**/*.slow.test.ts').sort();
  return files.filter((_file, place) => place % TURNS !== sampleSeed % TURNS);
}
