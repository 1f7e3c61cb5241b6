import { expect, it } from 'vitest';
import { addTallies, closingLine, tallyOutput } from './tally.ts';

const ESCAPE = '\u001b';

it('reads the counts another vitest printed, colours and all', () => {
  const output = `x\n${ESCAPE}[2m      Tests ${ESCAPE}[22m ${ESCAPE}[1m1 failed${ESCAPE}[22m | 12 passed | 2 skipped | 1 todo (16)\n`;
  expect(tallyOutput(output, 1)).toEqual({ passed: 12, failed: 1, skipped: 3 });
});

it('counts a run that printed no result as failed, whatever its exit code', () => {
  expect(tallyOutput('No test files found', 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

it('counts a run that failed outside its tests as failed', () => {
  expect(tallyOutput(' Tests  3 passed (3)', 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

it('closes with passed and failed, and with skipped only when there are any', () => {
  const one = { passed: 1, failed: 0, skipped: 0 };
  expect(closingLine(one)).toBe('1 passed, 0 failed');
  expect(closingLine(addTallies(one, { passed: 2, failed: 3, skipped: 4 }))).toBe(
    '3 passed, 3 failed, 4 skipped',
  );
});
