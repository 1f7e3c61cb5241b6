import { describe, expect, test } from 'vitest';
import type { MemberRole, Standing } from '@weir/shared/permissions';
import { ADMIN_LINKS, USER_LINKS } from '../../shell/nav-links';
import { mayOpen } from './page-needs';

type Role = 'user' | 'support' | 'admin';

const as = (role: Role, memberRole: MemberRole = 'owner'): Standing => ({
  role,
  memberRole,
  tokenRole: null,
});

const linksOf = (role: Role): string[] =>
  ADMIN_LINKS.map(({ path }) => path).filter((path) => mayOpen(as(role), path));

describe('Pages of an administrator', () => {
  test('are all there for them', () => {
    expect(linksOf('admin')).toHaveLength(ADMIN_LINKS.length);
  });

  test('are there for supporters as far as they may read what is shown', () => {
    expect(linksOf('support')).toEqual([
      '/admin/overview',
      '/admin/operations',
      '/admin/requests',
      '/admin/accounts',
      '/admin/orders',
      '/admin/usage',
      '/admin/audit',
    ]);
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
    USER_LINKS.map(({ path }) => path).filter((path) => mayOpen(as('user', memberRole), path));

  test('are all there for its owner', () => {
    expect(linksFor('owner')).toHaveLength(USER_LINKS.length);
  });

  test('are there for others as far as their role reads what is shown', () => {
    expect(linksFor('member')).not.toContain('/billing');
    expect(linksFor('member')).not.toContain('/members');
    expect(linksFor('billing')).not.toContain('/keys');
    expect(mayOpen(as('user', 'viewer'), '/members/invitations')).toBe(false);
    expect(mayOpen(as('user', 'administrator'), '/members/invitations')).toBe(true);
  });
});
