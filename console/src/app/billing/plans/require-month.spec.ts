import { UrlSegment } from '@angular/router';
import { expect, test } from 'vitest';
import { requireMonth } from './require-month';

function opens(...path: string[]): unknown {
  const segments = path.map((word) => new UrlSegment(word, {}));
  return (requireMonth as (route: object, segments: UrlSegment[]) => unknown)({}, segments);
}

test('A statement is of a month; anything else is no page', () => {
  expect(opens('statements', '2026-01')).toBe(true);
  expect(opens('accounts', '1', 'statements', '2026-12')).toBe(true);
  for (const word of ['2026-13', '2026-1', 'foo', '2026-01-01']) {
    expect(opens('statements', word), word).toBe(false);
  }
});
