import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import { describe, expect, it } from 'vitest';
import { SCENARIOS } from '../../bench/scenarios/all.ts';
import { SETTINGS } from '../../gateway/platform/config/settings.ts';
import {
  lineCount,
  readSource,
  sourceFiles,
  sourcePaths,
} from '../support/sources/source-files.ts';
import { anchors, relativeLinks, tableRows } from './support/markdown.ts';

const documents = sourceFiles(['.md']);

function exists(path: string): boolean {
  return existsSync(new URL(`../../${path}`, import.meta.url));
}

describe('documents', () => {
  it('list every error code with its status and title, and no other', () => {
    const rows = [
      ...readSource('docs/errors.md').matchAll(/^\| *(\d{3}) *\| *`([a-z_]+)` *\| *(.*?) *\|$/gm),
    ].map(([, status, code = '', title]) => [code, { status: Number(status), title }]);
    const catalogue = Object.entries(ERROR_CATALOGUE).map(([code, { status, title }]) => [
      code,
      { status, title },
    ]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(catalogue));
  });

  it('list every configuration variable with its meaning, and no other', () => {
    const table = readSource('docs/configuration.md');
    const rows = [...table.matchAll(/^\| *`([A-Z][A-Z0-9_]+)` *\|.*\| *(.*?) *\|$/gm)].map(
      ([, name = '', meaning]) => [name, meaning],
    );
    const settings = Object.entries(SETTINGS).map(([name, { meaning }]) => [name, meaning]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(settings));
  });

  it('send a reader only to files and headings that exist', () => {
    const dead = documents.flatMap(({ path, text }) =>
      relativeLinks(text)
        .filter((link) => {
          const [file = '', anchor] = link.split('#');
          const target = file === '' ? path : posix.join(posix.dirname(path), file);
          if (!exists(target)) return true;
          return anchor !== undefined && !anchors(readSource(target)).has(anchor);
        })
        .map((link) => `${path}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it('name only files that exist', () => {
    const missing = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:gateway|shared|console|bench|test|docs)\/[\w./-]+)`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !exists(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('name only commands that exist', () => {
    const { scripts } = JSON.parse(readSource('package.json')) as { scripts: object };
    const unknown = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run ([\w:-]+)(?! \S+ -w)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !(name in scripts))
        .map((name) => `${path}: npm run ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('name only scenarios that the bench has', () => {
    const known = ['list', ...SCENARIOS.map(({ name }) => name)];
    const named = documents.flatMap(({ text }) =>
      [...text.matchAll(/--scenario ([\w,-]+)/g)].flatMap(([, names = '']) => names.split(',')),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('are short enough to be read', () => {
    expect(lineCount(readSource('README.md'))).toBeLessThanOrEqual(160);
    expect(lineCount(readSource('ARCHITECTURE.md'))).toBeLessThanOrEqual(250);
  });

  it('show every picture that is kept for them', () => {
    const shown = new Set(
      documents.flatMap(({ path, text }) =>
        relativeLinks(text).map((link) => posix.join(posix.dirname(path), link)),
      ),
    );
    const pictures = sourcePaths().filter((path) => /^docs\/.*\.png$/.test(path));
    expect(pictures.filter((path) => !shown.has(path))).toEqual([]);
  });

  it('list every decision under its title, in order', () => {
    const listed = tableRows(readSource('docs/decisions/README.md')).map(([link]) => link);
    const decisions = sourcePaths().filter((path) => /^docs\/decisions\/\d{4}-/.test(path));
    const expected = decisions.map((path) => {
      const [, title = ''] = /^# (.+)$/m.exec(readSource(path)) ?? [];
      const name = posix.basename(path);
      return `[${name.slice(0, 4)} ${title}](${name})`;
    });
    expect(listed).toEqual(expected);
  });
});

describe('the version', () => {
  const { version } = JSON.parse(readSource('package.json')) as { version: string };

  it('is that of the newest section of the changelog', () => {
    const [, newest] = /^## (\d+\.\d+\.\d+)/m.exec(readSource('CHANGELOG.md')) ?? [];
    expect(version).toBe(newest);
  });

  it('is in one package.json alone', () => {
    const others = sourcePaths()
      .filter((path) => path.endsWith('/package.json'))
      .filter((path) => 'version' in (JSON.parse(readSource(path)) as object));
    expect(others).toEqual([]);
  });
});
