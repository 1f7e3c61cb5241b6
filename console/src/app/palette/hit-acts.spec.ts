import { SEARCH_KINDS, type SearchHit, type SearchKind } from '@weir/shared/api/search';
import { beforeAll, describe, expect, test } from 'vitest';
import { mayCall } from '@weir/shared/api/may-call';
import type { UserRole } from '@weir/shared/people/users';
import { wordsIn } from '../../testing/words';
import type { Translate } from '../core/i18n/i18n';
import { hitActs } from './hit-acts';

let t: Translate;
beforeAll(async () => {
  ({ t } = await wordsIn('en'));
});

function hit(kind: SearchKind): SearchHit {
  return { kind, id: 'id-1', title: 'Laptop', detail: 'grace', find: 'sk-1', accountId: 'id-2' };
}

function namesFor(role: UserRole, kind: SearchKind, hasCards = true): string[] {
  const standing = { role, memberRole: 'owner', tokenRole: null } as const;
  const reader = {
    t,
    isAdmin: role !== 'user',
    may: (routeId: Parameters<typeof mayCall>[1]) => mayCall(standing, routeId),
    hasCards,
  };
  return hitActs(hit(kind), reader).map(({ name }) => name);
}

describe('What the palette does with what it finds', () => {
  test('is what an operator does most', () => {
    expect(namesFor('admin', 'account')).toEqual(['Credit Laptop…', 'Suspend Laptop…']);
    expect(namesFor('admin', 'channel')).toEqual(['Test Laptop', 'Disable Laptop…']);
    expect(namesFor('admin', 'key')).toEqual(['Disable Laptop…']);
    expect(namesFor('admin', 'order')).toEqual(['Refund Laptop…']);
  });

  test('is no refund where there is no payment service', () => {
    expect(namesFor('admin', 'order', false)).toEqual([]);
  });

  test('changes nothing for supporters, and only own keys for customers', () => {
    for (const kind of SEARCH_KINDS) {
      expect(namesFor('support', kind)).toEqual([]);
      expect(namesFor('user', kind)).toEqual(kind === 'key' ? ['Disable Laptop…'] : []);
    }
  });
});
