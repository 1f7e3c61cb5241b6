import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../../gateway/control-plane/directories/scim/patch.ts';
import {
  GROUP_KIND,
  USER_KIND,
} from '../../../../gateway/control-plane/directories/scim/schema.ts';
import { ENTERPRISE } from '../support/scim.ts';

const person = {
  userName: 'ada@x.example',
  active: true,
  name: { givenName: 'Ada', familyName: 'Byron' },
  emails: [
    { type: 'work', value: 'ada@x.example', primary: true },
    { type: 'home', value: 'ada@home.example' },
  ],
};
const patched = (...Operations: readonly object[]) => applyPatch(USER_KIND, person, { Operations });
const group = { displayName: 'staff', members: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] };
const patchedGroup = (...Operations: readonly object[]) =>
  applyPatch(GROUP_KIND, group, { Operations });
const refusal = (operation: object) => {
  try {
    patched(operation);
  } catch (error) {
    return (error as { readonly scimType?: string }).scimType;
  }
  return 'none';
};

describe('a person is changed as Entra writes it', () => {
  it('with capital verbs and booleans as texts', () => {
    expect(patched({ op: 'Replace', path: 'active', value: 'False' })['active']).toBe(false);
    expect(patched({ op: 'Add', path: 'active', value: 'True' })['active']).toBe(true);
    expect(patched({ op: 'replace', value: { active: 'false' } })['active']).toBe(false);
    expect(patched({ op: 'Replace', path: 'active', value: [{ value: 'False' }] })['active']).toBe(
      false,
    );
  });
  it('with names of parts and of the extension as keys of a value', () => {
    const after = patched({
      op: 'replace',
      value: {
        displayName: 'Ada L.',
        'name.familyName': 'Lovelace',
        [`${ENTERPRISE}:department`]: 'Engines',
        'emails[type eq "work"].value': 'ada@y.example',
      },
    });
    expect(after).toMatchObject({
      displayName: 'Ada L.',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      [ENTERPRISE]: { department: 'Engines' },
    });
    expect(after['emails']).toContainEqual({ type: 'work', value: 'ada@y.example', primary: true });
  });
  it('by a filter, also where nothing matches yet', () => {
    const after = patched(
      { op: 'Add', path: 'emails[type eq "other"].value', value: 'ada@z.example' },
      { op: 'Replace', path: 'roles[primary eq "True"].value', value: 'Admin' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Engines' },
    );
    expect(after['emails']).toContainEqual({ type: 'other', value: 'ada@z.example' });
    expect(after['roles']).toEqual([{ primary: true, value: 'Admin' }]);
    expect(after[ENTERPRISE]).toEqual({ department: 'Engines' });
  });
  it.each([
    ['added', { op: 'Add', path: 'emails', value: [{ value: 'ada@y.example', primary: true }] }],
    ['chosen', { op: 'Replace', path: 'emails[type eq "home"].primary', value: 'True' }],
  ])('with a primary address that is %s, and then no other is', (_how, operation) => {
    const emails = patched(operation)['emails'] as readonly { value: string; primary?: boolean }[];
    expect(emails.find(({ value }) => value === 'ada@x.example')?.primary).toBe(false);
    expect(emails.filter(({ primary }) => primary)).toHaveLength(1);
  });
  it('without what Weir does not have, which keeps nothing else from being changed', () => {
    const after = patched(
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'London' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'x' },
      { op: 'Add', path: 'title', value: 'Countess' },
    );
    expect(after).toEqual({ ...person, title: 'Countess' });
  });
  it('by removal of an attribute, a part, a value of a list', () => {
    expect(patched({ op: 'remove', path: 'name.givenName' })['name']).toEqual({
      familyName: 'Byron',
    });
    expect(patched({ op: 'remove', path: 'emails[type eq "home"]' })['emails']).toHaveLength(1);
    expect(patched({ op: 'Remove', path: 'emails' })).not.toHaveProperty('emails');
  });
});

describe('members of a group', () => {
  const left = { ...group, members: [{ value: 'a' }, { value: 'c' }] };
  it.each([
    ['a filter', { op: 'remove', path: 'members[value eq "b"]' }],
    [
      'a list next to the path',
      { op: 'Remove', path: 'members', value: [{ $ref: null, value: 'b' }] },
    ],
    ['an object next to the path', { op: 'Remove', path: 'members', value: { value: 'b' } }],
    ['a text next to the path', { op: 'remove', path: 'members', value: ['b'] }],
  ])('are removed by %s, and no others', (_how, operation) => {
    expect(patchedGroup(operation)).toEqual(left);
  });
  it('are all removed by the path alone, and by an empty list', () => {
    expect(patchedGroup({ op: 'remove', path: 'members' })).toEqual({ displayName: 'staff' });
    expect(patchedGroup({ op: 'replace', path: 'members', value: [] })).not.toHaveProperty(
      'members',
    );
    expect(patchedGroup({ op: 'Remove', path: 'members', value: [] })).toEqual(group);
  });
  it('are added once', () => {
    const add = { op: 'Add', path: 'members', value: [{ value: 'd' }, { value: 'a' }] };
    expect(patchedGroup(add, add)['members']).toEqual([...group.members, { value: 'd' }]);
    expect(
      patchedGroup({ op: 'add', value: { members: [{ value: 'd' }] } })['members'],
    ).toHaveLength(4);
  });
  it('stay when Okta sends the id with a new name', () => {
    const renamed = patchedGroup({ op: 'replace', value: { id: 'x', displayName: 'crew' } });
    expect(renamed).toEqual({ ...group, displayName: 'crew' });
  });
});

describe('what cannot be changed is refused with its kind', () => {
  it.each([
    ['no list of operations', { op: 'delete', path: 'title' }, 'invalidSyntax'],
    ['a removal of nothing', { op: 'remove' }, 'noTarget'],
    ['a removal of nothing with values', { op: 'remove', value: { title: 'x' } }, 'noTarget'],
    ['a text for all', { op: 'add', value: 'x' }, 'invalidValue'],
    ['no path', { op: 'add', path: 'emails[type eq', value: 'x' }, 'invalidPath'],
    ['a filter of no list', { op: 'add', path: 'title[value eq "x"]', value: 'x' }, 'invalidPath'],
    [
      'a filter that finds nothing',
      { op: 'replace', path: 'emails[value co "q"].value', value: 'x' },
      'noTarget',
    ],
    ['the id', { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    ['groups of a person', { op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
    ['another type', { op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    ['an object for a text', { op: 'replace', path: 'title', value: { a: 1 } }, 'invalidValue'],
  ])('%s', (_what, operation, scimType) => {
    expect(refusal(operation)).toBe(scimType);
  });
  it('and what every object inherits is no attribute', () => {
    const inherited = { ['__proto__']: 'x', 'constructor.prototype': 1 };
    expect(refusal({ op: 'add', path: '__proto__.polluted', value: 'x' })).toBe('invalidPath');
    expect(patched({ op: 'add', path: 'name', value: inherited })).toEqual(person);
    expect(patched({ op: 'add', path: 'constructor.name', value: 'x' })).toEqual(person);
  });
});
