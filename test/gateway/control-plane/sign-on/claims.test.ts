import { describe, expect, it } from 'vitest';
import { leftOut, mappedBy } from '../../../../gateway/control-plane/sign-on/people/claims.ts';
import type { RuleRow } from '../../../../gateway/control-plane/sign-on/providers/provider-row.ts';

const rule = (claim: string, value: string, account = 'a', role: RuleRow['role'] = 'member') => ({
  claim,
  value,
  accountId: account,
  accountName: account,
  role,
  teamId: null,
  teamName: null,
});

const isMapped = (claims: object, claim: string, value: string) =>
  mappedBy([rule(claim, value)], { ...claims }).length === 1;

describe('a rule matches', () => {
  it.each([
    ['a list', { groups: ['x', 'Weir Admins'] }, 'groups', 'Weir Admins'],
    ['a text', { groups: 'Weir Admins' }, 'groups', 'Weir Admins'],
    ['a text with commas', { groups: 'x, Weir Admins' }, 'groups', 'Weir Admins'],
    ['a text with spaces', { groups: 'x admins' }, 'groups', 'admins'],
    [
      'a member of an object',
      { realm_access: { roles: ['admin'] } },
      'realm_access.roles',
      'admin',
    ],
    ['a name with dots', { 'https://x.example/groups': ['g'] }, 'https://x.example/groups', 'g'],
    ['a text with brackets', { groups: '[x, Weir Admins]' }, 'groups', 'Weir Admins'],
    ['a list as JSON in a text', { groups: '["x","Weir Admins"]' }, 'groups', 'Weir Admins'],
    [
      'a name of an object',
      { 'urn:zitadel:iam:org:project:roles': { admin: { '31': 'x.example' } } },
      'urn:zitadel:iam:org:project:roles',
      'admin',
    ],
    ['any value', { hd: 'company.example' }, 'hd', '*'],
    ['a truth', { staff: true }, 'staff', 'true'],
  ])('%s', (_what, claims, claim, value) => {
    expect(isMapped(claims, claim, value)).toBe(true);
  });

  it.each([
    ['another case', { groups: ['admins'] }, 'groups', 'Admins'],
    ['a part of a value', { groups: ['admins-of-x'] }, 'groups', 'admins'],
    ['nothing', {}, 'groups', '*'],
    ['an empty list', { groups: [] }, 'groups', '*'],
    ['an empty list in a text', { groups: '[]' }, 'groups', '*'],
    ['an empty object', { groups: {} }, 'groups', '*'],
    ['what every object inherits', {}, 'constructor.name', '*'],
  ])('not %s', (_what, claims, claim, value) => {
    expect(isMapped(claims, claim, value)).toBe(false);
  });

  it('first in its account', () => {
    const rules = [
      rule('groups', 'admins', 'a', 'administrator'),
      rule('groups', '*', 'a', 'viewer'),
      rule('groups', '*', 'b'),
    ];
    const mapped = mappedBy(rules, { groups: ['admins'] });
    expect(mapped.map(({ accountId, role }) => [accountId, role])).toEqual([
      ['a', 'administrator'],
      ['b', 'member'],
    ]);
  });
});

describe('groups that are left out', () => {
  const rules = [rule('groups', 'g')];
  it('are found as Entra says it, in a token of either flow', () => {
    expect(leftOut(rules, { _claim_names: { groups: 'src1' } })).toBe('groups');
    expect(leftOut(rules, { hasgroups: true })).toBe('groups');
  });
  it('do not matter where no rule asks for them, or they are there', () => {
    expect(leftOut([rule('roles', 'r')], { _claim_names: { groups: 'src1' } })).toBeUndefined();
    expect(leftOut(rules, { groups: ['g'], _claim_names: { groups: 'src1' } })).toBeUndefined();
    expect(leftOut(rules, {})).toBeUndefined();
  });
});
