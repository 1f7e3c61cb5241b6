import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { listProfiles, type ListedRules } from '../../gateway/providers/profiles/profile-of.ts';
import { readSource } from '../support/sources/source-files.ts';

function table(first: string, rules: readonly ListedRules[]): string {
  const rows = rules.map(
    ({ id, label, source, checkedOn }) =>
      `| \`${id}\` | ${label} | ${source.replaceAll('|', '\\|')} | ${checkedOn} |`,
  );
  return [`| ${first} | Label | Sources | Checked |`, '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

/** The part of the page between two comments. */
function partOf(page: string, name: string): string {
  return page.split(`<!-- ${name} -->`)[1]?.trim() ?? '';
}

describe('docs/targets.md', () => {
  const page = readSource('docs/targets.md');
  const { vendors, families } = listProfiles();

  it.each([
    ['vendors', table('Vendor', vendors)],
    ['families', table('Family', families)],
  ])('has all %s with their sources', async (name, expected) => {
    const written = await format(expected, { parser: 'markdown', printWidth: 100 });
    expect(partOf(page, name)).toBe(written.trim());
  });
});
