import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const SECTION = '### What others get wrong, and the test that shows Weir does not';
const REFERENCE = /\]\(([^)]+\.test\.ts)\): “([^”]+)”/g;

/** The rows of the table in ARCHITECTURE.md: what goes wrong elsewhere, and which tests it names. */
function readRows(): { bug: string; tests: { file: string; name: string }[] }[] {
  const page = readFileSync(new URL('ARCHITECTURE.md', ROOT), 'utf8');
  const from = page.indexOf(SECTION);
  expect(from).toBeGreaterThan(0);
  const section = page.slice(from + SECTION.length).split(/\n##+ /)[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => ({
      bug: line.split('|')[1]?.trim() ?? '',
      tests: [...line.matchAll(REFERENCE)].map(([, file = '', name = '']) => ({ file, name })),
    }));
}

describe('every bug that others have had with money', () => {
  const rows = readRows();

  it('is listed', () => {
    expect(rows.length).toBeGreaterThanOrEqual(25);
  });

  it.each(rows)('has a test that is there: $bug', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const { file, name } of tests) {
      expect(readFileSync(new URL(file, ROOT), 'utf8')).toContain(`'${name}'`);
    }
  });
});
