import type { UserRole } from '@weir/shared/people/users';
import { describe, expect, test } from 'vitest';
import { leadsTo, menuOf, worldOf, type World } from './nav-links';

const OPERATOR = { role: 'admin', memberRole: 'owner', tokenRole: null } as const;
const CUSTOMER = { ...OPERATOR, role: 'user' } as const;

function menuFor(world: World, role: UserRole) {
  return menuOf(world, { role, memberRole: 'owner', tokenRole: null });
}

function linksOf(world: World) {
  return menuFor(world, 'admin').flatMap(({ links }) => links);
}

describe('The menus', () => {
  test('are those of the page that is shown', () => {
    expect(worldOf('/admin', OPERATOR)).toBe('operator');
    expect(worldOf('/admin/models?search=a', OPERATOR)).toBe('operator');
    expect(worldOf('/models', OPERATOR)).toBe('customer');
    expect(worldOf('/administration', OPERATOR)).toBe('customer');
  });

  test('stay those of operators on the page of a request, which has one address for all', () => {
    const url = '/requests/01983c2e-0000-7000-8000-000000000001?from=palette';
    expect(worldOf(url, OPERATOR)).toBe('operator');
    expect(worldOf(url, CUSTOMER)).toBe('customer');
    expect(worldOf(url, undefined)).toBe('customer');
    expect(worldOf('/requests', OPERATOR)).toBe('customer');
    const lit = linksOf('operator').filter((link) => leadsTo(link, url));
    expect(lit.map(({ path }) => path)).toEqual(['/admin/requests']);
  });

  test('have no group without an entry, and none of operators for a user', () => {
    expect(menuFor('operator', 'user')).toEqual([]);
    const support = menuFor('operator', 'support').map(({ heading }) => heading);
    expect(support).not.toContain('shell.catalog');
  });

  test.each(['customer', 'operator'] as const)('of a %s have a letter for each page', (world) => {
    const letters = linksOf(world).flatMap(({ letter }) => letter ?? []);
    expect(new Set(letters).size).toBe(letters.length);
    for (const letter of letters) expect(letter).toMatch(/^[a-z]$/);
    expect(letters.length).toBeGreaterThanOrEqual(linksOf(world).length - 1);
  });

  test.each(['customer', 'operator'] as const)('of a %s light one entry for each page', (world) => {
    const links = linksOf(world);
    for (const { path, parts = [] } of links) {
      for (const page of [path, ...parts.map((part) => part.path)]) {
        for (const url of [page, `${page}/below`, `${page}?a=b`]) {
          const lit = links.filter((link) => leadsTo(link, url)).map((link) => link.path);
          expect(lit, url).toEqual([path]);
        }
      }
    }
  });
});
