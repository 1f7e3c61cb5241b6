import { afterAll, beforeAll, expect, it } from 'vitest';
import { allCells, type Cell } from './support/strict/cell.ts';
import { KNOWN, KNOWN_OVER_HTTP, KNOWN_RECORDED } from './support/strict/known-failures.ts';
import { openStrictMatrix, runAll, type StrictMatrix } from './support/strict/matrix.ts';
import { recordedCells } from './support/strict/recorded.ts';
import { tallyFailures, type Failures } from './support/strict/tally.ts';

let matrix: StrictMatrix;
beforeAll(async () => {
  matrix = await openStrictMatrix();
});
afterAll(() => matrix.close());

async function expectFailures(cells: readonly Cell[], known: Failures): Promise<void> {
  const faults = await runAll(matrix, cells);
  const { failures, examples } = tallyFailures(cells, faults, known);
  const served = cells.length - faults.filter((fault) => fault !== undefined).length;
  process.stdout.write(`${String(served)} of ${String(cells.length)} requests are served\n`);
  expect(failures, examples).toEqual(known);
}

it('every case of every client is served by every family, or refused by name', async () => {
  await expectFailures(allCells(), { ...KNOWN, ...KNOWN_OVER_HTTP });
});

it('what agents and SDKs send is served by every family, or refused by name', async () => {
  await expectFailures(recordedCells(), KNOWN_RECORDED);
});
