import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LEVELS } from '../support/sources/rooms.ts';
import { readSource } from '../support/sources/source-files.ts';
import { codeBlocks } from './support/markdown.ts';

/** The names before a row's explanation. */
function namesIn(row: string): string[] {
  const [names = ''] = /^(?:[\w-]+(?:\/|\.ts)\s+)*/.exec(row) ?? [];
  return names
    .trim()
    .split(/\s+/)
    .map((name) => name.replace('/', ''));
}

it('ARCHITECTURE.md draws the levels that lint holds', () => {
  const drawing = codeBlocks(readSource('ARCHITECTURE.md')).find(({ text }) =>
    text.startsWith('main.ts '),
  );
  expect(drawing?.text.trim().split('\n').map(namesIn)).toEqual(LEVELS);
});

it('every folder of the server has a level', () => {
  const entries = readdirSync(new URL('../../gateway/', import.meta.url), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules');
  const named = LEVELS.flat().filter((name) => !name.endsWith('.ts'));
  expect(folders.map(({ name }) => name).toSorted()).toEqual(named.toSorted());
});
