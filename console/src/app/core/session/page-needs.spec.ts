import { describe, expect, test } from 'vitest';
import type { MemberRole, Standing } from '@weir/shared/api/permissions';
import { menuOf } from '../../shell/navigation/nav-links';
import { mayOpen } from './page-needs';

type Role = 'user' | 'support' | 'admin';

const as = (role: Role, memberRole: MemberRole = 'owner'): Standing => ({
  role,
  memberRole,
  tokenRole: null,
});

const linksOf = (role: Role): string[] =>
  menuOf('operator', as(role)).flatMap(({ links }) => links.map(({ path }) => path));

describe('Pages of an administrator', () => {
  test('are all there for them', () => {
    expect(linksOf('admin')).toContain('/admin/settings');
    expect(linksOf('admin')).toHaveLength(17);
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
    expect(mayOpen(as('support'), '/admin/usage')).toBe(true);
    expect(mayOpen(as('support'), '/admin')).toBe(true);
    expect(mayOpen(as('support'), '/admin/accounts/keys')).toBe(true);
    expect(mayOpen(as('support'), '/admin/settings')).toBe(false);
    expect(mayOpen(as('support'), '/admin/constructor')).toBe(false);
  });

  test('are not there for a user, or for nobody', () => {
    expect(linksOf('user')).toEqual([]);
    expect(mayOpen(as('user'), '/admin')).toBe(false);
    expect(mayOpen(undefined, '/admin/overview')).toBe(false);
    expect(mayOpen(as('user'), '/keys')).toBe(true);
  });
});

describe('Pages of an account', () => {
  const linksFor = (memberRole: MemberRole): string[] =>
    menuOf('customer', as('user', memberRole)).flatMap(({ links }) =>
      links.map(({ path }) => path),
    );

  test('are all there for its owner', () => {
    expect(linksFor('owner')).toContain('/billing');
    expect(linksFor('owner')).toContain('/members');
  });

  test('are there for others as far as their role reads what is shown', () => {
    expect(linksFor('member')).not.toContain('/billing');
    expect(linksFor('member')).not.toContain('/members');
    expect(linksFor('billing')).not.toContain('/keys');
    expect(mayOpen(as('user', 'viewer'), '/members/invitations')).toBe(false);
    expect(mayOpen(as('user', 'administrator'), '/members/invitations')).toBe(true);
  });
});
