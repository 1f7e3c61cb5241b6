import { expect, it } from 'vitest';
import { allCells } from './support/strict/cell.ts';
import { encodeFault } from './support/strict/encode.ts';
import { KNOWN, KNOWN_RECORDED, UNSERVED } from './support/strict/known-failures.ts';
import { openStrictMatrix, runAll } from './support/strict/matrix.ts';
import { isServed } from './support/strict/strict-gateway.ts';
import { recordedCells } from './support/strict/recorded.ts';
import { tallyFailures } from './support/strict/tally.ts';

it('what every client sends is accepted by every vendor and family, or refused by name', () => {
  const cells = allCells();
  const { failures, examples } = tallyFailures(cells, cells.map(encodeFault), KNOWN);
  expect(failures, examples).toEqual(KNOWN);
});

it('what agents and SDKs send is accepted by every family, or refused by name', () => {
  const cells = recordedCells();
  const { failures, examples } = tallyFailures(cells, cells.map(encodeFault), KNOWN_RECORDED);
  expect(failures, examples).toEqual(KNOWN_RECORDED);
});

it('every client gets a reply of every vendor, and the names of its own tools', async () => {
  const families = new Map(
    allCells()
      .map(({ row }) => [row.vendor, row] as const)
      .reverse(),
  );
  const accepted = allCells().filter(
    (cell) =>
      (cell.calls !== undefined || cell.name === 'plain') &&
      isServed(cell.row) &&
      families.get(cell.row.vendor) === cell.row &&
      encodeFault(cell) === undefined,
  );
  const matrix = await openStrictMatrix();
  const faults = await runAll(matrix, accepted);
  await matrix.close();
  const { failures, examples } = tallyFailures(accepted, faults, {});
  expect(failures, examples).toEqual({});
});

it('what no profile can know is learned, and its requests are served', async () => {
  const refused = [...allCells(), ...recordedCells()].filter(
    (cell) => isServed(cell.row) && encodeFault(cell) !== undefined,
  );
  expect(refused.length).toBeGreaterThan(0);
  const matrix = await openStrictMatrix();
  const faults = await runAll(matrix, refused);
  await matrix.close();
  const { failures, examples } = tallyFailures(refused, faults, UNSERVED);
  expect(failures, examples).toEqual(UNSERVED);
});
