import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SESSION_SETTINGS } from '../../../../gateway/stores/postgres/session-settings.ts';

const OPERATIONS = new URL('../../../../docs/operations.md', import.meta.url);

it('operations.md has each setting of a session that Weir makes, and no other', () => {
  const text = readFileSync(OPERATIONS, 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` +\| .* \| .* \|$/gm)].map(([, name]) => name);
  const made = SESSION_SETTINGS.filter(({ value }) => value !== null).map(({ name }) => name);
  expect(new Set(rows.filter((name) => made.some((one) => one === name)))).toEqual(new Set(made));
  for (const { name, value } of SESSION_SETTINGS)
    if (value === null) expect(text).toContain(`\`${name}\``);
});

it('what Weir sets is among what it accepts', () => {
  for (const { value, accepts } of SESSION_SETTINGS)
    if (value !== null) expect(value).toMatch(accepts);
});
