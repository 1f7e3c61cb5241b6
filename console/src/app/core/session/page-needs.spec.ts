import { describe, expect, test } from 'vitest';
import { menuOf } from '../../shell/nav-links';
import { mayOpen } from './page-needs';

const linksOf = (role: 'user' | 'support' | 'admin'): string[] =>
  menuOf('operator', role).flatMap(({ links }) => links.map(({ path }) => path));

describe('Pages of an administrator', () => {
  test('are all there for them', () => {
    expect(linksOf('admin')).toContain('/admin/settings');
    expect(linksOf('admin')).toHaveLength(15);
  });

  test('are there for supporters as far as they may read what is shown', () => {
    expect(linksOf('support')).toEqual([
      '/admin/overview',
      '/admin/operations',
      '/admin/requests',
      '/admin/accounts',
      '/admin/orders',
      '/admin/audit',
    ]);
    expect(mayOpen('support', '/admin/usage')).toBe(true);
    expect(mayOpen('support', '/admin')).toBe(true);
    expect(mayOpen('support', '/admin/accounts/keys')).toBe(true);
    expect(mayOpen('support', '/admin/settings')).toBe(false);
    expect(mayOpen('support', '/admin/constructor')).toBe(false);
  });

  test('are not there for a user, or for nobody', () => {
    expect(linksOf('user')).toEqual([]);
    expect(mayOpen('user', '/admin')).toBe(false);
    expect(mayOpen(undefined, '/admin/overview')).toBe(false);
    expect(mayOpen('user', '/keys')).toBe(true);
  });
});
