import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./terminal-process.ts', import.meta.url));
const COMMAND = `'${process.execPath}' --disable-warning=ExperimentalWarning '${PROGRAM}'`;

it('formats the lines of all threads at a terminal, and loads what formats them once', () => {
  const shown = execFileSync('script', ['-qec', COMMAND, '/dev/null'], { encoding: 'utf8' });
  expect(shown).toMatch(/INFO.*line of main[\s\S]*loaded.*true/);
  expect(shown).toMatch(/INFO.*line of http[\s\S]*loaded.*false/);
});

it('writes JSON elsewhere, and loads nothing that formats', () => {
  const printed = execFileSync('sh', ['-c', `${COMMAND} | cat`], { encoding: 'utf8' });
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(lines).toEqual([
    expect.objectContaining({ thread: 'main', loaded: false }),
    expect.objectContaining({ thread: 'http', loaded: false }),
  ]);
});
