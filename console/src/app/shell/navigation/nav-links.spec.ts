import type { UserRole } from '@weir/shared/people/users';
import { describe, expect, test } from 'vitest';
import { leadsTo, menuOf, worldOf, type World } from './nav-links';

function menuFor(world: World, role: UserRole) {
  return menuOf(world, { role, memberRole: 'owner', tokenRole: null });
}

function linksOf(world: World) {
  return menuFor(world, 'admin').flatMap(({ links }) => links);
}

describe('The menus', () => {
  test('are those of the page that is shown', () => {
    expect(worldOf('/admin')).toBe('operator');
    expect(worldOf('/admin/models?search=a')).toBe('operator');
    expect(worldOf('/models')).toBe('customer');
    expect(worldOf('/administration')).toBe('customer');
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
