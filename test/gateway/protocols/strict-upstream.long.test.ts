import { expect, it } from 'vitest';
import { KNOWN_RECORDED } from './support/strict/known-failures.ts';
import { openStrictMatrix, runAll } from './support/strict/matrix.ts';
import { recordedCells } from './support/strict/recorded.ts';
import { tallyFailures } from './support/strict/tally.ts';

it('what agents and SDKs send is served by every family, or refused by name', async () => {
  const matrix = await openStrictMatrix();
  const cells = recordedCells();
  const faults = await runAll(matrix, cells);
  await matrix.close();
  const { failures, examples } = tallyFailures(cells, faults, KNOWN_RECORDED);
  expect(failures, examples).toEqual(KNOWN_RECORDED);
});
